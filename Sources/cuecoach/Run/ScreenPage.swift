import IntervalTimeline
import Phrases

/// The contents of a window of a given size, row by row.
///
/// More room shows more: always the position and the key for stopping, then the digits, then what
/// comes next, the bars and the name, then empty rows between them, then larger digits.
struct ScreenPage {
  struct Style {
    /// The character that digits and bars are made of.
    var point: Character = "█"
    var gap: Character = "░"
    /// Replaces the rest of a text that has no room.
    var ellipsis = "…"
  }

  let lanes: [ShownLane]
  /// The lane that the keys act on; nil: all.
  let chosen: Int?
  let columns: Int
  let rows: Int
  var style = Style()
  /// Messages for the user, below everything else.
  var notes: [String] = []
  /// False where no keys are read.
  var hasKeys = true

  private var focus: ShownLane { lanes[chosen ?? 0] }

  var lines: [String] {
    let noteLines = noteLines(atMost: min(rows - 1, max(1, rows / 4)))
    // In a small window messages matter more than the keys.
    let keyRows = hasKeys && rows > noteLines.count + 1 ? (rows < 16 ? 1 : 2) : 0
    let hints =
      keyRows == 0
      ? []
      : KeyHints(
        phrases: lanes[0].phrases, lanes: lanes.count, end: focus.end,
        countsRounds: focus.reps == nil && focus.repetitions != nil
      )
      .lines(columns: columns, atMost: keyRows)
    let room = rows - hints.count - noteLines.count
    return (body(room) + hints + noteLines).map { Columns.cut($0.singleLine, to: columns) }
  }

  private func noteLines(atMost rows: Int) -> [String] {
    var lines = notes.flatMap { Columns.wrapped($0, to: columns) }
    guard lines.count > rows, rows > 0 else { return Array(lines.prefix(max(0, rows))) }
    lines[rows - 1] = fitted(lines[(rows - 1)...].joined(separator: " "))
    return Array(lines.prefix(rows))
  }

  private func fitted(_ text: String) -> String {
    Columns.fitted(text, to: columns, ellipsis: style.ellipsis)
  }

  /// At most `room` rows above the keys.
  private func body(_ room: Int) -> [String] {
    let list = lanes.count > 1 ? listLines(room) : []
    // The list already shows every lane's clock.
    let left = room - list.count
    if left < (list.isEmpty ? 1 : 3) { return list }
    guard left > 1 else { return [fitted("\(clock)  \(title)")] }
    return page(left, below: list)
  }

  // MARK: The lane that is looked at

  private static let details = 4
  private static let gaps = 5

  /// - Parameter rows: the room below `list`; two or more.
  private func page(_ rows: Int, below list: [String]) -> [String] {
    let digits = digits(rows - 1)
    // In order of importance.
    var left = rows - 1 - digits.count
    func take(_ isWanted: Bool = true) -> Bool {
      guard isWanted, left > 0 else { return false }
      left -= 1
      return true
    }
    let next =
      focus.next.map { focus.phrases.screen(.next, ["next": shown($0)]) }
      ?? (focus.state == .finished ? nil : focus.phrases.screen(.last))
    let (hasNext, hasPhase, hasWorkout, hasName) = (take(next != nil), take(), take(), take())
    let target = focus.target.flatMap { take() ? fitted($0.words) : nil }
    let note = focus.noteText.flatMap { take() ? fitted($0) : nil }
    let (keys, clock, title) = (take(), take(), take())
    let (name, bars, listEnd) = (take(hasName), take(hasWorkout), take(!list.isEmpty))
    func space(_ isThere: Bool) -> [String] { isThere ? [""] : [] }
    var lines = list + space(listEnd)
    if hasName { lines.append(fitted(focus.workout)) }
    lines +=
      space(name) + [self.title] + [target, note].compactMap { $0 } + space(title) + digits
      + space(clock)
    if hasPhase { lines.append(phaseBar) }
    if hasWorkout {
      let left = focus.workoutLeft
      let text = left.map { left in
        focus.workoutMayEndEarly
          ? focus.phrases.screen(.atMost, ["time": left.leftText]) : left.leftText
      }
      lines.append(bar(.workout, focus.elapsed, left, text))
    }
    lines += space(bars)
    if hasNext, let next { lines.append(fitted(next)) }
    return lines + space(keys)
  }

  /// The clock in the largest digits that `rows` allow together with everything else. In a low
  /// window digits of five rows take precedence over the rest.
  private func digits(_ rows: Int) -> [String] {
    let beside = Self.details + max(0, min(Self.gaps, rows - Self.details - BigDigits.rows))
    let most = max(rows - beside, min(rows, BigDigits.rows))
    return BigDigits.lines(clock, columns: columns, rows: most, point: style.point) ?? [clock]
  }

