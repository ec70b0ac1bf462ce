import Instants
import Phrases

@testable import Targets

/// Readings, one a second from 0 on, up to and without `seconds`; nil is none.
func samples(
  _ kind: TargetKind, _ seconds: Int, _ value: (Double) -> Double?
) -> [TargetReplay.Sample] {
  (0..<seconds).map { second in
    TargetReplay.Sample(
      at: .seconds(second), value(Double(second)).flatMap { Reading(kind, $0) })
  }
}

/// What is said in one phase, each text with its second.
func said(
  _ target: Target, _ seconds: Int, _ change: (inout TargetReplay) -> Void = { _ in },
  value: (Double) -> Double?
) -> [String] {
  var replay = TargetReplay(
    [CoachedPhase(target, length: .seconds(seconds))], samples(target.kind, seconds, value),
    length: .seconds(seconds))
  change(&replay)
  return replay.run().said.map(\.words)
}

func said(
  _ rest: HeartRateRest, _ seconds: Int, value: (Double) -> Double?
) -> (texts: [String], ends: [Duration]) {
  let outcome = TargetReplay(
    [CoachedPhase(rest)], samples(.heartRate, seconds, value), length: .seconds(seconds)
  ).run()
  return (outcome.said.map(\.words), outcome.ends)
}

extension TargetReplay.Said {
  /// The time in seconds, and the text in English: "15 170, more power".
  var words: String {
    let seconds = time.inSeconds
    let text = PhraseCatalogue.english.words(of: text)
    return "\(Int64(exactly: seconds).map { "\($0)" } ?? "\(seconds)") \(text)"
  }
}

/// SplitMix64, so that a failure is reproducible with its seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
