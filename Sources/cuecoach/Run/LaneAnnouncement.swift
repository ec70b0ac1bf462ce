import CoachHost
import CueEngine
import CueSound
import InstalledFiles

extension Installation {
  /// How a lane is announced, and its sounds.
  func announcement(
    of lane: HostLane, warn: (String) -> Void
  ) throws(InstallationError) -> (LaneStyle, SoundPack) {
    let (workout, style) = (lane.timeline.workout, lane.identity.request.style)
    return lane.resumed == nil
      ? try announcement(of: workout, style, warn: warn)
      : try restoredAnnouncement(of: workout, style, session: lane.name, warn: warn)
  }
}
