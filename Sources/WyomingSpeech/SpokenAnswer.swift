import CueSound
import WyomingProtocol

/// What a server sends for one text and for a `describe` behind it, the sound mixed down to one channel as it comes.
///
/// Events name no text. Asked for both at once, a server that answers in order describes itself after the sound. One that
/// does so before it may send the sound of a text when another is asked for; and a second answer before the description
/// says that the first may be another text's.
package struct SpokenAnswer: Sendable {
  /// Samples a second.
  package static let rates = 8_000...48_000

  private struct Format: Decodable, Hashable, Sendable {
    let rate: Int
    let width: Int
    let channels: Int
  }
  private struct Failure: Decodable { let text: String? }

  private var format: Format?
  private var samples: [Int16] = []
  /// The bytes of a frame that has not come whole.
  private var rest: [UInt8] = []
  private var isChunk = false
  /// Whether the text has been answered.
  package private(set) var isWhole = false
  /// Whether the server has described itself behind that.
  package private(set) var isConfirmed = false
  /// Why the server does not say this text, in an answer that is whole: it may say the next one.
  package private(set) var refusal: WyomingFault?

  package init() {}

  /// Takes the next item of the stream.
  ///
  /// - Throws: what makes the answer useless; the stream may go on with anything.
  package mutating func take(_ item: WyomingReader.Item) throws(WyomingFault) {
    switch item {
    case .payload(let bytes): if isChunk { try add(bytes) }
    case .event(let event):
      isChunk = false
      guard !isWhole else {
        isConfirmed = event.type == "info"
        if !isConfirmed { try WyomingStream.expectNoAnswer(item) }
        return
      }
      switch event.type {
      case "audio-start":
        guard format == nil else { throw WyomingFault("a sound that begins twice") }
        try begin(event)
      case "audio-chunk":
        try begin(event)
        isChunk = true
      case "audio-stop":
        guard format != nil else { throw WyomingFault("an end without a beginning") }
        isWhole = true
      case "error":
        let text = event.data(Failure.self)?.text ?? ""
        refusal = WyomingFault(
          text.isEmpty ? "the server reports an error" : "the server says: \(text)")
        isWhole = true
      case "info": throw WyomingFault("it answers out of turn, expected the sound first")
      // Servers may send more than is known here.
      default: break
      }
    }
  }

  private mutating func begin(_ event: WyomingEvent) throws(WyomingFault) {
    guard let found = event.data(Format.self) else {
      throw WyomingFault("an event \"\(event.type)\" without rate, width and channels")
    }
    guard Self.rates.contains(found.rate), found.width == 2, (1...2).contains(found.channels) else {
      throw WyomingFault(
        "\(found.channels) channels of \(found.width) bytes at \(found.rate) samples a second, "
          + "expected 1 or 2 of 2 bytes at 8000 to 48000")
    }
    guard format == nil || format == found else {
      throw WyomingFault("a sound that changes its rate or its channels")
    }
    format = found
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) throws(WyomingFault) {
    guard let format else { return }
    let frame = 2 * format.channels
    guard samples.count + (rest.count + bytes.count) / frame <= SpeechVoice.maxSeconds * format.rate
    else {
      throw WyomingFault("a sound of more than \(SpeechVoice.maxSeconds) seconds")
    }
    let all = rest + bytes
    let whole = all.count - all.count % frame
    samples.reserveCapacity(samples.count + whole / frame)
    for start in stride(from: 0, to: whole, by: frame) {
      var sum = 0
      for channel in 0..<format.channels {
        let low = start + 2 * channel
        sum += Int(Int16(bitPattern: UInt16(all[low]) | UInt16(all[low + 1]) << 8))
      }
      samples.append(Int16(sum / format.channels))
    }
    rest = Array(all[whole...])
  }

  /// The sound so far; nil where it has not begun.
  package var clip: PCMClip? { format.map { PCMClip(rate: $0.rate, samples: samples) } }
}
