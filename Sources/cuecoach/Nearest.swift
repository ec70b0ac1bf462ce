/// The names that someone may have meant.
enum Nearest {
  /// Up to `count` of `names`, nearest first, none further away than a third of its letters.
  static func names(to text: String, among names: [String], atMost count: Int) -> [String] {
    guard text.count <= 64 else { return [] }
    let near = names.map { ($0, distance(text.lowercased(), $0.lowercased())) }
      .filter { $0.1 <= max(2, $0.0.count / 3) }
    return near.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(count).map(\.0)
  }

  /// Levenshtein's edit distance.
  private static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    var row = Array(0...b.count)
    for i in 0..<a.count {
      var diagonal = row[0]
      row[0] = i + 1
      for j in 0..<b.count {
        let replaced = diagonal + (a[i] == b[j] ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[b.count]
  }
}
