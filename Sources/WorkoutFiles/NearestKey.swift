/// The key among `known` that a person most likely meant by `key`; nil where none is near.
func nearest(to key: String, among known: [String]) -> String? {
  let typed = Array(key.lowercased().unicodeScalars)
  guard (2...20).contains(typed.count) else { return nil }
  let greatest = typed.count < 5 ? 1 : 2
  let ranked = known.map { (key: $0, edits: edits(typed, Array($0.unicodeScalars))) }
  return ranked.filter { $0.edits <= greatest }.min { $0.edits < $1.edits }?.key
}

/// How many letters were left out, added, mistaken, or swapped with their neighbour (the optimal
/// string alignment distance).
private func edits(_ typed: [Unicode.Scalar], _ meant: [Unicode.Scalar]) -> Int {
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
