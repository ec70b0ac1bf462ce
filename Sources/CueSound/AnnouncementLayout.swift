/// Finds room for words, so that no two announcements of any lane lie over each other.
///
/// Times are nanoseconds on one clock; lengths are those of the trimmed clips. What is asked first
/// gets its place first: the caller asks in the order of priority.
package struct AnnouncementLayout: Hashable, Sendable {
  /// From the end of the lead-in to the first count word: a breath, and how far it may be from one.
  package static let leadInGap: Int64 = 150_000_000
  package static let leadInGaps: ClosedRange<Int64> = 80_000_000...250_000_000

  /// Between two announcements.
  package static let gap: Int64 = 100_000_000

  /// The longest a count word may sound: a second, but for a pause by which it is told from the
  /// next.
  package static let longestCount: Int64 = 950_000_000

  /// How much shorter words become that are spoken faster: a quarter faster is four fifths as long.
  static let haste = (numerator: Int64(4), denominator: Int64(5))

  /// What is being said: apart from each other.
  private struct Span: Hashable {
    let range: Range<Int64>
    let lane: Int
    /// Which of the lane's announcements it is a part of.
    let owner: Int
    /// The count word; nil for other words.
    let count: String?
  }

  /// One announcement in wordings of these lengths, the fullest first.
  package struct Wish: Hashable, Sendable {
    package var lane: Int
    /// Tells the lane's announcements apart, for `withdraw`.
    package var owner: Int
    package var wordings: [Int64]
    /// When it should begin, and between which instants it may.
    package var due: Int64
    package var earliest: Int64
    package var latest: Int64
    /// When it must be over.
    package var limit: Int64

    package init(
      lane: Int, owner: Int = 0, wordings: [Int64], due: Int64, earliest: Int64? = nil,
      latest: Int64? = nil,
      limit: Int64? = nil
    ) {
      self.lane = lane
      self.owner = owner
      self.wordings = wordings
      self.due = due
      self.earliest = min(due, earliest ?? due)
      self.latest = max(due, latest ?? .max)
      self.limit = limit ?? .max
    }
  }

  /// An announcement at its place.
  package struct Placement: Hashable, Sendable {
    /// The index of its wording.
    package let wording: Int
    package let due: Int64
    /// How long it may sound; it must be spoken faster where its wording is longer.
    package let room: Int64

    package init(wording: Int, due: Int64, room: Int64) {
      self.wording = wording
      self.due = due
      self.room = room
    }
  }

  package struct Count: Hashable, Sendable {
    package var word: String
    package var due: Int64
    package var length: Int64

    package init(word: String, due: Int64, length: Int64) {
      self.word = word
      self.due = due
      self.length = length
    }
  }

  package enum CountFate: Hashable, Sendable {
    case said
    /// Another lane says the same word at the same instant.
    case shared
    case noRoom
  }

  private var spans: [Span] = []

  package init() {}

  /// Forgets what has been said by `now`.
  package mutating func forget(before now: Int64) {
    spans.removeAll { $0.range.upperBound <= now }
  }

  /// Forgets what a lane was still to say from `now` on.
  package mutating func withdraw(lane: Int, at now: Int64) {
    spans = spans.compactMap { span in
      guard span.lane == lane, span.range.upperBound > now else { return span }
      guard span.range.lowerBound < now else { return nil }
      return Span(
        range: span.range.lowerBound..<now, lane: lane, owner: span.owner, count: span.count)
    }
  }

  /// Forgets one announcement of a lane.
  package mutating func withdraw(lane: Int, owner: Int) {
    spans.removeAll { $0.lane == lane && $0.owner == owner }
  }

  /// What `body` finds room for where `others` has places too; of those nothing is kept.
  package mutating func place<Result>(
    _ body: (inout AnnouncementLayout) -> Result,
    beside others: (inout AnnouncementLayout) -> Void
  ) -> Result {
    var whole = self
    others(&whole)
    let kept = whole.spans.count
    let result = body(&whole)
    spans += whole.spans[kept...]
    return result
  }

  // MARK: Counts

  /// Puts count words on their instants. Words that lie over others have no room, but for a word
  /// that another lane says at the same time.
  package mutating func place(_ counts: [Count], lane: Int, owner: Int = 0) -> [CountFate] {
    counts.map { count in
      let range = count.due..<(count.due + max(1, count.length))
      if isFree(range, gap: 0) {
        spans.append(Span(range: range, lane: lane, owner: owner, count: count.word))
        return .said
      }
      let isSame = spans.contains {
        $0.count == count.word && abs($0.range.lowerBound - count.due) <= 2_000_000
      }
      return isSame ? .shared : .noRoom
    }
  }

  /// Puts the words that lead up to a count before its first word, which begins at `first`. Its
  /// wish's `due`, `latest` and `limit` are not looked at.
  package mutating func placeLeadIn(_ wish: Wish, before first: Int64) -> Placement? {
    if let placement = placeLeadInUnhurried(wish, before: first) { return placement }
    guard let shortest = wish.wordings.last else { return nil }
    // Faster, from where there is room up to the count.
    let end = first - Self.leadInGaps.lowerBound
    let least = shortest * Self.haste.numerator / Self.haste.denominator
    let from = spans.map(\.range).filter { $0.lowerBound < end }.map { $0.upperBound + Self.gap }
      .reduce(wish.earliest, max)
    guard end - from >= least, isFree(from..<end, gap: Self.gap) else { return nil }
    return take(Placement(wording: wish.wordings.count - 1, due: from, room: end - from), wish)
  }

  /// The same as `placeLeadIn`, without speaking anything faster.
  package mutating func placeLeadInUnhurried(_ wish: Wish, before first: Int64) -> Placement? {
    let gaps = Self.leadInGaps
    for (index, length) in wish.wordings.enumerated() {
      let window = (first - gaps.upperBound - length)...(first - gaps.lowerBound - length)
      guard window.upperBound >= wish.earliest else { continue }
      let from = max(window.lowerBound, wish.earliest)
      let best = min(max(first - Self.leadInGap - length, from), window.upperBound)
      let starts =
        [best] + starts(beside: length).filter { (from...window.upperBound).contains($0) }
      if let start = starts.first(where: { isFree($0..<($0 + length), gap: Self.gap) }) {
        return take(Placement(wording: index, due: start, room: length), wish)
      }
    }
    return nil
  }

  // MARK: Other words

  /// Finds room for an announcement: the fullest wording where it is due, earlier or later, then
  /// the shorter ones, then the shortest spoken faster. Nil where there is none.
  package mutating func place(_ wish: Wish) -> Placement? {
    if let placement = placeUnhurried(wish) { return placement }
    guard let shortest = wish.wordings.last else { return nil }
    let least = shortest * Self.haste.numerator / Self.haste.denominator
    guard let start = start(of: least, wish) else { return nil }
    let end = spans.map(\.range.lowerBound).filter { $0 >= start + least }.map { $0 - Self.gap }
      .reduce(min(wish.limit, start + shortest), min)
    return take(Placement(wording: wish.wordings.count - 1, due: start, room: end - start), wish)
  }

  /// Finds room for an announcement as soon as any of its wordings can begin; of several at one
  /// instant for the fullest.
  package mutating func placeSoonest(_ wish: Wish) -> Placement? {
    let places = wish.wordings.indices.compactMap { index -> Placement? in
      start(of: wish.wordings[index], wish).map {
        Placement(wording: index, due: $0, room: wish.wordings[index])
      }
    }
    guard let soonest = places.min(by: { ($0.due, $0.wording) < ($1.due, $1.wording) }) else {
      return place(wish)
    }
    return take(soonest, wish)
  }

  /// The same as `place`, without speaking anything faster.
  package mutating func placeUnhurried(_ wish: Wish) -> Placement? {
    for (index, length) in wish.wordings.enumerated() {
      if let start = start(of: length, wish) {
        return take(Placement(wording: index, due: start, room: length), wish)
      }
    }
    return nil
  }

  /// Whether there is room for the announcement, in its shortest wording spoken faster.
  package func fits(_ wish: Wish) -> Bool {
    var layout = self
    return layout.place(wish) != nil
  }

  /// The nearest start: when it is due, else earlier, else later.
  private func start(of length: Int64, _ wish: Wish) -> Int64? {
    func fits(_ start: Int64) -> Bool {
      (wish.earliest...wish.latest).contains(start) && start <= wish.limit - length
        && isFree(start..<(start + length), gap: Self.gap)
    }
    if fits(wish.due) { return wish.due }
    var starts = starts(beside: length)
    if wish.limit != .max { starts.append(wish.limit - length) }
    return starts.filter { $0 < wish.due && fits($0) }.max()
      ?? starts.filter { $0 > wish.due && fits($0) }.min()
  }

  /// Where words of that length would begin right before or behind what is said already.
  private func starts(beside length: Int64) -> [Int64] {
    spans.flatMap {
      [$0.range.lowerBound - Self.gap - length, $0.range.upperBound + Self.gap]
    }
  }

  private mutating func take(_ placement: Placement, _ wish: Wish) -> Placement {
    let length = min(placement.room, wish.wordings[placement.wording])
    spans.append(
      Span(
        range: placement.due..<(placement.due + max(1, length)), lane: wish.lane,
        owner: wish.owner, count: nil))
    return placement
  }

  private func isFree(_ range: Range<Int64>, gap: Int64) -> Bool {
    !spans.contains {
      $0.range.lowerBound < range.upperBound + gap && range.lowerBound < $0.range.upperBound + gap
    }
  }
}
