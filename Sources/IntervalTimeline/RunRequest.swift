/// How a run was requested: the choices of the caller beyond the workout itself. Stored with the
/// session, so that a resumed session sounds as before.
public struct RunRequest: Hashable, Codable, Sendable {
  /// The version that this library stores: 1.
  public static let currentVersion = 1

  /// Raised when the meaning of a field changes.
  public var version = RunRequest.currentVersion
  /// The absolute path of the workout's file; nil if it has none.
  public var preset: String?
  /// Overrides the style of the workout and of the configuration. A sound pack given as a folder
  /// has an absolute path.
  public var style: AnnouncementStyle {
    get { sharedStyle.value }
    set { sharedStyle = Shared(newValue) }
  }
  private var sharedStyle: Shared<AnnouncementStyle>

  private enum CodingKeys: String, CodingKey {
    case version, preset
    case sharedStyle = "style"
  }

  /// A request of the current version. Without arguments: a workout without a file, in its own style.
  public init(preset: String? = nil, style: AnnouncementStyle = AnnouncementStyle()) {
    self.preset = preset
    sharedStyle = Shared(style)
  }

  /// This request, with the values of `earlier` where it has none.
  package func or(_ earlier: RunRequest) -> RunRequest {
    RunRequest(preset: preset ?? earlier.preset, style: style.or(earlier.style))
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
