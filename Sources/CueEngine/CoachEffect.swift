import CueSound
import IntervalTimeline

/// An effect of a coach outside itself.
indirect enum CoachEffect {
  /// A line for the ledger.
  case write(LedgerEvent)
  /// An event for the program that runs the coach.
  case emit(EngineEvent)
  /// What became of a message, for its sender.
  case report(MessageReport, @Sendable (MessageReport) -> Void)
  /// Store the lane's session.
  case keep(LaneID, SessionRecord)
  /// Begin to render what a lane will need soon.
  case prefetch([String], SpeechVoice, LaneID)
  /// Find out how long a lane's texts take when nothing else is to be rendered.
  case measure([String], SpeechVoice, LaneID)
  /// Render these texts; then report the words of that number ready.
  case render(Int, [SpeechOrder], SpeechUrgency, for: LaneID)
  /// The words of that number are not needed any more.
  case stopRendering(Int)
  /// The lane has ended: nothing more is rendered for it.
  case stopRenderingAhead(LaneID)
}

extension Coach {
  /// Performs the collected effects, in order. The last step of every entry point, when the state is
  /// consistent.
  mutating func deliver() {
    let effects = outbox
    outbox = []
    for effect in effects {
      switch effect {
      case .write(let event): write(event)
      case .emit(let event): emit(event)
      case .report(let report, let receive): receive(report)
      case .keep(let lane, let session): keep?(lane, session)
      // A run that waits for no words renders each when it is needed. The order is then the same on every
      // machine, and with it the sound: how libespeak-ng speaks depends on what it spoke before.
      case .prefetch where wordsAreReady == nil, .measure where wordsAreReady == nil: break
      case .prefetch(let texts, let voice, let lane):
        speech?.prefetch(texts, voice: voice, for: speechOwner(lane))
      case .measure(let texts, let voice, let lane):
        speech?.measure(texts, voice: voice, for: speechOwner(lane))
      case .render(let number, let orders, let urgency, let lane):
        let isReady = wordsAreReady
        speech?.render(
          orders, urgency, as: .init(client: speechClient, number: number),
          for: speechOwner(lane)
        ) { isReady?(number) }
      case .stopRendering(let number):
        speech?.stopRendering(.init(client: speechClient, number: number))
      case .stopRenderingAhead(let lane): speech?.forget(speechOwner(lane))
      }
    }
  }

  /// The lane, for the library.
  func speechOwner(_ lane: LaneID) -> SpeechQueue.Owner {
    SpeechQueue.Owner(client: speechClient, lane: lane)
  }
}
