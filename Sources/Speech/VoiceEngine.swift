import CueSound

/// A synthesizer beside a library's own, which may be slow or fail.
public struct VoiceEngine: Sendable {
  /// What its voices' names begin with, before a colon: "flite" of "flite:slt".
  public let name: String
  /// Asked for each text once, on a queue of its own.
  public let synthesizer: any SpeechSynthesizer
  /// What earlier runs have rendered; another file than that of any other synthesizer.
  public let cache: (any SpeechCache)?
  /// The gain of a clip, linear; nil: that of the library's own voices.
  package var level: (@Sendable (PCMClip) -> Float)?
  /// Gets a line, once a voice, where a number cannot be said, so that each count with it is another voice's; called on the
  /// engine's queue. Nil: nobody.
  package var report: (@Sendable (String) -> Void)?

  /// Takes the arguments as they are.
  public init(_ name: String, _ synthesizer: any SpeechSynthesizer, cache: (any SpeechCache)? = nil)
  {
    (self.name, self.synthesizer, self.cache) = (name, synthesizer, cache)
  }
}
