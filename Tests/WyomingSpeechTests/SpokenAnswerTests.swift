import CueSound
import Testing
import WyomingProtocol

@testable import WyomingSpeech

/// What a server sends for a text, as a clip.
struct SpokenAnswerTests {
  private struct Format: Codable {
    var rate = 16_000
    var width = 2
    var channels = 1
  }

  private func answer(_ events: [[UInt8]], piece: Int = .max) throws -> SpokenAnswer {
    var (reader, answer) = (WyomingReader(), SpokenAnswer())
    let bytes = events.flatMap { $0 }
    for start in stride(from: 0, to: bytes.count, by: min(piece, bytes.count)) {
      let end = min(bytes.count, piece == .max ? bytes.count : start + piece)
      for item in try reader.read(bytes[start..<end]) { try answer.take(item) }
    }
    return answer
  }

  private func chunk(_ samples: [Int16], _ format: Format = Format()) -> [UInt8] {
    WyomingEvent.bytes(
      "audio-chunk", format,
      payload: samples.flatMap {
        [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
      })
  }

  private let start = WyomingEvent.bytes("audio-start", Format())
  private let stop = WyomingEvent.bytes("audio-stop", Never?.none)

  @Test(arguments: [1, 2, 3, 7, 1000]) func samplesAreThoseThatWereSent(piece: Int) throws {
    let samples: [Int16] = [0, 1, -1, .max, .min, 300]
    let answer = try answer(
      [start, chunk(Array(samples[..<3])), chunk(Array(samples[3...])), stop], piece: piece)
    #expect(answer.isWhole)
    #expect(answer.clip?.rate == 16_000)
    #expect(answer.clip.map { Array($0.samples) } == samples)
  }

  @Test func twoChannelsAreMixedDown() throws {
    let stereo = Format(channels: 2)
    let answer = try answer([
      WyomingEvent.bytes("audio-start", stereo),
      chunk([100, 300, .max, .max, .min, .min, -5, 5], stereo),
      stop,
    ])
    #expect(answer.clip.map { Array($0.samples) } == [200, .max, .min, 0])
  }

  @Test func otherEventsAreNoSound() throws {
    let other = WyomingEvent.bytes("timing", ["a": 1], payload: [1, 2, 3, 4])
    let answer = try answer([start, other, chunk([7]), other, stop])
    #expect(answer.clip.map { Array($0.samples) } == [7])
  }

  private static let formats: [(rate: Int, width: Int, channels: Int)] = [
    (7_999, 2, 1), (48_001, 2, 1), (0, 2, 1), (16_000, 1, 1), (16_000, 4, 1), (16_000, 2, 0),
    (16_000, 2, 3),
    (16_000, .max, 1), (.max, 2, 1), (16_000, 2, .min),
  ]

  @Test(arguments: formats)
  func otherFormatsAreRefused(rate: Int, width: Int, channels: Int) {
    let format = Format(rate: rate, width: width, channels: channels)
    #expect(throws: WyomingFault.self) { try answer([WyomingEvent.bytes("audio-start", format)]) }
  }

  @Test func aSoundHasAnEnd() throws {
    let second = chunk(Array(repeating: 1, count: 16_000))
    let longest = Array(repeating: second, count: 15)
    #expect(try answer([start] + longest + [stop]).isWhole)
    #expect(throws: WyomingFault("a sound of more than 15 seconds")) {
      try answer([start] + longest + [chunk([1])])
    }
  }

  @Test func whatDoesNotBelongTogetherIsRefused() {
    #expect(throws: WyomingFault("an end without a beginning")) { try answer([stop]) }
    #expect(throws: WyomingFault("a sound that changes its rate or its channels")) {
      try answer([start, chunk([1], Format(rate: 8_000))])
    }
    #expect(throws: WyomingFault("a sound that begins twice")) {
      try answer([start, chunk([1]), start])
    }
    for late in [start, chunk([1]), stop] {
      #expect(throws: WyomingFault("sound that nobody has asked for")) {
        try answer([start, chunk([1]), stop, late])
      }
    }
    #expect(throws: WyomingFault("an \"error\" that nobody has asked for")) {
      try answer([start, stop, error])
    }
  }

  private let info = WyomingEvent.bytes("info", ["tts": [String]()])
  private let error = WyomingEvent.bytes("error", ["text": "no"])

  /// The description is asked for behind the text.
  @Test func anAnswerCountsOnceTheDescriptionHasFollowed() throws {
    #expect(try !answer([start, chunk([1]), stop]).isConfirmed)
    #expect(try answer([start, chunk([1]), stop, info]).isConfirmed)
    #expect(try !answer([error]).isConfirmed)
    #expect(try answer([error, info]).isConfirmed)
    for early in [[info], [start, info], [start, chunk([1]), info]] {
      #expect(throws: WyomingFault("it answers out of turn, expected the sound first")) {
        try answer(early)
      }
    }
  }

  @Test func anErrorIsAWholeAnswer() throws {
    let refused = try answer([WyomingEvent.bytes("error", ["text": "no voice\u{202e}\u{1b}[31m"])])
    #expect(refused.isWhole)
    #expect(refused.refusal?.description == "the server says: no voice  [31m")
    let long = try answer([
      WyomingEvent.bytes("error", ["text": String(repeating: "x", count: 9000)])
    ])
    #expect(long.refusal?.description.count == 200)
    #expect(try answer([start, WyomingEvent.bytes("error", Never?.none)]).refusal != nil)
  }
}
