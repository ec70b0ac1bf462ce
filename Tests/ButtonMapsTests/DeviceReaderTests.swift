import ButtonMaps
import TestSupport
import Testing

@Suite struct DeviceReaderTests {
  private static let map = """
    devices:
      - name: Pad
        keys:
          kp1: pause
          kp2: {short: next, long: stop}
          playpause: pause
    """
  private static let now: Int64 = 1_000_000_000_000

  /// A class, so that the calls may stand in an expectation.
  private final class Tested {
    private var reader: DeviceReader

    init(_ reader: DeviceReader) { self.reader = reader }

    var deadline: Int64? { reader.deadline }
    func take(_ bytes: some Sequence<UInt8>, at now: Int64) -> [Press] {
      reader.take(bytes, at: now)
    }
    func check(at now: Int64) -> [Press] { reader.check(at: now) }
  }

  private func reader() throws -> Tested {
    Tested(
      DeviceReader(try ButtonMap.parse(Array(Self.map.utf8), file: "buttons.yaml").devices[0]))
  }

  private func texts(_ presses: [Press]) -> [String] { presses.map(\.action.text) }

  @Test func aKeyOfTheMapIsAPressAndNoOtherIs() throws {
    let reader = try reader()
    #expect(texts(reader.take(EventBytes.key("kp1", 1), at: Self.now)) == ["pause"])
    for value: Int32 in [2, 2, 0, -1, 7] {
      #expect(reader.take(EventBytes.key("kp1", value), at: Self.now).isEmpty)
    }
    #expect(reader.take(EventBytes.key("kp3", 1), at: Self.now).isEmpty)
    // Other kinds of events: a movement, a scan code.
    for type: UInt16 in [2, 3, 4, 5] {
      #expect(reader.take(EventBytes.event(type: type, code: 79, value: 1), at: Self.now).isEmpty)
    }
  }

  /// A headset says that it plays, or pauses, by what it believes.
  @Test func playAndPauseAreOneButton() throws {
    let reader = try reader()
    for name in ["playpause", "playcd", "pausecd"] {
      #expect(texts(reader.take(EventBytes.key(name, 1), at: Self.now)) == ["pause"])
      #expect(reader.take(EventBytes.key(name, 0), at: Self.now).isEmpty)
      #expect(reader.check(at: Self.now + 100_000_000).isEmpty)
    }
  }

  @Test func piecesOfAnyLengthAreOneStream() throws {
    let bytes =
      EventBytes.key("kp1", 1) + EventBytes.key("kp3", 1) + EventBytes.key("kp1", 0)
      + EventBytes.key("kp2", 1) + EventBytes.key("kp2", 0)
    for length in 1...bytes.count {
      let reader = try reader()
      var presses: [Press] = []
      for start in stride(from: 0, to: bytes.count, by: length) {
        presses += reader.take(bytes[start..<min(bytes.count, start + length)], at: Self.now)
      }
      presses += reader.check(at: Self.now + 1_000_000_000)
      #expect(texts(presses) == ["pause", "next"], "pieces of \(length)")
    }
  }

  /// What was read late is judged by when it happened: a tap is none that was held.
  @Test func theStampCounts() throws {
    let reader = try reader()
    let (down, up) = (Self.now - 1_200_000_000, Self.now - 1_000_000_000)
    var presses = reader.take(
      EventBytes.key("kp2", 1, at: down) + EventBytes.key("kp2", 0, at: up), at: Self.now)
    presses += reader.check(at: Self.now)
    #expect(texts(presses) == ["next"])
    #expect(presses[0].at == up + KeyPress.bounce)
    presses = reader.take(
      EventBytes.key("kp2", 1, at: Self.now - 900_000_000) + EventBytes.key("kp2", 0), at: Self.now)
    #expect(texts(presses) == ["stop"])
  }

  @Test(
    arguments: [
      0, -1, .min, .max, now + 1_000_000, now - 11_000_000_000, 1_760_000_000_000_000_000,
    ] as [Int64])
  func aStampOfAnotherClockIsNone(stamp: Int64) throws {
    let reader = try reader()
    let presses = reader.take(EventBytes.key("kp1", 1, at: stamp), at: Self.now)
    #expect(presses.map(\.at) == [Self.now])
  }

  /// The kernel's own queue was full: nobody knows which keys are down.
  @Test func afterALossNoKeyIsDown() throws {
    let reader = try reader()
    _ = reader.take(EventBytes.key("kp2", 1), at: Self.now)
    #expect(reader.deadline != nil)
    let lost = EventBytes.dropped + EventBytes.event(type: 1, code: 79, value: 1)
    #expect(reader.take(lost, at: Self.now).isEmpty && reader.deadline == nil)
    #expect(reader.take(EventBytes.report + EventBytes.key("kp2", 0), at: Self.now).isEmpty)
    #expect(reader.check(at: Self.now + 2_000_000_000).isEmpty)
    #expect(texts(reader.take(EventBytes.key("kp1", 1), at: Self.now)) == ["pause"])
  }

  /// Any bytes, in any pieces, with a clock that may stand.
  @Test func noBytesEndIt() throws {
    var generator = SeededGenerator(seed: 1)
    var seen = 0
    for _ in 0..<300 {
      let reader = try reader()
      var now = Int64.random(in: 0...2_000_000_000_000, using: &generator)
      for _ in 0..<40 {
        var bytes = (0..<Int.random(in: 0...200, using: &generator)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        }
        if Bool.random(using: &generator) {
          let name = ["kp1", "kp2", "playcd"].randomElement(using: &generator)!
          bytes += EventBytes.key(name, Int32.random(in: -1...2, using: &generator), at: now)
        }
        let presses = reader.take(bytes, at: now) + reader.check(at: now)
        #expect(presses.allSatisfy { $0.at <= now })
        #expect(reader.deadline.map { $0 > now } ?? true)
        seen += presses.count
        now += Int64.random(in: 0...900_000_000, using: &generator)
      }
    }
    #expect(seen > 30)
  }

  /// Ten seconds of 10 000 events each: a key that chatters is one that is held.
  @Test func aFloodIsOnePress() throws {
    let reader = try reader()
    var presses: [Press] = []
    for index in 0..<100_000 {
      let now = Self.now + Int64(index) * 100_000
      presses += reader.take(EventBytes.key("kp1", Int32((index + 1) % 2)), at: now)
      presses += reader.check(at: now)
    }
    #expect(presses.count == 1)
  }

  @Test func ofManyPressesSomeAreLeftOut() {
    var limit = PressLimit()
    let allowed = (0..<100).count { _ in limit.allows(at: Self.now) }
    #expect(allowed == PressLimit.mostASecond)
    let isAllowedLater = limit.allows(at: Self.now + 1_000_000_000)
    #expect(isAllowedLater)
  }
}
