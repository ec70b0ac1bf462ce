import IntervalTimeline

/// A user's settings for every run.
package struct Configuration: Hashable, Sendable {
  /// The default ALSA device.
  package var device: String?
  /// Settings by ALSA device, or by card, such as `CARD=Headphones`.
  package var outputs: [String: OutputSettings]
  /// The line of each key in its file, from 1.
  package var outputLines: [String: Int] = [:]
  /// The default voice; a workout's style overrides it.
  package var speech: VoiceSettings
  /// A program that speaks instead of the usual synthesizer; nil: none.
  package var speechServer: SpeechServer?
  /// Voices that the page offers for a start; none: no choice.
  package var offeredVoices: [String] = []
  /// The line of each in its file, from 1.
  package var offeredLines: [String: Int] = [:]
  /// A catalogue's language.
  package var language: String?
  /// The name of a sound pack.
  package var sounds: String?
  /// How much is said; nil: `normal`.
  package var density: Density?
  /// Length of the countdown to a boundary, in seconds; nil: 3.
  package var countdown: Int?
  /// Replaces wordings of the catalogue of `language`.
  package var phrases: [PhraseKey: Phrase] = [:]
  /// The commands that are confirmed aloud; nil: all.
  package var acknowledge: Set<Acknowledgement>?
  /// The athletes by the names of their lanes, and `default` for all others.
  package var athletes: [String: Athlete] = [:]
  /// Whether presets can be made and changed on the page.
  package var isPageEditable = true
  /// The devices between which the page chooses; none: no choice.
  package var pageOutputs: [String] = []
  /// What becomes of interrupted sessions, and when the machine sleeps.
  package var sessions = SessionSettings()

  /// A configuration that leaves everything to the program unless it is given. The arguments are taken as
  /// they are.
  package init(
    device: String? = nil, outputs: [String: OutputSettings] = [:],
    speech: VoiceSettings = VoiceSettings(), language: String? = nil, sounds: String? = nil,
    density: Density? = nil, acknowledge: Set<Acknowledgement>? = nil
  ) {
    self.device = device
    self.outputs = outputs
    self.speech = speech
    self.language = language
    self.sounds = sounds
    self.density = density
    self.acknowledge = acknowledge
  }

  /// What the names of the voices of `speechServer` begin with, before a colon.
  package static let speechServerName = "wyoming"
  /// The same of the voices of flite, and of recorded ones.
  package static let (fliteName, packName) = ("flite", "pack")
  package static let engineNames: Set = [speechServerName, fliteName, packName]

  /// The name in `athletes` of the athlete who has no other one.
  package static let defaultAthlete = "default"

  /// The athlete of a lane, or of a workout without a lane of its own: what is not known of him is that of `default`.
  package func athlete(of lane: String? = nil) -> Athlete {
    let usual = athletes[Self.defaultAthlete] ?? Athlete()
    return lane.flatMap { athletes[$0] }?.or(usual) ?? usual
  }
}

/// A server of the Wyoming protocol, whose voices speak instead of the usual synthesizer's.
package struct SpeechServer: Hashable, Sendable {
  /// Where it is.
  package enum Place: Hashable, Sendable {
    /// A program to be started, and its arguments.
    case command([String])
    /// The path of a Unix socket.
    case socket(String)
  }

  /// Where it is.
  package var place: Place
  /// What its voices speak, such as "en"; nil: whatever they are asked for.
  package var languages: [String]?
  /// The most bytes of its words that are kept on the disk.
  package var cacheSize: Int

  /// Without more: any language, 64 MiB.
  package init(_ place: Place, languages: [String]? = nil, cacheSize: Int = 64 << 20) {
    (self.place, self.languages, self.cacheSize) = (place, languages, cacheSize)
  }
}

/// What to do with interrupted sessions, and when the machine sleeps.
package struct SessionSettings: Hashable, Sendable {
  /// Nil leaves it to the situation.
  package var resume: ResumePolicy?
  /// Sessions that were stored longer ago are not resumed; 12 h by default.
  package var maximumAge = Duration.seconds(12 * 3600)
  /// Whether a sleep of the machine pauses running workouts where it began.
  package var pausesForSleep = true
  /// Whether a workout keeps the machine awake.
  package var inhibitsSleep = true

  /// The settings without a configuration: 12 hours, paused for a sleep, kept awake.
  package init() {}
}

/// A user's settings for one device or card; nil means not set.
package struct OutputSettings: Hashable, Sendable {
  /// What the device plays while nothing is to be heard, as in `config.yaml`.
  package enum KeepAlive: String, CaseIterable, Hashable, Sendable {
    /// It is closed in a pause.
    case off
    /// It plays digital silence.
    case silence
    /// It plays inaudible noise.
    case dither
  }

  /// How much earlier every sound is played, −500…1000 ms.
  package var latency: Duration?
  /// What the device plays in a pause and between the cues.
  package var keepAlive: KeepAlive?
  /// How long the device plays before the first cue, 0…30 s.
  package var warmUp: Duration?
  /// The highest volume that may be requested, 0…100.
  package var volume: Int?

  /// Milliseconds.
  package static let latencies = -500...1000
  /// Seconds.
  package static let warmUps = 0...30
  package static let volumes = 0...100

  /// The arguments are taken as they are; `ConfigurationFile` checks those of a file.
  package init(
    latency: Duration? = nil, keepAlive: KeepAlive? = nil, warmUp: Duration? = nil,
    volume: Int? = nil
  ) {
    self.latency = latency
    self.keepAlive = keepAlive
    self.warmUp = warmUp
    self.volume = volume
  }
}
