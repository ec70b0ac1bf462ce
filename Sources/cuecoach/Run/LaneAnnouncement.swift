import CoachHost
import CueEngine
import InstalledFiles
import IntervalTimeline

extension OpenedWorkout {
  /// Sets how it is announced, and its sounds, from what is installed.
  mutating func announce(
    by installed: Installation, report: (Sentence) -> Void
  ) throws(InstallationError) {
    let (workout, asked) = (timeline.workout, identity.order.style)
    (style, sounds) =
      resumed == nil
      ? try installed.announcement(workout, asked, report: report)
      : try installed.restoredAnnouncement(of: workout, asked, session: name, report: report)
    installed.applyAthlete(of: name, to: &style)
  }
}
