import CoachHost
import InstalledFiles
import IntervalTimeline
import Phrases
import SessionStore

/// Asks on a terminal how to continue an interrupted session.
struct ResumePrompt {
  enum Answer: CaseIterable {
    case `continue`, hold, end

    /// The accepted answers.
    var words: [String] {
      switch self {
      case .continue: ["c", "continue", "r", "resume"]
      case .hold: ["h", "hold"]
      case .end: ["e", "end", "d", "discard"]
      }
    }

    var policy: ResumePolicy {
      switch self {
      case .continue: .continue
      case .hold: .hold
      case .end: .discard
      }
    }
  }

  private let phrases: PhraseCatalogue
  private let lines: [String]
  /// The answer for Enter alone.
  private let usual: Answer?

  /// In the language of the workout. The letters are the same in every language, like the keys.
  init(_ question: ResumeQuestion, _ installed: Installation) {
    let workout = question.instead ?? question.timeline.workout
    let phrases = installed.phrases(of: workout, question.order.style)
    var values = question.session.values(in: question.timeline, phrases)
    values["new"] = question.instead.map { question.session.newName(of: $0, phrases) }
    values["time"] = question.age?.passedText
    lines = [
      phrases.screen(values["time"] == nil ? .found : .foundAgo, values),
      "  c  " + phrases.screen(.answerContinue, values),
      "  h  " + phrases.screen(.answerHold, values),
      "  e  " + phrases.screen(question.instead == nil ? .answerAnew : .answerEnd, values),
      phrases.screen(.answerHow),
    ]
    usual = question.instead == nil ? .continue : nil
    self.phrases = phrases
  }

  /// Asks until there is an answer. Throws if input ends without one; the session then stays as it
  /// is.
  func ask() throws(UserError) -> ResumePolicy {
    let prompt = phrases.screen(.answerPrompt) + (usual == nil ? "" : " [c]")
    var isAgain = false
    while true {
      guard let line = TerminalQuestion.answer(to: prompt, below: lines, isAgain: isAgain) else {
        throw .failed(phrases.screen(.unanswered))
      }
      let word = line.lowercased().filter { !$0.isWhitespace }
      if word.isEmpty, let usual { return usual.policy }
      if let answer = Answer.allCases.first(where: { $0.words.contains(word) }) {
        return answer.policy
      }
      isAgain = true
    }
  }
}
