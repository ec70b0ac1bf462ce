import CueSound
import IntervalTimeline

/// How a lane is announced.
public struct LaneStyle: Hashable, Sendable {
  /// Who speaks in the lane, how fast, how high and how loud.
  public var voice: SpeechVoice
  /// What is said in the lane, in one language, and the texts of its display.
  public var phrases: PhraseCatalogue
  /// How much is said in phases of a kind that `densities` does not have.
  public var density: Density
  /// What some kinds of phase have instead.
  public var densities: [PhaseKind: Density]
  /// How many seconds are counted down to a boundary; nil: as the run's plan has it.
  public var countdown: Int?
  /// The commands that are answered aloud.
  public var acknowledged: Set<Acknowledgement>

  /// Without arguments: the synthesizer's default voice, English, `normal` density, the plan's countdown, and
  /// no command answered aloud. The arguments are taken as they are.
  public init(
    voice: SpeechVoice = SpeechVoice(), phrases: PhraseCatalogue = .english,
    density: Density = .normal, densities: [PhaseKind: Density] = [:],
    countdown: Int? = nil, acknowledged: Set<Acknowledgement> = []
  ) {
    self.voice = voice
    self.phrases = phrases
    self.density = density
    self.densities = densities
    self.countdown = countdown
    self.acknowledged = acknowledged
  }

  /// `plan` as this style has it.
  package func applied(to plan: CuePlan) -> CuePlan {
    var plan = plan
    plan.density = density
    plan.densities = densities
    plan.countdown = countdown ?? plan.countdown
    return plan
  }
}
