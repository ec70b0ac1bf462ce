/// Finds room for words, so that no two announcements of any lanes overlap.
///
/// Lengths are those of the trimmed clips. Places go to those who ask first: the caller asks in the order
/// of priority.
package struct AnnouncementLayout: Hashable, Sendable {
  /// From the end of the lead-in to the first count word: a breath, and how short and long it may be.
  package static let leadInGap: Duration = .milliseconds(150)
  package static let leadInGaps: ClosedRange<Duration> = .milliseconds(80)...(.milliseconds(250))

  /// Between two announcements.
  package static let gap: Duration = .milliseconds(100)

  /// The longest a count word may sound: a second, less a pause before the next one.
  package static let longestCount: Duration = .milliseconds(900)
  /// How long numbers are that are understood.
  package static let countLengths = Duration.milliseconds(150)...longestCount

  /// How long the same words become when they are spoken a quarter faster: four fifths.
  static func hurried(_ length: Duration) -> Duration { length * 4 / 5 }

  /// Two equal count words that begin within this time of each other are one.
  private static let simultaneous: Duration = .milliseconds(2)

  /// When something is being said. Spans do not overlap.
  private struct Span: Hashable {
    let range: Range<BootInstant>
    let lane: Int
    /// Which of the lane's announcements it is a part of.
    let owner: Int
    /// The count word; nil for other words.
    let count: String?
  }

  /// One announcement in wordings of these lengths, the fullest first.
  package struct Wish: Hashable, Sendable {
    package var lane: Int
    /// Identifies the announcement within its lane, for `withdraw`.
    package var owner: Int
    package var wordings: [Duration]
    /// When it should begin, and between which instants it may.
    package var due: BootInstant
    package var earliest: BootInstant
    package var latest: BootInstant
    /// When it must be over.
    package var limit: BootInstant
    /// How long it is quiet afterwards, before other words and the limit: the first of these with which there is room.
    package var pauses: [Duration] = [.zero]

    package init(
      lane: Int, owner: Int = 0, wordings: [Duration], due: BootInstant,
      earliest: BootInstant? = nil, latest: BootInstant? = nil, limit: BootInstant? = nil
    ) {
      self.lane = lane
      self.owner = owner
      self.wordings = wordings
      self.due = due
      self.earliest = min(due, earliest ?? due)
      self.latest = max(due, latest ?? .never)
      self.limit = limit ?? .never
    }
  }

  /// An announcement at its place.
  package struct Placement: Hashable, Sendable {
    /// The index of its wording.
    package let wording: Int
    package let due: BootInstant
    /// How long it may sound; a longer wording must be spoken faster.
    package let room: Duration

    /// When it is over.
    package var end: BootInstant { due + room }

    package init(wording: Int, due: BootInstant, room: Duration) {
      self.wording = wording
      self.due = due
      self.room = room
    }
  }

  package struct Count: Hashable, Sendable {
    package var word: String
    package var due: BootInstant
    package var length: Duration

    package init(word: String, due: BootInstant, length: Duration) {
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

  /// In order.
  private var spans: [Span] = []

  package init() {}

  /// Forgets what has been said by `now`.
  package mutating func forget(before now: BootInstant) {
    spans.removeAll { $0.range.upperBound <= now }
  }

  /// Forgets what a lane was still to say from `now` on.
  package mutating func withdraw(lane: Int, at now: BootInstant) {
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

  /// Runs `body` on a layout in which `others` has taken places first; those are not kept.
  package mutating func place<Result>(
    _ body: (inout AnnouncementLayout) -> Result,
    beside others: (inout AnnouncementLayout) -> Void
  ) -> Result {
    var whole = self
    others(&whole)
    var before = whole.spans[...]
    let result = body(&whole)
    // What was there is still there, in its order.
    for span in whole.spans {
      if span == before.first { before.removeFirst() } else { insert(span) }
    }
    return result
  }

  // MARK: Counts

  /// Puts count words on their instants. A word that overlaps another has no room, or shares its place
  /// where another lane says the same word at the same time.
  package mutating func place(_ counts: [Count], lane: Int, owner: Int = 0) -> [CountFate] {
    counts.map { count in
      let range = Self.range(from: count.due, count.length)
      if isFree(range, gap: .zero) {
        insert(Span(range: range, lane: lane, owner: owner, count: count.word))
        return .said
      }
      let isSame = spans.contains {
        $0.count == count.word
          && ($0.range.lowerBound - count.due).magnitude <= Self.simultaneous
      }
      return isSame ? .shared : .noRoom
    }
  }

  /// Puts the words that lead up to a count before its first word, which begins at `first`. Ignores the
  /// wish's `due`, `latest` and `limit`.
  package mutating func placeLeadIn(_ wish: Wish, before first: BootInstant) -> Placement? {
    if let placement = placeLeadInUnhurried(wish, before: first) { return placement }
    guard let shortest = wish.wordings.last else { return nil }
    // Faster, from where there is room up to the count.
    let end = first - Self.leadInGaps.lowerBound
    let least = Self.hurried(shortest)
    let next = firstSpan { $0.lowerBound >= end }
    let from =
      next == 0 ? wish.earliest : max(wish.earliest, spans[next - 1].range.upperBound + Self.gap)
    guard end - from >= least, isFree(from..<end, gap: Self.gap) else { return nil }
    return take(Placement(wording: wish.wordings.count - 1, due: from, room: end - from), wish)
  }

  /// The same as `placeLeadIn`, without speaking anything faster.
  package mutating func placeLeadInUnhurried(_ wish: Wish, before first: BootInstant) -> Placement?
  {
    let gaps = Self.leadInGaps
    for (index, length) in wish.wordings.enumerated() {
      let window =
        (first - gaps.upperBound - length)...(first - gaps.lowerBound - length)
      guard window.upperBound >= wish.earliest else { continue }
      let from = max(window.lowerBound, wish.earliest)
      let best = min(max(first - Self.leadInGap - length, from), window.upperBound)
      if let start = start(of: length, near: best, from: from, to: window.upperBound) {
        return take(Placement(wording: index, due: start, room: length), wish)
      }
    }
    return nil
  }

  // MARK: Other words

  /// Finds room for an announcement: for the fullest wording when it is due, earlier or later, then for
  /// the shorter ones, then for the shortest spoken faster. Nil where there is none.
  package mutating func place(_ wish: Wish) -> Placement? {
    if let placement = placeUnhurried(wish) { return placement }
    guard let shortest = wish.wordings.last else { return nil }
    let least = Self.hurried(shortest)
    guard let start = start(of: least, wish) else { return nil }
    let next = firstSpan { $0.lowerBound >= start + least }
    let longest = min(wish.limit, start + shortest)
    let end =
      next == spans.count ? longest : min(longest, spans[next].range.lowerBound - Self.gap)
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
      for pause in wish.pauses {
        if let start = start(of: length, wish, pause: pause) {
          return take(Placement(wording: index, due: start, room: length), wish)
        }
      }
    }
    return nil
  }

  /// Whether there is room for the announcement, in its shortest wording spoken faster.
  package func fits(_ wish: Wish) -> Bool {
    var layout = self
    return layout.place(wish) != nil
  }

  private func start(
    of length: Duration, _ wish: Wish, pause: Duration = .zero
  ) -> BootInstant? {
    let last = wish.limit == .never ? wish.latest : min(wish.latest, wish.limit - pause - length)
    return start(of: length, near: wish.due, from: wish.earliest, to: last, pause: pause)
  }

  /// The nearest start between two instants: when it is due, else earlier, else later.
  private func start(
    of length: Duration, near due: BootInstant, from earliest: BootInstant,
    to last: BootInstant, pause: Duration = .zero
  ) -> BootInstant? {
    guard earliest <= last else { return nil }
    let gap = max(Self.gap, pause)
    /// The first and the last start between the span before `index` and that at `index`.
    func starts(_ index: Int) -> (first: BootInstant, last: BootInstant) {
      (
        index == 0 ? earliest : max(earliest, spans[index - 1].range.upperBound + Self.gap),
        index == spans.count ? last : min(last, spans[index].range.lowerBound - gap - length)
      )
    }
    let best = min(due, last)
    let place = firstSpan { $0.lowerBound - gap - length >= best }
    if starts(place).first <= best { return best }
    var index = place
    while index > 0 {
      index -= 1
      let (first, last) = starts(index)
      if first <= last { return last }
      if last < earliest { break }
    }
    for index in place...spans.count {
      let (first, end) = starts(index)
      if first <= end { return first }
      if first > last { break }
    }
    return nil
  }

  private mutating func take(_ placement: Placement, _ wish: Wish) -> Placement {
    let length = min(placement.room, wish.wordings[placement.wording])
    insert(
      Span(
        range: Self.range(from: placement.due, length), lane: wish.lane, owner: wish.owner,
        count: nil))
    return placement
  }

  private mutating func insert(_ span: Span) {
    spans.insert(span, at: firstSpan { $0.lowerBound >= span.range.lowerBound })
  }

  private func isFree(_ range: Range<BootInstant>, gap: Duration) -> Bool {
    let next = firstSpan { $0.upperBound + gap > range.lowerBound }
    return next == spans.count || spans[next].range.lowerBound >= range.upperBound + gap
  }

  /// The index of the first span for which `isBehind` is true, as it is for all that follow; their number
  /// where there is none.
  private func firstSpan(_ isBehind: (Range<BootInstant>) -> Bool) -> Int {
    var (low, high) = (0, spans.count)
    while low < high {
      let middle = (low + high) / 2
      if isBehind(spans[middle].range) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Never empty.
  private static func range(
    from start: BootInstant, _ length: Duration
  ) -> Range<BootInstant> { start..<(start + max(.nanoseconds(1), length)) }
}
