/// How a workout asks to be announced. Nil or absent values leave the choice to the run.
///
/// It is what a preset's file holds. An engine reads nothing of it: a lane is announced by its `LaneStyle`, of the
/// product `CueEngine`, which the product `InstalledFiles` makes from this.
public struct AnnouncementStyle: Hashable, Codable, Sendable {
  /// A catalogue's language.
  public var language: String?
  /// The voice for all of its texts.
  public var voice: VoiceSettings
  /// The name of a sound pack.
  public var sounds: String?
  /// How much is said; nil: as the run has it.
  public var density: Density?
  /// Overrides `density` for some kinds of phase.
  public var densities: [PhaseKind: Density]
  /// Length of the countdown to a boundary, in seconds: 0…10 in a file; 0: only the boundary.
  public var countdown: Int?
  /// Overrides `countdown` for some kinds of phase; nil: for none.
  public var countdowns: [PhaseKind: Int]?
  /// The commands that are confirmed aloud.
  public var acknowledge: Set<Acknowledgement>?
  /// Replaces the catalogue's wordings. A phrase without wordings is not said.
  public var phrases: [PhraseKey: Phrase]

  package static let countdownRange = 0...10

  /// What is not given is left to the run, and so is `acknowledge`. The arguments are taken as they are.
  public init(
    language: String? = nil, voice: VoiceSettings = VoiceSettings(), sounds: String? = nil,
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

/// The requested properties of a voice; nil leaves the voice's default.
public struct VoiceSettings: Hashable, Codable, Sendable {
  /// The speech adapter's name of the voice.
  public var name: String?
  /// The speech adapter's name of the voice's variant.
  public var variant: String?
  /// Words a minute, 80…450.
  public var rate: Int?
  /// 0…99; 50 is the voice's default.
  public var pitch: Int?
  /// 0…100; 100 is as loud as the sounds.
  public var volume: Int?

  package static let rates = 80...450
  package static let pitches = 0...99
  package static let volumes = 0...100

  /// Without arguments everything is left to the voice. The arguments are taken as they are.
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

  /// These values, and those of `others` where they are nil.
  package func or(_ others: VoiceSettings) -> VoiceSettings {
    VoiceSettings(
      name: name ?? others.name, variant: variant ?? others.variant, rate: rate ?? others.rate,
      pitch: pitch ?? others.pitch, volume: volume ?? others.volume)
  }
}

/// A text of the workout itself, spoken at a given time of a phase.
public struct Remark: Hashable, Codable, Sendable {
  /// An instant of a phase, measured from one of its ends.
  ///
  /// The text begins there, to the sample, where its words have room: from 0.1 s after other words to 0.1 s before
  /// others, of any lane, and over before the phase ends. Otherwise it begins as little earlier as that needs, up to
  /// 2 s but not before its phase, else as little later, up to 4 s. So a text of 1.3 s whose place is one second
  /// before the words of a count is said 0.4 s before its place. A shorter wording is tried after that, then the
  /// shortest up to a quarter faster; what finds no room is left out. The ledger has the instants: `due` is the
  /// place that it found.
  public enum Place: Hashable, Codable, Sendable {
    /// This long after the phase begins; zero or more, which `Timeline` checks.
    case fromStart(Duration)
    /// This long before the phase ends; above zero, and only in a phase of fixed length.
    case beforeEnd(Duration)

    var time: Duration {
      switch self {
      case .fromStart(let time), .beforeEnd(let time): time
      }
    }
  }

  /// From the fullest to the shortest, one at least, which `Timeline` checks. One is passed over while a variable
  /// of it has no value, or while there is no room for it.
  public var wordings: [Template]
  /// When its first sample is due, if its words have room there: see `Place`. It is left out of a phase that is
  /// too short for that.
  public var place: Place

  /// A text with one wording.
  public init(_ text: Template, at place: Place) { self.init([text], at: place) }

  /// - Precondition: `wordings` is not empty.
  public init(_ wordings: [Template], at place: Place) {
    guard !wordings.isEmpty else { fatalError("a remark without a wording") }
    self.wordings = wordings
    self.place = place
  }

  /// Texts at regular intervals of a phase: the first after one interval, the last before the end.
  ///
  /// - Parameters:
  ///   - interval: 1 s at least; a shorter one gives no texts.
  ///   - text: with a live value, as it is at each of them.
  ///   - length: of the phase; of an open one the longest.
  public static func every(
    _ interval: Duration, _ text: Template, in length: Duration
  ) -> [Remark] {
    guard interval >= .seconds(1) else { return [] }
    return sequence(first: interval) { $0 + interval }.prefix { $0 < length }
      .map { Remark(text, at: .fromStart($0)) }
  }

  private enum CodingKeys: CodingKey { case text, shorter, place }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    // Stored by versions with one wording, too.
    wordings =
      [try values.decode(Template.self, forKey: .text)]
      + (try values.decodeIfPresent([Template].self, forKey: .shorter) ?? [])
    place = try values.decode(Place.self, forKey: .place)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    guard let fullest = wordings.first else {
      throw EncodingError.invalidValue(
        self, .init(codingPath: values.codingPath, debugDescription: "a remark without a wording"))
    }
    try values.encode(fullest, forKey: .text)
    if wordings.count > 1 { try values.encode(Array(wordings.dropFirst()), forKey: .shorter) }
    try values.encode(place, forKey: .place)
  }
}
