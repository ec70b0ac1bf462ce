import Foundation
import TestSupport
import Testing

/// The short form of the onset benchmark: what was heard, in which order, and whether the ledger is
/// right about it. The benchmark measures the accuracy.
struct OnsetTests {
  private let space = Workspace()

  private static let workout = """
    name: Onsets
    blocks:
      - phases:
          - high: 2.9s
          - low: 3.9s
          - high: 1.9s

    """

  struct CardKind: Sendable, CustomTestStringConvertible {
    let arguments: String
    /// The number of sounds heard before the card's position is right.
    var lies = 0

    var testDescription: String { arguments }
  }

  private static let cards = [
    CardKind(arguments: ""), CardKind(arguments: ",PPM=80"),
    CardKind(arguments: ",PPM=-120,STEP=10000"),
    CardKind(arguments: ",PPM=50,STEP=1000"),
    CardKind(arguments: ",LIE_MS=500,LIE_US=20000,PPM=80", lies: 2),
    CardKind(arguments: ",STEP=10000,INTERPOLATED=yes"),
  ]

  /// One sound: when it was due, when it was heard according to the ledger, and according to the
  /// card.
  private struct Sound {
    let due: Int64
    let onset: Int64
    let truth: Int64

    /// A card's pointer is accurate to a few hundredths of a millisecond. A drift of the wrong
    /// sign, a forgotten buffer or an uncorrected pointer would be further off.
    var isTrue: Bool { abs(truth - onset) < 1_000_000 && abs(truth - due) < 1_000_000 }
  }

  /// Pairs every sound in the ledger with one that was heard; sounds at one instant count once.
  /// Empty if the numbers differ.
  private func compare(_ ledger: Ledger, _ card: CardTruth) -> [Sound] {
    var onsets: [Int64: Int64] = [:]
    for cue in ledger.cues where cue.kind == "countdown" || cue.kind == "transition" {
      if let due = cue.due, let onset = cue.onset { onsets[due] = onset }
    }
    let heard = card.beginnings
    guard heard.count == onsets.count else { return [] }
    return zip(onsets.sorted { $0.key < $1.key }, heard).compactMap { cue, frame in
      card.instant(ofFrame: frame).map { Sound(due: cue.key, onset: cue.value, truth: $0) }
    }
  }

  @Test(arguments: cards) func everyCueIsHeardOnceAndInOrder(_ kind: CardKind) async throws {
    let card = try SoundCard(in: space)
    let preset = try space.write("density: quiet\n" + Self.workout, to: "onsets.yaml")
    let (outcome, ledger, sounds) = try await undisturbed {
      // The card appends to its capture.
      for file in ["capture", "log"] {
        try? FileManager.default.removeItem(atPath: space.path("card/\(file)"))
      }
      let outcome = try await card.program.run([
        "run", preset, "--ledger", Workspace.ledgerName, "--device",
        "card:DIR=\(space.path("card"))\(kind.arguments)",
      ])
      let truth = try CardTruth(folder: space.path("card"))
      return (outcome, space.ledger, compare(space.ledger, truth))
    } wasHeldUp: { _, ledger, sounds in
      // A sound thread that is delayed learns the card's clock late.
      ledger.wasHeldUp || !sounds.dropFirst(kind.lies).allSatisfy(\.isTrue)
    }
    #expect(outcome.status == .exited(0))
    let cues = ledger.cues.filter { $0.kind == "countdown" || $0.kind == "transition" }
    #expect(cues.allSatisfy { $0.outcome == "played" && $0.onset != nil })
    #expect(sounds.count == 5)
    #expect(sounds.map(\.truth) == sounds.map(\.truth).sorted())
    for sound in sounds.dropFirst(kind.lies) {
      #expect(sound.isTrue, "\(sound)")
    }
  }

  /// Nor for ticks.
  @Test func theSoundThreadAsksForNoMemoryAndNoLockWhileADevicePlays() async throws {
    let card = try SoundCard(in: space)
    let ticking = Self.workout
      .replacingOccurrences(of: "3.9s", with: "3.9s\n        metronome: {rate: 180, accent: 3}")
      .replacingOccurrences(of: "1.9s", with: "1.9s\n        metronome: 100 to 240")
    let preset = try space.write(ticking, to: "onsets.yaml")
    var watched = card.program
    watched.environment["LD_PRELOAD"] = try LoadedLibrary.allocationWatch.path()
    watched.environment["CUECOACH_WATCH"] = space.path("watch")
    let program = watched
    // Restarting a device allocates memory, and a busy machine may cause a restart.
    let (outcome, ledger) = try await undisturbed {
      for file in ["watch", "card/log"] {
        try? FileManager.default.removeItem(atPath: space.path(file))
      }
      let outcome = try await program.run(["run", preset, "--ledger", Workspace.ledgerName])
      return (outcome, space.ledger)
    } ledger: {
      $0.1
    }
    #expect(outcome.status == .exited(0))
    let calls = try space.text("watch")
      .split(separator: "\n").map { $0.split(separator: " ") }
    // Opening the device allocates memory, so the watch must have seen something.
    #expect(calls.contains { $0[0] == "malloc" })
    let log = try space.text("card/log")
      .split(separator: "\n").map { $0.split(separator: " ") }
    let stop = try #require(log.last { $0[0] == "stop" }.flatMap { Int64($0[1]) })
    #if compiler(>=6.1)
      let since = try #require(log.first { $0[0] == "start" }.flatMap { Int64($0[1]) })
    #else
      // A debug build of Swift 6.0 describes two generic types to itself, in a small block each, when
      // the first sound is reported, which is before the second is heard. An optimised one has none to describe.
      let since = try #require(ledger.cues.compactMap(\.onset).sorted().dropFirst().first)
    #endif
    let duringPlay = calls.filter { call in
      Int64(call[1]).map { $0 > since && $0 < stop } ?? true
    }
    // The count is compared: a failure would describe each of very many calls.
    let count = duringPlay.count
    #expect(count == 0, "\(duringPlay.prefix(4))")
  }
}
