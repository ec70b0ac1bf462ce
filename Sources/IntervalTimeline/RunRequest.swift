/// How a run was requested: what its holder chose besides what the workout itself says. It is kept
/// with the session, so that a resumed session sounds as it did.
public struct RunRequest: Hashable, Codable, Sendable {
  public static let currentVersion = 1

  /// Raised when the meaning of a field changes.
  public var version = RunRequest.currentVersion
  /// The absolute path of the workout's file; nil for a workout without one.
  public var preset: String?
  /// Goes before the style of the workout and of the configuration. A sound pack that is a folder has
  /// an absolute path.
  public var style: AnnouncementStyle

  public init(preset: String? = nil, style: AnnouncementStyle = AnnouncementStyle()) {
    self.preset = preset
    self.style = style
  }

  /// This request, and `earlier` where it chooses nothing.
  public func or(_ earlier: RunRequest) -> RunRequest {
    RunRequest(preset: preset ?? earlier.preset, style: style.or(earlier.style))
  }
}

extension AnnouncementStyle {
  /// This style, and `other` where it has nothing.
  public func or(_ other: AnnouncementStyle) -> AnnouncementStyle {
    var style = AnnouncementStyle(
      language: language ?? other.language, voice: voice.or(other.voice),
      sounds: sounds ?? other.sounds, density: density ?? other.density,
      densities: densities.merging(other.densities) { own, _ in own },
      countdown: countdown ?? other.countdown,
      phrases: phrases.merging(other.phrases) { own, _ in own })
    style.acknowledge = acknowledge ?? other.acknowledge
    return style
  }
}
