/// How a text is to be spoken.
public struct SpeechVoice: Hashable, Sendable {
  /// As the synthesizer names voices; nil: its default.
  public var name: String?
  /// As the synthesizer names variants of a voice; nil: the voice as it is.
  public var variant: String?
  /// The voice of the library's own synthesizer that speaks where this one does not: only for a voice of an engine. Nil:
  /// the synthesizer's default.
  public var standIn: String?
  /// Words a minute, 80…450.
  public var rate: Int
  /// 0…99, 50 is the voice's own.
  public var pitch: Int
  /// Linear, 0…1: of the loudness that sounds have.
  public var gain: Float
  /// Its words say what a sensor has measured: they are kept on no disk.
  package var isPassing = false
  /// Why another voice, which had been chosen, does not speak.
  package var refusal: String?

  /// Without arguments: the synthesizer's default voice, at 175 words a minute and full loudness. The
  /// arguments are taken as they are; a synthesizer uses the nearest values it has.
  public init(
    name: String? = nil, variant: String? = nil, standIn: String? = nil, rate: Int = 175,
    pitch: Int = 50, gain: Float = 1
  ) {
    self.name = name
    self.standIn = standIn
    self.variant = variant
    self.rate = rate
    self.pitch = pitch
    self.gain = gain
  }
}

extension SpeechVoice {
  /// The longest sound of a text, in seconds.
  package static let maxSeconds = 15

  /// The name of the engine whose voice it is, "flite" of "flite:slt"; nil for a voice of a library's own synthesizer.
  package var engine: String? { parts?.engine }

  /// Its name as it is chosen: "en-us+f5" with a variant, which of a voice of an engine is that of its stand-in.
  package var chosenName: String? {
    guard engine == nil, let name, let variant else { return name }
    return "\(name)+\(variant)"
  }

  /// The same as the engine itself names it.
  package var withinEngine: SpeechVoice {
    var voice = self
    voice.name = parts.flatMap { $0.name.isEmpty ? nil : $0.name }
    voice.standIn = nil
    return voice
  }

  private var parts: (engine: String, name: String)? {
    // By bytes: characters take ten times as long, and each number of a count asks.
    guard let name, let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    return (String(name[..<colon]), String(name[name.index(after: colon)...]))
  }

  /// The voice that speaks where this one does not.
  package var ofStandIn: SpeechVoice {
    guard engine != nil else { return self }
    var voice = self
    (voice.name, voice.standIn) = (standIn, nil)
    return voice
  }
}
