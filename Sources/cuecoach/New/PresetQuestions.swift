import IntervalTimeline

/// Asks on a terminal for what a preset needs; each answer is checked at once.
struct PresetQuestions {
  private let name: String?
  private let objection: (PresetDraft) -> String?

  /// - Parameters:
  ///   - name: what the workout is called where Enter alone is pressed.
  ///   - objection: what speaks against the name in a draft; nil if nothing does.
  init(name: String?, objection: @escaping (PresetDraft) -> String?) {
    self.name = name
    self.objection = objection
  }

  /// Throws if input ends before the last answer.
  func ask() throws(UserError) -> PresetDraft {
    var draft = PresetDraft()
    for question in PresetDraft.Question.allCases {
      let usual = question == .name ? name : draft.usual(question)
      let prompt = question.text + (usual.map { " [\($0.singleLine)]" } ?? "")
      while true {
        guard let line = TerminalQuestion.answer(to: prompt) else {
          throw .failed("there was no answer; nothing is written")
        }
        guard let refusal = Self.refusal(of: line, question, usual, &draft, objection) else {
          break
        }
        context.tell(refusal, on: TerminalQuestion.descriptor)
      }
    }
    return draft
  }

  /// Nil for an answer that is taken.
  private static func refusal(
    of line: String, _ question: PresetDraft.Question, _ usual: String?,
    _ draft: inout PresetDraft, _ objection: (PresetDraft) -> String?
  ) -> String? {
    let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    guard let answer = words.isEmpty ? usual : words else { return "Expected an answer." }
    var changed = draft
    do throws(PresetDraft.Refusal) {
      try changed.take(answer, to: question)
    } catch {
      return error.message
    }
    if question == .name, let objection = objection(changed) { return objection }
    draft = changed
    return nil
  }
}
