/// Why a text could not be spoken.
public struct SpeechError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of problem, one for each remedy.
  public enum Kind: String, Hashable, Sendable {
    /// No speech engine, or its data is missing.
    case unavailable
    /// There is no voice of that name, or its data is missing.
    case unknownVoice
    /// The voice exists and has no such variant.
    case unknownVariant
    /// Too long, or nothing to say.
    case text
    /// The words have another rate than the engine's sounds, and nothing has converted them.
    case sampleRate
    /// Anything else; `detail` says what.
    case failed
  }

  /// What a person can do about it.
  public let kind: Kind
  /// What is wrong, in English, for a person.
  public let detail: String

  /// The arguments are taken as they are.
  public init(kind: Kind, detail: String) {
    self.kind = kind
    self.detail = detail
  }

  /// The detail.
  public var description: String { detail }
}

/// Something that turns text into sound.
public protocol SpeechSynthesizer: Sendable {
  /// Speaks `text` with `voice` and ignores the voice's gain. Blocks while it renders; any thread. The clip has
  /// the synthesizer's own rate and begins and ends with whatever silence the voice adds.
  func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip

  /// Words a minute: no faster voice is asked for. 450 unless the synthesizer says something else.
  func fastestRate(of voice: SpeechVoice) -> Int
}

extension SpeechSynthesizer {
  public func fastestRate(of voice: SpeechVoice) -> Int { 450 }
}

/// Something that changes a clip's rate.
public protocol SampleRateConverter: Sendable {
  /// The same sound at `rate`, its onset where it was. Blocks; any thread.
  func convert(_ clip: PCMClip, to rate: Int) -> PCMClip
}
