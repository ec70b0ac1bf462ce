/// Suggests names that the user may have meant.
package enum Nearest {
  /// Up to `count` of `names`, nearest first: within one edit of a short text, two of a longer one.
  package static func names(
    to text: String, among names: [String], atMost count: Int = 1
  ) -> [String] {
    let typed = Array(text.lowercased().unicodeScalars)
    guard (2...40).contains(typed.count) else { return [] }
    let greatest = typed.count < 5 ? 1 : 2
    let ranked = names.map {
      (name: $0, edits: edits(typed, Array($0.lowercased().unicodeScalars)))
    }
    return ranked.filter { $0.edits <= greatest }
      .sorted { ($0.edits, $0.name) < ($1.edits, $1.name) }
      .prefix(count).map(\.name)
  }

  /// The number of letters omitted, added, mistyped or swapped with a neighbour (the optimal string
  /// alignment distance).
  private static func edits(_ typed: [Unicode.Scalar], _ meant: [Unicode.Scalar]) -> Int {
    var before: [Int] = []
    var above = Array(0...meant.count)
    for row in typed.indices {
      var current = [row + 1]
      for column in meant.indices {
        let isSame = typed[row] == meant[column]
        var best = min(above[column] + (isSame ? 0 : 1), above[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, typed[row] == meant[column - 1], typed[row - 1] == meant[column] {
          best = min(best, before[column - 1] + 1)
        }
        current.append(best)
      }
      (before, above) = (above, current)
    }
    return above[meant.count]
  }
}
