import IntervalTimeline
import Phrases

/// Explains the keys, in the rows that are available. Hints without room are left out, the one for
/// stopping last.
struct KeyHints {
  let phrases: PhraseCatalogue
  let lanes: Int
  /// What ends the phase that is looked at; nil where it ends by itself.
  var end: OpenEnd?
  /// Rounds are counted in it.
  var countsRounds = false

  /// Rows of at most `columns`.
  func lines(columns: Int, atMost rows: Int) -> [String] {
    var keys: [ScreenKey] = [.spaceKey, .nextKey, .backKey, .whereKey, .stopKey]
    switch end {
    case .reps?: keys.insert(.repKey, at: 1)
    case .signal?: keys.insert(.signalKey, at: 1)
    case .untilNext?, .heartRate?, .sendOff?, nil: if countsRounds { keys.insert(.repKey, at: 1) }
    }
    if lanes > 1 { keys += [.chooseKey, .allKey] }
    let drops: [ScreenKey?] = [
      .allKey, .whereKey, .chooseKey, .backKey, .nextKey, .spaceKey, .repKey, .signalKey, nil,
    ]
    for dropped in drops {
      for rows in 1...max(1, rows) {
        for gap in [3, 2] {
          let lines = flow(keys.map(text), gap: gap, columns: columns)
          if lines.count <= rows, lines.allSatisfy({ Columns.width($0) <= columns }) {
            return lines
          }
        }
      }
      keys.removeAll { $0 == dropped }
    }
    return [Columns.cut(text(.stopKey), to: columns)]
  }

  private func text(_ key: ScreenKey) -> String { phrases.screen(key, ["lanes": "\(lanes)"]) }

  private func flow(_ texts: [String], gap: Int, columns: Int) -> [String] {
    var lines: [String] = []
    for text in texts {
      let last = lines.last ?? ""
      if !last.isEmpty, Columns.width(last) + gap + Columns.width(text) <= columns {
        lines[lines.count - 1] += String(repeating: " ", count: gap) + text
      } else {
        lines.append(text)
      }
    }
    return lines
  }
}
