/// What somebody asks for who starts a workout: sent to a coach, and kept with the session, so that a resumed one sounds
/// as before.
public struct StartOrder: Hashable, Codable, Sendable {
  /// The name of a preset, or the path of its file: an absolute one where it is kept with a session.
  public var preset: String?
  /// The text of a preset, in place of `preset`.
  public var workout: String?
  /// The numbers of one, in place of both.
  package var quick: QuickTimer?
  /// The lane's name; nil: the workout's.
  public var lane: String?
  /// Overrides the style of the workout and of the configuration. A sound pack given as a folder
  /// has an absolute path. Its phrases, and densities and countdowns of single kinds of phase, are kept with a session
  /// and cannot be sent to a coach.
  public var style: AnnouncementStyle {
    get { sharedStyle.value }
    set { sharedStyle = Shared(newValue) }
  }
  private var sharedStyle: Shared<AnnouncementStyle>
  /// When workout time zero is, a week ahead at most; nil: at once.
  public var at: BootInstant?
  /// From what its surprises are drawn, 0 or more; nil: the preset's own seed, or the day's.
  public var seed: Int64?
  /// The station at which it begins, 1 to 1000; nil: the first.
  public var group: Int?
  /// In whose numbers its intensities are; what is nil is as the coach's configuration has it.
  public var athlete = Athlete()

  private enum CodingKeys: String, CodingKey {
    case preset, workout, quick, lane
    case sharedStyle = "style"
    case at, seed, group, athlete
  }

  /// The arguments are taken as they are. Without any: a workout without a file, in its own style.
  public init(
    preset: String? = nil, workout: String? = nil, lane: String? = nil,
    style: AnnouncementStyle = AnnouncementStyle(), at: BootInstant? = nil, seed: Int64? = nil,
    group: Int? = nil
  ) {
    self.preset = preset
    self.workout = workout
    self.lane = lane
    sharedStyle = Shared(style)
    self.at = at
    self.seed = seed
    self.group = group
  }

  /// This order, with the preset, the lane and the style of `earlier` where it has none.
  package func or(_ earlier: StartOrder) -> StartOrder {
    StartOrder(
      preset: preset ?? earlier.preset, lane: lane ?? earlier.lane, style: style.or(earlier.style))
  }
}

extension AnnouncementStyle {
  /// This style, with the values of `other` where it has none.
  package func or(_ other: AnnouncementStyle) -> AnnouncementStyle {
    var style = AnnouncementStyle(
      language: language ?? other.language, voice: voice.or(other.voice),
      sounds: sounds ?? other.sounds, density: density ?? other.density,
      densities: densities.merging(other.densities) { own, _ in own },
      countdown: countdown ?? other.countdown,
      phrases: phrases.merging(other.phrases) { own, _ in own })
    // Who asks for one countdown means that of every phase.
    style.countdowns = countdown == nil ? countdowns ?? other.countdowns : countdowns
    style.acknowledge = acknowledge ?? other.acknowledge
    return style
  }
}
