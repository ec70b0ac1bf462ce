import WyomingProtocol

/// Answers requests of the Wyoming protocol.
struct VoiceServer {
  private let flite: Flite
  private var reader = WyomingReader()

  init(_ flite: Flite) { self.flite = flite }

  /// The longest text, in characters.
  private static let longest = 2000
  /// The samples of one event.
  private static let chunk = 8 * 1024

  /// The events that answer what some more bytes complete, in order.
  ///
  /// - Throws: what is no Wyoming protocol, after which nothing can be read.
  mutating func answers(to bytes: ArraySlice<UInt8>) throws(WyomingFault) -> [[UInt8]] {
    var answers: [[UInt8]] = []
    for case .event(let event) in try reader.read(bytes) {
      switch event.type {
      case "describe": answers.append(WyomingEvent.bytes("info", info))
      case "synthesize": answers += spoken(event)
      default: break
      }
    }
    return answers
  }

  private struct Request: Decodable {
    struct Voice: Decodable { let name: String? }
    let text: String
    let voice: Voice?
  }

  private func spoken(_ event: WyomingEvent) -> [[UInt8]] {
    guard let request = event.data(Request.self) else {
      return [failure("a request without a text")]
    }
    guard request.text.count <= Self.longest else {
      return [failure("a text of \(request.text.count) characters, at most \(Self.longest)")]
    }
    guard let sound = flite.say(request.text, as: request.voice?.name) else {
      let names = flite.names.joined(separator: ", ")
      return [failure("there is no voice \"\(request.voice?.name ?? "")\"; there are \(names)")]
    }
    let format = Format(rate: sound.rate)
    var answers = [WyomingEvent.bytes("audio-start", format)]
    var rest = sound.samples[...]
    while !rest.isEmpty {
      let bytes = rest.prefix(Self.chunk).flatMap { sample in
        [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
      }
      answers.append(WyomingEvent.bytes("audio-chunk", format, payload: bytes))
      rest = rest.dropFirst(Self.chunk)
    }
    answers.append(WyomingEvent.bytes("audio-stop", [String: Int]()))
    return answers
  }

  private struct Format: Encodable {
    let rate: Int
    var width = 2
    var channels = 1
  }

  private struct Failure: Encodable { let text: String }
  private func failure(_ text: String) -> [UInt8] {
    WyomingEvent.bytes("error", Failure(text: text))
  }

  private struct Info: Encodable {
    struct Attribution: Encodable {
      let name = "Carnegie Mellon University"
      let url = "http://www.festvox.org/flite"
    }
    struct Voice: Encodable {
      let name: String
      let version: String
      let languages = ["en"]
      let installed = true
      let attribution = Attribution()
      let description: String
    }
    struct Program: Encodable {
      let name = "flite"
      let version: String
      let installed = true
      let attribution = Attribution()
      let description = "flite, by cuecoach-voice-flite"
      let voices: [Voice]
    }
    let tts: [Program]
  }

  private var info: Info {
    let voices = flite.names.map {
      Info.Voice(name: $0, version: Flite.version, description: "\($0), English")
    }
    return Info(tts: [Info.Program(version: Flite.version, voices: voices)])
  }
}
