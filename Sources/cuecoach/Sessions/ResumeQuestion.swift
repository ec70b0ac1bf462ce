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

  private let lines: [String]
  /// Enter alone.
  private let usual: Answer?

  /// - Parameter instead: the other workout that is asked for under this name; nil: the same one.
  init(
    _ session: StoredSession, in timeline: Timeline, at now: ClockReading, instead: String?
  ) {
    let old = session.workout.name.singleLine
    let ago = now.since(session.state.clocks).map { ", \($0.passedText) ago" } ?? ""
    lines = [
      "\(session.lane.singleLine): \(old) was interrupted\(ago),",
      "  at \(session.place(in: timeline)).",
      "  c  continue \(old) as if it had never stopped",
      "  h  hold \(old) where it was, paused",
      "  e  end \(old) there, and begin \(instead ?? "it anew")",
      "Type a letter and press Enter.",
    ]
    usual = instead == nil ? .goOn : nil
  }

  /// Asks until there is an answer. Throws where input ends without one: the session stays as it is.
  func ask() throws(UserError) -> Answer {
    let prompt = usual == nil ? "c, h or e? " : "c, h or e? [c] "
    let terminal = isatty(STDOUT_FILENO) == 1 ? STDOUT_FILENO : STDERR_FILENO
    Console.write(lines.map { $0 + "\n" }.joined(), to: terminal)
    while true {
      Console.write(prompt, to: terminal)
      guard let line = readLine() else {
        throw .failed("no answer: the interrupted workout stays as it was, and nothing began")
      }
      let word = line.lowercased().filter { !$0.isWhitespace }
      if word.isEmpty, let usual { return usual }
      if let answer = Answer.allCases.first(where: { $0.words.contains(word) }) { return answer }
    }
  }
}
