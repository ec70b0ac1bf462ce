import CueSound
import IntervalTimeline
import Phrases

/// How a lane is announced.
///
/// It is all that counts: an engine reads nothing of `Workout.style`, which is what a preset's file asks for. To
/// follow that, make a style of it, as the product `InstalledFiles` does, which also loads the catalogue and the
/// voice that it names.
public struct LaneStyle: Hashable, Sendable {
  /// Who speaks in the lane, how fast, how high and how loud.
  public var voice: SpeechVoice
  /// What is said in the lane, in one language, and the texts of its display.
  public var phrases: PhraseCatalogue {
    get { sharedPhrases.value }
    set { sharedPhrases = Shared(newValue) }
  }
  private(set) var sharedPhrases: Shared<PhraseCatalogue>
  /// How much is said in phases of a kind that `densities` does not have. It replaces that of
  /// `CueEngine.Settings.plan`, also where it is not given: `normal`.
  public var density: Density
  /// What some kinds of phase have instead.
  public var densities: [PhaseKind: Density]
  /// How many seconds are counted down to a boundary, 0…60; nil: as `CueEngine.Settings.plan` has it, which is 3.
  public var countdown: Int?
  /// What some kinds of phase have instead; none by default.
  public var countdowns: [PhaseKind: Int] = [:]
  /// The heart rate, in beats a minute, from which on an alarm is heard; nil: there is none.
  public var heartRateAlarm: Int?
  /// Whether the session's record has how the readings of each phase stood to its target; false by default.
  public var keepsReadings = false
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
    sharedPhrases = Shared(phrases)
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
    plan.countdowns = countdowns
    return plan
  }
}
