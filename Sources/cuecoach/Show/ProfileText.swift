import IntervalTimeline

/// A profile for a terminal: a sentence first, what it consists of in words, and a drawing at the end.
struct ProfileText {
  /// How it is drawn.
  struct Look {
    var columns: Int
    var usesUnicode = true
    var usesColor = false
    /// False for words alone.
    var hasDrawing = true
  }

  private let profile: WorkoutProfile
  private let look: Look

  init(_ profile: WorkoutProfile, _ look: Look) {
    self.profile = profile
    self.look = look
  }

  /// None is wider than the columns.
  var lines: [String] {
    words + (look.hasDrawing ? [""] + drawing : [])
  }

  // MARK: Words

  private var words: [String] {
    let workout = profile.timeline.workout
    let phases = PhaseSummary(profile.timeline, profile.phrases).lines
    return fitted("\(workout.name.shownName): \(profile.facts).")
      + (phases + workout.allNotes).flatMap { fitted($0, indent: "  ") } + totals
  }

  private var totals: [String] {
    var table = TextTable([.left, .right, .right, .left])
    for total in profile.totals {
      table.add([
        total.name.shownName, total.lengthText, profile.percent(total).map { "\($0) %" } ?? "",
        WorkoutProfile.count(total.phases, "phase"),
      ])
    }
    let lines = table.lines
    let hasRoom = lines.allSatisfy { Columns.width($0) + 2 <= look.columns }
    return zip(lines, profile.totals).flatMap { line, total -> [String] in
      guard hasRoom else { return fitted(line.split(separator: " ").joined(separator: " ")) }
      return look.usesColor ? [colored("█", total.kind) + " " + line] : [line]
    }
  }

  private func fitted(_ line: String, indent: String = "") -> [String] {
    let line = line.singleLine
    let indent = look.columns < 40 ? "" : indent
    // Further rows are indented twice.
    return Columns.wrapped(line, to: look.columns - 2 * indent.utf8.count).enumerated().map {
      row, text in row > 0 ? indent + indent + text : indent + text
    }
  }

  // MARK: Drawing

  private struct Cell {
    let bar: ProfileBars.Bar
    /// Another phase of the same height follows, which a gap sets apart.
    let hasGap: Bool
  }

  private var drawing: [String] {
    let bars = ProfileBars(profile.timeline, columns: look.columns).bars
    let cells = bars.indices.flatMap { index -> [Cell] in
      let bar = bars[index]
      let next = index + 1 < bars.count ? bars[index + 1] : nil
      let isApart = bars.count == profile.timeline.count && next?.height == bar.height
      return (1...bar.columns).map { Cell(bar: bar, hasGap: isApart && $0 == bar.columns) }
    }
    let rows = Int((bars.map(\.height).max() ?? 1).rounded(.up))
    return (1...rows).reversed().map { row(cells, $0) } + axis
  }

  /// - Parameter level: 1 for the lowest row.
  private func row(_ cells: [Cell], _ level: Int) -> String {
    var line = ""
    var index = 0
    while index < cells.count {
      let kind = cells[index].bar.kind
      var run = ""
      while index < cells.count, cells[index].bar.kind == kind {
        run += mark(cells[index], level)
        index += 1
      }
      line += run.contains { $0 != " " } ? colored(run, kind) : run
    }
    guard !look.usesColor else { return line }
    return String(line.reversed().drop { $0 == " " }.reversed())
  }

  private func mark(_ cell: Cell, _ level: Int) -> String {
    let part = cell.bar.height - Double(level - 1)
    guard part > 0 else { return " " }
    guard look.usesUnicode else {
      return part < 0.5 ? " " : cell.hasGap ? "|" : cell.bar.isOpen ? "?" : "#"
    }
    let eighths = min(8, max(1, Int((part * 8).rounded())))
    if eighths < 8 { return ["▁", "▂", "▃", "▄", "▅", "▆", "▇"][eighths - 1] }
    return cell.bar.isOpen ? "░" : cell.hasGap ? "▊" : "█"
  }

  private func colored(_ text: String, _ kind: PhaseKind) -> String {
    guard look.usesColor else { return text }
    let color =
      switch kind {
      case .prepare: 33
      case .warmup: 93
      case .low: 32
      case .high: 31
      case .work: 91
      case .rest: 34
      case .recovery: 36
      case .cooldown: 35
      }
    return "\u{1b}[\(color)m\(text)\u{1b}[0m"
  }

  /// The start, and the end where it is known.
  private var axis: [String] {
    let end = profile.timeline.length?.clockText ?? "?"
    let gap = look.columns - 4 - end.utf8.count
    let line = gap > 0 ? ["0:00" + String(repeating: " ", count: gap) + end] : []
    guard profile.timeline.mayEndEarly else { return line }
    let open = look.usesUnicode ? "░" : "?"
    let isEndless = profile.timeline.length == nil
    return line
      + fitted(
        isEndless
          ? "\(open) lasts until something ends it, and is drawn a minute long."
          : "Some phases may end earlier: they are drawn as long as they may be.")
  }
}
