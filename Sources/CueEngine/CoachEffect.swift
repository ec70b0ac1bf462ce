import CueSound
import IntervalTimeline

/// An effect of a coach outside itself.
enum CoachEffect {
  /// A line for the ledger.
  case write(LedgerEvent)
  /// An event for the program that runs the coach.
  case emit(EngineEvent)
  /// Store the lane's session.
  case keep(LaneID, SessionRecord)
  /// Begin to render what will be needed soon.
  case prefetch([String], SpeechVoice)
  /// Find out how long texts take when nothing else is to be rendered.
  case measure([String], SpeechVoice)
  /// Render some texts and find out how long others take; then report the words of that number ready.
  case render(Int, texts: [String], lengthsOf: [String], voice: SpeechVoice)
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
      case .keep(let lane, let session): keep?(lane, session)
      case .prefetch(let texts, let voice): speech?.prefetch(texts, voice: voice)
      case .measure(let texts, let voice): speech?.measure(texts, voice: voice)
      case .render(let number, let texts, let lengthsOf, let voice):
        let isReady = wordsAreReady
        speech?.render(texts, lengthsOf: lengthsOf, voice: voice) { isReady?(number) }
      }
    }
  }
}
