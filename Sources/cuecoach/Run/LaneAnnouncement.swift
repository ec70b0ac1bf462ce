import CoachHost
import CueEngine
import InstalledFiles

extension OpenedWorkout {
  /// Sets how it is announced, and its sounds, from what is installed.
  mutating func announce(
    by installed: Installation, warn: (String) -> Void
  ) throws(InstallationError) {
    let (workout, asked) = (timeline.workout, identity.order.style)
    (style, sounds) =
      resumed == nil
      ? try installed.announcement(of: workout, asked, warn: warn)
      : try installed.restoredAnnouncement(of: workout, asked, session: name, warn: warn)
    installed.applyAthlete(of: name, to: &style)
  }
}
