import IntervalTimeline

/// Columns as wide as their texts.
package enum Table {
  package static func lines(_ rows: [[String]]) -> [String] {
    let shown = rows.map {
      $0.map { String($0.unicodeScalars.map { $0.isSafeOnOneLine ? Character($0) : " " }) }
    }
    let widths = (shown.first ?? []).indices.map { column in
      shown.map { $0[column].count }.max() ?? 0
    }
    return shown.map { row in
      row.enumerated().map { column, text in
        column == row.count - 1
          ? text : text + String(repeating: " ", count: widths[column] - text.count)
      }.joined(separator: "  ")
    }
  }
}
