import CueTesting
import Foundation
import Testing

/// The short form of the onset bench: what was heard, in which order, and what the ledger says of
/// it. How exactly is measured by the bench, not here.
struct OnsetTests {
  private static let workout = """
    name: Onsets
    blocks:
      - phases:
          - high: 2.9s
          - low: 3.9s
          - high: 1.9s

    """
  private static let cards = [
    "", ",PPM=80", ",PPM=-120,STEP=10000", ",PPM=50,STEP=1000", ",LIE_MS=500,LIE_US=20000,PPM=80",
    ",STEP=10000,INTERPOLATED=yes",
  ]

  /// Where sounds begin in a capture of stereo frames: after 0.2 s of silence.
  private func beginnings(_ capture: Data) -> [Int] {
    var beginnings: [Int] = []
    var last = -1_000_000
    let samples = capture.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    for frame in 0..<samples.count / 2 where samples[2 * frame] != 0 {
      if frame - last > 9_600 { beginnings.append(frame) }
      last = frame
    }
    return beginnings
  }

  @Test(arguments: cards) func everyCueIsHeardOnceAndInOrder(_ manner: String) async throws {
    let space = try Workspace()
    defer { space.remove() }
    let card = try SoundCard(in: space)
    let preset = try space.write("density: quiet\n" + Self.workout, to: "onsets.yaml")
    let (outcome, ledger) = try await undisturbed {
      // The card goes on where its capture ends.
      try? FileManager.default.removeItem(atPath: space.path("card/capture"))
      let outcome = try await card.program.run([
        "run", preset, "--ledger", Workspace.ledgerName, "--device",
        "card:DIR=\(space.path("card"))\(manner)",
      ])
      return (outcome, space.ledger)
    } ledger: {
      $0.1
    }
    #expect(outcome.status == .exited(0))
    let sounds = ledger.cues.filter { $0.kind == "countdown" || $0.kind == "transition" }
    #expect(sounds.allSatisfy { $0.outcome == "played" && $0.onset != nil })
    // Sounds at the same instant are one to the ear.
    let dues = Set(sounds.compactMap(\.due)).sorted()
    #expect(dues.count == 10)
    let capture = try #require(FileManager.default.contents(atPath: space.path("card/capture")))
    let heard = Array(beginnings(capture).prefix(dues.count))
    try #require(heard.count == dues.count)
    // None is so far from its place that another could stand in for it.
    for (index, due) in dues.enumerated() {
      let place = Double(due - dues[0]) * 48e-6
      #expect(abs(Double(heard[index] - heard[0]) - place) < 48_000 / 4)
    }
  }

  @Test func theSoundThreadAsksForNoMemoryAndNoLockWhileADevicePlays() async throws {
    let space = try Workspace()
    defer { space.remove() }
    let card = try SoundCard(in: space)
    let preset = try space.write(Self.workout, to: "onsets.yaml")
    var watched = card.program
    watched.environment["LD_PRELOAD"] = try LoadedLibrary.allocationWatch.path()
    watched.environment["CUECOACH_WATCH"] = space.path("watch")
    let program = watched
    // A device that is started anew asks for memory, and a machine that is busy makes it so.
    let (outcome, _) = try await undisturbed {
      for file in ["watch", "card/log"] {
        try? FileManager.default.removeItem(atPath: space.path(file))
      }
      let outcome = try await program.run(["run", preset, "--ledger", Workspace.ledgerName])
      return (outcome, space.ledger)
    } ledger: {
      $0.1
    }
    #expect(outcome.status == .exited(0))
    let calls = try String(contentsOfFile: space.path("watch"), encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: " ") }
    // Opening takes memory: the watch sees what there is to be seen.
    #expect(calls.contains { $0[0] == "malloc" })
    let log = try String(contentsOfFile: space.path("card/log"), encoding: .utf8)
      .split(separator: "\n").map { $0.split(separator: " ") }
    let start = try #require(log.first { $0[0] == "start" }.flatMap { Int64($0[1]) })
    let stop = try #require(log.last { $0[0] == "stop" }.flatMap { Int64($0[1]) })
    #if compiler(>=6.1)
      let firstUse: Int64 = 0
    #else
      // A debug build of Swift 6.0 describes two generic types to itself, in a small block each, when
      // the first sound is reported. An optimised one has none to describe.
      let firstUse: Int64 = 700_000_000
    #endif
    let duringPlay = calls.filter { call in
      Int64(call[1]).map { $0 > start + firstUse && $0 < stop } ?? true
    }
    #expect(duringPlay == [])
  }
}
