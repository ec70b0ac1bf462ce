import CueEngine
import Glibc
import IntervalTimeline
import SessionStore

/// Asks on a terminal what becomes of a session that was interrupted.
struct ResumeQuestion {
  enum Answer: CaseIterable {
    case goOn, hold, end

    /// What may be typed.
    var words: [String] {
      switch self {
      case .goOn: ["c", "continue", "r", "resume"]
      case .hold: ["h", "hold"]
      case .end: ["e", "end", "d", "discard"]
      }
    }

    var policy: ResumePolicy {
      switch self {
      case .goOn: .continue
      case .hold: .hold
      case .end: .discard
      }
    }
  }

  private let phrases: PhraseCatalogue
  private let lines: [String]
  /// Enter alone.
  private let usual: Answer?

  /// - Parameters:
  ///   - instead: the other workout that is asked for under this name; nil: the same one.
  ///   - phrases: the language. The answers' letters are the same in all of them, as the keys are.
  init(
    _ session: StoredSession, in timeline: Timeline, at now: ClockReading, instead: String?,
    phrases: PhraseCatalogue
  ) {
    var values = session.values(in: timeline, phrases)
    values["new"] = instead
    values["time"] = now.since(session.state.clocks)?.passedText
    lines = [
      phrases.screen(values["time"] == nil ? .found : .foundAgo, values),
      "  c  " + phrases.screen(.answerContinue, values),
      "  h  " + phrases.screen(.answerHold, values),
      "  e  " + phrases.screen(instead == nil ? .answerAnew : .answerEnd, values),
      phrases.screen(.answerHow),
    ]
    usual = instead == nil ? .goOn : nil
    self.phrases = phrases
  }

  /// Asks until there is an answer. Throws where input ends without one: the session stays as it is.
  func ask() throws(UserError) -> Answer {
    let prompt = phrases.screen(.answerPrompt) + (usual == nil ? " " : " [c] ")
    let terminal = isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : STDERR_FILENO
    for line in lines { Console.tell(line, on: terminal) }
    while true {
      Console.write(prompt, to: terminal)
      guard let line = readLine() else {
        throw .failed(phrases.screen(.unanswered))
      }
      let word = line.lowercased().filter { !$0.isWhitespace }
      if word.isEmpty, let usual { return usual }
      if let answer = Answer.allCases.first(where: { $0.words.contains(word) }) { return answer }
    }
  }
}
