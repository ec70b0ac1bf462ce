import Foundation
import Synchronization
import TestSupport
import Testing

@testable import cuecoach

/// Every cue sound and an announcement on a device.
@Suite struct TestSoundCommandTests {
  private let space = Workspace()

  private static let sounds = [
    "count", "high-begins", "low-begins", "rest-begins", "change", "set-ends", "finish", "paused",
    "resumed", "too-low", "too-high", "alarm", "tick", "accent", "offbeat",
  ]

  private static func header(_ device: String) -> String {
    "playing on \(device): volume 100, latency 0 ms, keep-alive off, warm-up 0 s"
  }

  /// The number of sounds that have been named.
  private static func named(in output: String) -> Int {
    sounds.count { output.contains("\n\($0) ") }
  }

  /// Asks the kernel: root may lack the right, and others may have it.
  private static var isRealtimeAllowed: Bool {
    let isAllowed = Mutex(false)
    let isKnown = DispatchSemaphore(value: 0)
    Thread {
      var parameters = sched_param()
      parameters.sched_priority = 10
      let result = pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters)
      isAllowed.withLock { $0 = result == 0 }
      isKnown.signal()
    }.start()
    isKnown.wait()
    return isAllowed.withLock { $0 }
  }

  private func configure(_ text: String) throws {
    try space.write(text, to: ".config/cuecoach/config.yaml")
  }

  @Test func everySoundIsNamedAndHeardInItsTurn() async throws {
    let card = try SoundCard(in: space)
    let outcome = try await undisturbed {
      // The card appends to its capture.
      try? FileManager.default.removeItem(atPath: space.path("card/capture"))
      try? FileManager.default.removeItem(atPath: space.path("card/log"))
      return try await card.program.run(["test-sound"])
    } wasHeldUp: { _ in
      card.hadUnderrun
    }
    outcome.expectSuccess()
    #expect(outcome.lines.first == Self.header("default"))
    let names = outcome.lines.dropFirst().prefix(16)
    #expect(
      names.map { $0.prefix { $0 != " " } } == Self.sounds.map { $0[...] } + ["announcement"])
    #expect(names.last == "announcement  (Set 3 completing in 3, 2, 1, 0)")
    #expect(
      outcome.lines.last
        == (Self.isRealtimeAllowed
          ? "the sound thread had real-time priority" : DeviceAdvice.realtime()))
    #expect(outcome.lines.count == 18)

    let heard = card.heard
    var place = heard.startIndex
    for name in Self.sounds {
      let file = SourceTree.url("Sounds/default/\(name).wav")
      let sound = try Recording(Data(contentsOf: file)).samples
      let silence = try #require(sound.firstIndex { $0 != 0 })
      let start = try #require(heard[place...].firstIndex { $0 != 0 }) - silence
      try #require(start >= place && start + sound.count <= heard.endIndex)
      #expect(Array(heard[start..<start + sound.count]) == sound, "\(name)")
      place = start + sound.count
    }
    let words = try #require(heard[place...].firstIndex { $0 != 0 })
    // A lead-in, and three seconds from "3" to "0".
    #expect(heard[words...].count > 4 * 48_000)
    #expect(heard[words...].contains { $0.magnitude > 3000 })
  }

  @Test func theConfigurationIsObeyedAndShown() async throws {
    try configure(
      """
      device: plug:card
      outputs:
        plug:card: {latency: 12.5, keep-alive: silence, warm-up: 1, volume: 40}
      """)
    let card = try SoundCard(in: space)
    let outcome = try await undisturbed {
      // The card appends to its capture.
      try? FileManager.default.removeItem(atPath: space.path("card/capture"))
      try? FileManager.default.removeItem(atPath: space.path("card/log"))
      let test = try await card.program.start(["test-sound", "--volume", "50"])
      try await test.until("the first sound is heard") {
        test.output.contains("count")
      } then: {
        test.send(signal: SIGTERM)
      }
      return await test.end()
    } wasHeldUp: { _ in
      card.hadUnderrun
    }
    #expect(outcome.status == .exited(143))
    #expect(
      outcome.lines.first
        == "playing on plug:card: volume 40, latency 12.5 ms, keep-alive silence, warm-up 1 s")
    #expect(
      outcome.errors
        == "cuecoach: volume 50 is lowered to 40, the most that config.yaml allows for "
        + "\"plug:card\"\n")
    let first = try #require(card.heard.firstIndex { $0 != 0 })
    #expect(first > 48_000)
  }

  @Test func interruptEndsItAtOnce() async throws {
    let card = try SoundCard(in: space)
    let test = try await card.program.start(["test-sound"])
    let named = Mutex(0)
    try await test.until("the first sound is heard") {
      test.output.contains("count")
    } then: {
      test.send(signal: SIGINT)
      named.withLock { $0 = Self.named(in: test.output) }
    }
    let outcome = await test.end().expect(130)
    #expect(outcome.errors == "")
    #expect(Self.named(in: outcome.output) <= named.withLock { $0 } + 2)
    #expect(!outcome.output.contains("the sound thread had"))
  }

  private static let problems: [(SoundCard.Order, String)] = [
    (.busy, "\"default\" is in use by another program; fuser"),
    (.denied, "\"default\" may not be used by this user; join the group audio"),
    (.unplug, "\"default\" is not there; cuecoach devices lists what is there"),
    (.stall, "\"default\" accepts sound but plays none; check its connection"),
  ]

  @Test(arguments: problems)
  func deviceThatDoesNotPlayIsOneLineAndExitCodeOne(order: SoundCard.Order, says: String)
    async throws
  {
    let card = try SoundCard(in: space, order)
    let outcome = try await card.program.start(["test-sound"]).end().expect(1)
    #expect(outcome.output == Self.header("default") + "\n")
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.hasPrefix("cuecoach: no sound: \(says)"))
    #expect(!card.hasSounded)
  }

  @Test func deviceThatDoesNotExistIsOneLineAndExitCodeOne() async throws {
    let outcome = try await space.run("test-sound", "--device", "hw:7").expect(1)
    #expect(
      outcome.errors
        == "cuecoach: no sound: \"hw:7\" is not there, and numbers change; cuecoach devices lists "
        + "the cards by id (CARD=)\n")
  }

  @Test func deviceThatVanishesEndsIt() async throws {
    let card = try SoundCard(in: space)
    let test = try await card.program.start(["test-sound"])
    try await test.until("the first sound is heard") {
      test.output.contains("count")
    } then: {
      try? card.tell(.unplug)
    }
    let outcome = await test.end().expect(1)
    #expect(outcome.errors.hasPrefix("cuecoach: no sound: \"default\" is not there; "))
    #expect(!outcome.output.contains("announcement"))
  }
}
