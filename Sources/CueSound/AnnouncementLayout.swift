/// Places the words of one lane so that they never lie over each other.
///
/// Times are nanoseconds on one clock; lengths are those of the trimmed clips.
public struct AnnouncementLayout: Hashable, Sendable {
  /// A clip at its place.
  public struct Placement: Hashable, Sendable {
    /// Its index among the parts that were asked for.
    public let part: Int
    public let due: Int64

    public init(part: Int, due: Int64) {
      self.part = part
      self.due = due
    }
  }

  /// From the end of the lead-in to the first count word: a breath.
  public static let leadInGap: Int64 = 150_000_000

  /// Between two announcements.
  public static let gap: Int64 = 100_000_000

  /// What is being said: half-open, sorted, apart from each other.
  private var busy: [Range<Int64>] = []

  public init() {}

  /// Forgets what has been said by `now`.
  public mutating func forget(before now: Int64) { busy.removeAll { $0.upperBound <= now } }

  /// Forgets everything that is still to be said from `now` on.
  public mutating func withdraw(at now: Int64) {
    busy = busy.filter { $0.lowerBound < now }.map { $0.lowerBound..<min($0.upperBound, now) }
      .filter { !$0.isEmpty }
  }

  /// Places count words, each on its own instant, and a lead-in before them.
  ///
  /// `leadIns` are the lengths of the lead-in's wordings, the fullest first; the first that fits
  /// comes out as part −1 − index. Part n ≥ 1 is the n-th count word, `counts[n − 1]` its instant.
  /// What lies before `earliest` or over other words is left out: the lead-in first, then the
  /// higher numbers.
  public mutating func placeCount(
    leadIns: [Int64], counts: [(due: Int64, length: Int64)], earliest: Int64
  ) -> [Placement] {
    var words: [Placement] = []
    var next = Int64.max
    // From the last word back: when two cannot both be said, the lower number stays.
    for (index, count) in counts.enumerated().reversed() {
      let span = count.due..<(count.due + max(1, count.length))
      guard count.due >= earliest, span.upperBound <= next, isFree(span) else { continue }
      next = count.due
      words.insert(Placement(part: index + 1, due: count.due), at: 0)
    }
    for word in words {
      let length = counts[word.part - 1].length
      occupy(word.due..<(word.due + max(1, length)))
    }
    guard let first = words.first, first.part == 1 else { return words }
    let end = first.due - Self.leadInGap
    for (index, length) in leadIns.enumerated() {
      let span = (end - max(1, length))..<end
      guard span.lowerBound >= earliest, isFree(span) else { continue }
      words.insert(Placement(part: -1 - index, due: span.lowerBound), at: 0)
      occupy(span)
      break
    }
    return words
  }

  /// Places one of several wordings of the same announcement at or after `due`, the first that is
  /// over by `limit` (nil: no limit). Nil when not even the shortest fits.
  public mutating func place(_ lengths: [Int64], due: Int64, limit: Int64?) -> Placement? {
    for (index, length) in lengths.enumerated() {
      var start = due
      let room = max(1, length) + Self.gap
      for span in busy where span.lowerBound < start + room && start < span.upperBound + Self.gap {
        start = span.upperBound + Self.gap
      }
      let span = start..<(start + max(1, length))
      guard limit.map({ span.upperBound <= $0 }) ?? true else { continue }
      occupy(span)
      return Placement(part: index, due: start)
    }
    return nil
  }

  private func isFree(_ span: Range<Int64>) -> Bool { !busy.contains { $0.overlaps(span) } }

  private mutating func occupy(_ span: Range<Int64>) {
    let index = busy.firstIndex { $0.lowerBound > span.lowerBound } ?? busy.count
    busy.insert(span, at: index)
  }
}
