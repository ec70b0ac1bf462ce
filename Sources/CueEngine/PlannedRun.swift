import CueSound
import IntervalTimeline
import Synchronization

/// A whole workout laid out without its sound: what a run without commands says, by the same coach on a
/// clock of its own.
package final class PlannedRun {
  private var coach: Coach
  private let link = MixerLink()
  private let written: WrittenCues
  private let interval: Duration
  private let openLength: Duration
  private var now = BootInstant(nanoseconds: 0)

  /// Protects what the coach has written since the last step.
  private final class WrittenCues: Sendable {
    let cues = Mutex<[LedgerEvent.CueEntry]>([])
  }

  /// - Parameter openLength: how long an open phase lasts until the run ends it.
  package init(
    _ timeline: Timeline, sounds: SoundPack, speech: SpeechLibrary?,
    settings: CueEngine.Settings = .init(), style: LaneStyle = LaneStyle(),
    openLength: Duration = .seconds(5)
  ) {
    let written = WrittenCues()
    self.written = written
    self.openLength = openLength
    interval = settings.checkInterval
    coach = Coach(
      link: link, sounds: sounds, speech: speech, settings: settings,
      write: { event in
        if case .cue(let cue) = event { written.cues.withLock { $0.append(cue) } }
      }, emit: { _ in })
    coach.start(timeline, style: style, at: now)
  }

  /// The cues of the next half second, each with what is decided of it; instants count from the
  /// start. Nil after the last.
  package func next() -> [LedgerEvent.CueEntry]? {
    guard coach.isRunning else { return nil }
    coach.endOpenPhase(after: openLength, at: now)
    hear()
    // Nothing happens before the next event, except that an open phase has to be ended.
    var ahead = BootInstant.never
    if let lane = coach.lanes.ids.first {
      let session = coach.lanes[lane].session
      let isOpen = session.transport.position(at: now).phaseLeft == nil
      ahead = isOpen ? now : session.nextEvent
    }
    let steps = max(1, now.duration(to: min(ahead, now + .seconds(3600))) / interval)
    now = now + interval * Int(steps.rounded(.up))
    coach.check(at: now)
    hear()
    coach.collectReports()
    return written.cues.withLock { cues in
      defer { cues = [] }
      return cues
    }
  }

  /// Everything that was handed off is heard when it is due.
  private func hear() {
    while let command = link.commands.pop() {
      guard case .play(let voice) = command else { continue }
      _ = link.reports.push(.onset(voice.id, at: voice.due))
      _ = link.reports.push(.ended(voice.id))
    }
  }
}
