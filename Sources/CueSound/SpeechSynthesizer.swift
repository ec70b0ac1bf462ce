/// Why a text could not be spoken.
public struct SpeechError: Error, Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable {
    /// No speech engine, or its data is missing.
    case unavailable
    case unknownVoice
    /// The voice exists and has no such variant.
    case unknownVariant
    /// Too long, or nothing to say.
    case text
    case failed
  }

  public let kind: Kind
  public let detail: String

  public init(kind: Kind, detail: String) {
    self.kind = kind
    self.detail = detail
  }
}

/// Something that turns text into sound.
public protocol SpeechSynthesizer: Sendable {
  /// Speaks `text` with `voice` and ignores the voice's gain. Blocks while it renders; any thread. The clip has the synthesizer's own rate and begins
  /// and ends with whatever silence the voice adds.
  func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip
}

/// Something that changes a clip's rate.
public protocol SampleRateConverter: Sendable {
  /// The same sound at `rate`, its onset where it was. Blocks; any thread.
  func convert(_ clip: PCMClip, to rate: Int) -> PCMClip
}
