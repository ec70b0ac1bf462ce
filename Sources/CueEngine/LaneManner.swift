import CueSound
import IntervalTimeline

/// How a lane is announced.
public struct LaneManner: Hashable, Sendable {
  public var voice: SpeechVoice
  public var phrases: PhraseCatalogue
  public var density: Density
  /// What some kinds of phase have instead.
  public var densities: [PhaseKind: Density]
  /// The commands that are answered aloud.
  public var acknowledged: Set<Acknowledgement>

  public init(
    voice: SpeechVoice = SpeechVoice(), phrases: PhraseCatalogue = .english,
    density: Density = .normal, densities: [PhaseKind: Density] = [:],
    acknowledged: Set<Acknowledgement> = []
  ) {
    self.voice = voice
    self.phrases = phrases
    self.density = density
    self.densities = densities
    self.acknowledged = acknowledged
  }
}