  private var clock: String { Self.clock(of: focus) }

  /// The remaining time, or the elapsed time of an open phase.
  private static func clock(of lane: ShownLane) -> String {
    let left = lane.mayEndEarly ? nil : lane.phaseLeft
    return left?.leftText ?? lane.phaseElapsed.passedText
  }

  private var title: String {
    let state = focus.state == .paused ? focus.phrases.screen(.paused).uppercased() : nil
    let whole = [focus.setText, name(of: focus), focus.intensity.map(shown), state]
      .compactMap { $0 }.joined(separator: "  ")
    guard Columns.width(whole) > columns else { return whole }
    return fitted([focus.setText, name(of: focus), state], name: 1, to: columns)
  }

  /// A phase's name, shortened with an ellipsis. The coach's own limit for names is far higher.
  private func shown(_ name: String) -> String {
    Columns.fitted(name.singleLine, to: 120, ellipsis: style.ellipsis)
  }

  /// "Lift, 12 reps", "Rest, until ready".
  private func name(of lane: ShownLane) -> String {
    guard let label = lane.label.map(shown) else { return lane.phrases.screen(.over) }
    return (lane.repsText ?? lane.untilText).map { "\(label), \($0)" } ?? label
  }

  /// An open phase has no end to be drawn to. Where there is no room for all of its text, what has passed is
  /// left to the clock.
  private var phaseBar: String {
    let (passed, left) = (focus.phaseElapsed, focus.phaseLeft)
    guard focus.mayEndEarly else { return bar(.phase, passed, left, left?.leftText) }
    let label = barLabel(.phase)
    let all = focus.phrases.time(left: left, passed: passed, mayEndEarly: true) ?? ""
    guard let left, Columns.width(label + all) > columns else { return label + all }
    return label + focus.phrases.screen(.atMost, ["time": left.leftText])
  }

  private func barLabel(_ key: ScreenKey) -> String {
    let names = [ScreenKey.phase, .workout].map { focus.phrases.screen($0) }
    let name = focus.phrases.screen(key)
    let indent = (names.map(Columns.width).max() ?? 0) + 2
    return name + String(repeating: " ", count: indent - Columns.width(name))
  }

  /// - Parameter text: what stands at its end; nil where there is no end.
  private func bar(
    _ key: ScreenKey, _ elapsed: Duration, _ left: Duration?, _ text: String?
  ) -> String {
    let label = barLabel(key)
    guard let left, let text else {
      return label + focus.phrases.screen(.open, ["time": elapsed.passedText])
    }
    let width = columns - Columns.width(label) - Columns.width(text) - 1
    guard width >= 4 else { return label + text }
    let whole = elapsed + left
    let filled = min(width, Int((whole > .zero ? elapsed / whole : 1) * Double(width)))
    return label + String(repeating: style.point, count: filled)
      + String(repeating: style.gap, count: width - filled) + " \(text)"
  }

  // MARK: The list

  /// As many lanes as there are rows, including the chosen one.
  private func listLines(_ rows: Int) -> [String] {
    let count = min(lanes.count, max(1, rows))
    let first = max(0, min((chosen ?? 0) - count + 1, lanes.count - count))
    return (first..<first + count).map(listLine)
  }

  private func listLine(_ index: Int) -> String {
    let lane = lanes[index]
    let mark = chosen == nil || chosen == index ? ">" : " "
    // The number is that of its key.
    let head = hasKeys ? "\(mark) \(index + 1) " : ""
    let state = lane.state == .paused ? lane.phrases.screen(.paused) : nil
    return head
      + fitted(
        [lane.name, lane.setText, name(of: lane), Self.clock(of: lane), state], name: 2,
        to: columns - head.count)
  }

  /// Joins the parts. If they are too wide, the name of the phase (part `name`) and the parts
  /// before it are shortened; clock and state stay.
  private func fitted(_ parts: [String?], name: Int, to columns: Int) -> String {
    var parts = parts
    func excess() -> Int {
      let there = parts.compactMap { $0 }
      return there.map { Columns.width($0) + 2 }.reduce(-2, +) - columns
    }
    for (part, least) in [(name, 8), (0, name == 0 ? 0 : 6), (name - 1, 0), (name, 3), (0, 1)]
    where excess() > 0 {
      guard let text = parts[part] else { continue }
      let width = Columns.width(text) - excess()
      parts[part] =
        least == 0
        ? nil : Columns.fitted(text, to: max(least, width), ellipsis: style.ellipsis)
    }
    return parts.compactMap { $0 }.joined(separator: "  ")
  }
}
