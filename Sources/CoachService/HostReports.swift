import CoachHost
import ControlProtocol
import CueEngine
import IntervalTimeline

/// Turns what a host reports into events. On the handler's queue.
struct HostReports: Sendable {
  let configuration: ControlHandler.Configuration
  let feed: ControlFeed
  let lanes: QueueConfined<LaneRegistry>

  func note(_ event: HostEvent) {
    switch event {
    case .leftOut(let message): if !message.isTried { feed.warn(Sentence(verbatim: message.line)) }
    // It comes as a sentence: `CoachHost.subscribeToWarnings`.
    case .warning: break
    case .engine(let event): if !event.isOfTrial { note(event) }
    }
    updateDevice()
  }

  private func note(_ event: EngineEvent) {
    switch event {
    case .added(let status):
      // For the surfaces the one that had the name before, and still fades, has ended.
      if let old = lanes.value.add(status) { publishEnd(of: old) }
      publishLane(status)
    case .restored(let status, _), .phaseBegan(let status), .finished(let status),
      .targetChanged(let status),
      .signalled(_, let status):
      publishLane(status)
    case .obeyed(let command, let status):
      if command.changesALane { publishLane(status) }
    case .ended(let status, _):
      if lanes.value.remove(status) { publishEnd(of: status) }
    case .deviceLost(let error):
      feed.note(lost: "\(error.kind)")
      updateDevice()
      feed.warn(Sentence(verbatim: configuration.advice(.deviceLost(error))))
    case .deviceRecovered:
      feed.note(lost: nil)
      updateDevice()
      feed.warn(Sentence(stringLiteral: PhraseCatalogue.english.screen(.soundBack)))
    case .slept(let time):
      // A service has no keys.
      feed.warn(
        """
        this machine slept for \(time.passedText): paused where the sleep began; \
        cuecoach ctl resume continues
        """)
    case .stalled(let time):
      feed.warn(
        "this machine was too busy for \(time.passedText): cues may be missing, and the timer kept running"
      )
    case .speechFailed(let error): feed.warn(Sentence(verbatim: error.detail.singleLine))
    case .xrun: configuration.log(configuration.advice(.xrun))
    case .notRealtime: configuration.log(configuration.advice(.notRealtime))
    case .asked, .volumeChanged, .omitted: break
    }
  }

  /// Words that will be heard, or will not.
  func note(_ words: SpokenText) {
    configuration.publishSpeech(
      SpeechEvent(
        revision: feed.revision, at: configuration.clock().nanoseconds,
        lanes: words.isTried ? [] : words.lanes, text: words.text.singleLine,
        from: words.from.nanoseconds,
        until: words.until.nanoseconds, isWithdrawn: words.isWithdrawn))
  }

  private func publishLane(_ status: LaneStatus) {
    guard lanes.value.note(status) else { return }
    feed.publish(.lane) { $0.lane = status.shown(at: BootInstant(nanoseconds: $0.at)) }
  }

  private func publishEnd(of status: LaneStatus) {
    feed.publish(.ended) { $0.lane = status.workoutStatus.bounded }
  }

  private func updateDevice() { feed.updateDevice(isNeeded: lanes.value.needsDevice) }
}

extension EngineEvent {
  /// Of a lane that surfaces do not see.
  fileprivate var isOfTrial: Bool {
    switch self {
    case .added(let status), .phaseBegan(let status), .obeyed(_, let status),
      .ended(let status, _):
      status.isTried
    default: false
    }
  }
}
