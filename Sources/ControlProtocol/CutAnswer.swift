extension ControlCoding {
  /// The line of an answer. Where it would be too long, its lists lose as many of their last entries as
  /// needed, and `omitted` counts them.
  ///
  /// - Throws: `ControlError` if the line would be longer than `ControlLimits.answerLine` without them too.
  package static func line(_ answer: ControlAnswer) throws(ControlError) -> [UInt8] {
    let whole = try json(answer)
    return try ended(
      whole.count < ControlLimits.answerLine
        ? whole : json(answer.cut(to: ControlLimits.answerLine - 1)))
  }
}

extension ControlAnswer {
  /// The same with what fits in so many bytes of its lists. Outlines are kept in the order of the lanes;
  /// behind one that is too long, a shorter one is kept.
  func cut(to bytes: Int) throws(ControlError) -> ControlAnswer {
    var answer = self
    answer.presets = presets.map { _ in [] }
    answer.sessions = sessions.map { _ in [] }
    answer.history = history.map { _ in [] }
    answer.notes = notes.map { _ in [] }
    answer.phases = phases.map { _ in [] }
    answer.people = people.map { _ in [] }
    answer.outlines = outlines.map { _ in [:] }
    // The longest number that it can become.
    answer.omitted = .max
    var room = bytes - (try ControlCoding.json(answer).count)
    var left = omitted ?? 0

    func fitting<Entry: Encodable>(_ entries: [Entry]?) throws(ControlError) -> [Entry]? {
      guard let entries else { return nil }
      var kept = 0
      for entry in entries {
        room -= try ControlCoding.json(entry).count + 1
        guard room >= 0 else { break }
        kept += 1
      }
      left += entries.count - kept
      return Array(entries.prefix(kept))
    }
    answer.notes = try fitting(notes)
    answer.presets = try fitting(presets)
    answer.sessions = try fitting(sessions)
    answer.history = try fitting(history)
    answer.phases = try fitting(phases)
    answer.people = try fitting(people)
    for lane in snapshot?.lanes ?? [] {
      guard let outline = outlines?[lane.name] else { continue }
      let count = try ControlCoding.json([lane.name: outline]).count
      if count <= room {
        answer.outlines?[lane.name] = outline
        room -= count
      } else {
        left += 1
      }
    }
    answer.omitted = left == 0 ? nil : left
    return answer
  }
}
