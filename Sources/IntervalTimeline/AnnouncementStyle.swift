/// How a workout wants to be announced. Nil and absent: as the run has it.
public struct AnnouncementStyle: Hashable, Codable, Sendable {
  /// A catalogue's language.
  public var language: String?
  public var voice: VoiceWish
  /// The name of a sound pack.
  public var sounds: String?
  public var density: Density?
  /// What some kinds of phase have instead.
  public var densities: [PhaseKind: Density]
  /// How many seconds are counted down to a boundary.
  public var countdown: Int?
  /// The commands that are answered aloud.
  public var acknowledge: Set<Acknowledgement>?
  /// What is said instead of the catalogue's wordings; a phrase without wordings is not said.
  public var phrases: [PhraseKey: Phrase]

  public static let countdowns = 1...10

  public init(
    language: String? = nil, voice: VoiceWish = VoiceWish(), sounds: String? = nil,
    density: Density? = nil, densities: [PhaseKind: Density] = [:],
    countdown: Int? = nil, phrases: [PhraseKey: Phrase] = [:]
  ) {
    self.language = language
    self.voice = voice
    self.sounds = sounds
    self.density = density
    self.densities = densities
    self.countdown = countdown
    self.phrases = phrases
  }
}

/// What a voice should be like; nil: as it is by itself.
public struct VoiceWish: Hashable, Codable, Sendable {
  /// As the speech adapter names voices.
  public var name: String?
  /// As the speech adapter names variants of a voice.
  public var variant: String?
  /// Words a minute.
  public var rate: Int?
  /// 0…99, 50 is the voice's own.
  public var pitch: Int?
  /// 0…100, 100 is as loud as the sounds.
  public var volume: Int?

  public static let rates = 80...450
  public static let pitches = 0...99
  public static let volumes = 0...100

  public init(
    name: String? = nil, variant: String? = nil, rate: Int? = nil, pitch: Int? = nil,
    volume: Int? = nil
  ) {
    self.name = name
    self.variant = variant
    self.rate = rate
    self.pitch = pitch
    self.volume = volume
  }

  /// These wishes, and `others` where there is none.
  public func or(_ others: VoiceWish) -> VoiceWish {
    VoiceWish(
      name: name ?? others.name, variant: variant ?? others.variant, rate: rate ?? others.rate,
      pitch: pitch ?? others.pitch, volume: volume ?? others.volume)
  }
}

/// A text of the workout's own, said at a time of a phase.
public struct Remark: Hashable, Codable, Sendable {
  public enum Place: Hashable, Codable, Sendable {
    /// So long after the phase's start, zero or more.
    case fromStart(Duration)
    /// So long before its end, above zero; only where the phase has a fixed length.
    case beforeEnd(Duration)
  }

  public var text: Template
  public var place: Place

  public init(_ text: Template, at place: Place) {
    self.text = text
    self.place = place
  }
}
