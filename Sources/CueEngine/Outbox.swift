import CueSound
import IntervalTimeline

/// What the ledger and the events have of the output.
enum OutputNews: Equatable {
  /// It is lost, or takes no command.
  case lost(SoundOutputError)
  /// It plays again, or takes commands again.
  case recovered
  case xrun
  case notRealtime
}

/// The effects of a coach, in order, and their receivers.
///
/// Nothing outside is called while the coach's state changes: effects collect here, and `deliver` performs them as the
/// last step of every entry point.
struct Outbox {
  /// Not yet performed.
  var effects: [CoachEffect] = []
  let speech: SpeechLibrary?
  /// This coach's number at the library.
  private let speechClient: Int
  private let write: @Sendable (LedgerEvent) -> Void
  private let emit: @Sendable (EngineEvent) -> Void
  private let keep: (@Sendable (LaneID, SessionRecord) -> Void)?
  /// Called from another thread when awaited words have been rendered; nil: words are rendered on the
  /// spot.
  var wordsAreReady: (@Sendable (Int) -> Void)?
  /// Called with the words that will be heard; nil: nobody shows them.
  var speak: (@Sendable (SpokenText) -> Void)?

  init(
    speech: SpeechLibrary?, write: @escaping @Sendable (LedgerEvent) -> Void,
    emit: @escaping @Sendable (EngineEvent) -> Void,
    keep: (@Sendable (LaneID, SessionRecord) -> Void)?
  ) {
    self.speech = speech
    speechClient = speech?.newClient() ?? 0
    self.write = write
    self.emit = emit
    self.keep = keep
  }

  /// False where nobody stores the sessions.
  var keepsSessions: Bool { keep != nil }

  mutating func append(_ effect: CoachEffect) { effects.append(effect) }

  mutating func record(_ event: LedgerEvent) { append(.write(event)) }

  mutating func report(_ news: OutputNews, at instant: BootInstant) {
    switch news {
    case .lost(let error):
      record(.deviceLost(at: instant, reason: "\(error.kind)"))
      append(.emit(.deviceLost(error)))
    case .recovered:
      record(.deviceRecovered(at: instant))
      append(.emit(.deviceRecovered))
    case .xrun:
      record(.xrun(at: instant))
      append(.emit(.xrun))
    case .notRealtime:
      record(.notRealtime(at: instant))
      append(.emit(.notRealtime))
    }
  }

  /// Takes the line of a message of that lane that was left out, if there is one behind the first `known` effects; it
  /// is marked as answered.
  mutating func takeDroppedMessage(
    of lane: String, since known: Int
  ) -> (offset: Int, element: LedgerEvent.CueEntry)? {
    for index in effects.indices.dropFirst(known) {
      guard case .write(.cue(var entry)) = effects[index], entry.isMessage, entry.lane == lane,
        entry.outcome == .dropped
      else { continue }
      effects.remove(at: index)
      entry.isAnswered = true
      return (index, entry)
    }
    return nil
  }

  /// Performs the collected effects, in order.
  mutating func deliver() {
    let effects = effects
    self.effects = []
    for effect in effects {
      switch effect {
      case .write(let event): write(event)
      case .emit(let event): emit(event)
      case .speak(let words): speak?(words)
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
    SpeechQueue.Owner(client: speechClient, lane: lane.serial)
  }
}
