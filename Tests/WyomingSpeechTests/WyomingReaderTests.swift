import Testing
import WyomingProtocol

/// A stream of events, in whatever pieces it comes.
struct WyomingReaderTests {
  private struct Format: Codable, Equatable {
    var rate = 22_050
    var width = 2
    var channels = 1
  }

  /// The types of the events and the payloads, joined.
  private func items(
    _ reader: inout WyomingReader, _ bytes: ArraySlice<UInt8>
  ) throws -> (types: [String], payload: [UInt8]) {
    var (types, payload) = ([String](), [UInt8]())
    for item in try reader.read(bytes) {
      switch item {
      case .event(let event): types.append(event.type)
      case .payload(let bytes): payload += bytes
      }
    }
    return (types, payload)
  }

  private let stream =
    WyomingEvent.bytes("audio-start", Format())
    + WyomingEvent.bytes("audio-chunk", Format(), payload: Array(0...255))
    + WyomingEvent.bytes("audio-stop", Never?.none)

  @Test func aStreamMayBeCutAnywhere() throws {
    for cut in 0...stream.count {
      var reader = WyomingReader()
      let first = try items(&reader, stream[..<cut])
      let second = try items(&reader, stream[cut...])
      #expect(first.types + second.types == ["audio-start", "audio-chunk", "audio-stop"])
      #expect(first.payload + second.payload == Array(0...255))
      #expect(reader.isBetweenEvents)
    }
    var reader = WyomingReader()
    let single = try stream.indices.map { try items(&reader, stream[$0...$0]) }
    #expect(single.flatMap(\.payload) == Array(0...255))
  }

  @Test func dataMayStandInTheLineOrBehindIt() throws {
    var reader = WyomingReader()
    let line = #"{"type":"audio-start","data":{"rate":8000,"width":2,"channels":2}}"# + "\n"
    let bytes = Array(line.utf8) + WyomingEvent.bytes("audio-start", Format())
    let formats = try reader.read(bytes[...]).map { item in
      if case .event(let event) = item { event.data(Format.self) } else { nil as Format? }
    }
    #expect(formats == [Format(rate: 8000, channels: 2), Format()])
  }

  private static let faults: [(bytes: String, fault: String)] = [
    ("\n", "a line that is no event of the Wyoming protocol"),
    ("hello\n", "a line that is no event of the Wyoming protocol"),
    ("{}\n", "a line that is no event of the Wyoming protocol"),
    ("{\"type\":5}\n", "a line that is no event of the Wyoming protocol"),
    ("{\"type\":\"a\",\"type\\q\":1}\n", "a line that is no event of the Wyoming protocol"),
    ("{\"type\":\"a\",\"data_length\":-1}\n", "data of -1 bytes, at most 65536"),
    ("{\"type\":\"a\",\"data_length\":65537}\n", "data of 65537 bytes, at most 65536"),
    ("{\"type\":\"a\",\"data_length\":3}\n{]}", "the data of an event \"a\" is no JSON"),
    (
      "{\"type\":\"a\",\"payload_length\":99000000000}\n",
      "a payload of 99000000000 bytes, at most 2880000"
    ),
    (
      "{\"type\":\"a\",\"payload_length\":1e30}\n",
      "a line that is no event of the Wyoming protocol"
    ),
    (String(repeating: " ", count: 65_537), "a line of more than 65536 bytes"),
  ]

  @Test(arguments: faults) func whatIsNoStreamIsRefused(bytes: String, fault: String) {
    var reader = WyomingReader()
    #expect(throws: WyomingFault(fault)) { try reader.read(Array(bytes.utf8)[...]) }
  }

  @Test func anyBytesAreReadOrRefused() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var bytes = stream
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] = .random(
          in: 0...255, using: &generator)
      }
      var reader = WyomingReader()
      _ = try? reader.read(bytes[...])
    }
  }
}
