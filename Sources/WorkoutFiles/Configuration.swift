import IntervalTimeline

/// What a person has set for every run.
public struct Configuration: Hashable, Sendable {
  /// The ALSA device to play on where the command names none.
  public var device: String?
  /// By ALSA device, or by card as `CARD=Headphones`.
  public var outputs: [String: OutputSettings]
  /// The line of each of them in its file, from 1.
  public var outputLines: [String: Int] = [:]
  /// What a workout's own wishes come before.
  public var speech: VoiceWish
  /// A catalogue's language.
  public var language: String?
  /// The name of a sound pack.
  public var sounds: String?
  public var density: Density?
  /// How many seconds are counted down to a boundary.
  public var countdown: Int?
  /// What is said in `language` instead of the catalogue's wordings.
  public var phrases: [PhraseKey: Phrase] = [:]
  /// The commands that are acknowledged; nil: as the program has it.
  public var acknowledge: Set<Acknowledgement>?
  public var sessions = SessionSettings()

  public init(
    device: String? = nil, outputs: [String: OutputSettings] = [:],
    speech: VoiceWish = VoiceWish(), language: String? = nil, sounds: String? = nil,
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
}

/// What becomes of sessions whose program has ended, or whose machine has slept.
public struct SessionSettings: Hashable, Sendable {
  /// Nil: as the situation has it.
  public var resume: ResumePolicy?
  /// Older ones are not resumed.
  public var greatestAge = Duration.seconds(12 * 3600)
  /// Whether a sleep of the machine pauses what runs, where it began.
  public var pausesForSleep = true

  public init() {}
}

/// What a person has set for one device or card; nil: nothing.
public struct OutputSettings: Hashable, Sendable {
  public enum KeepAlive: String, CaseIterable, Hashable, Sendable {
    case off, silence, dither
  }

  /// How much earlier every sound is played.
  public var latency: Duration?
  public var keepAlive: KeepAlive?
  /// How long the device plays before the first cue.
  public var warmUp: Duration?
  /// The highest volume that may be asked for.
  public var volume: Int?

  /// Milliseconds.
  public static let latencies = -500...1000
  /// Seconds.
  public static let warmUps = 0...30
  public static let volumes = 0...100

  public init(
    latency: Duration? = nil, keepAlive: KeepAlive? = nil, warmUp: Duration? = nil,
    volume: Int? = nil
  ) {
    self.latency = latency
    self.keepAlive = keepAlive
    self.warmUp = warmUp
    self.volume = volume
  }
}
