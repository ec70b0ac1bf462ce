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
