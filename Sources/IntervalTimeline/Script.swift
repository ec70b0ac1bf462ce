/// What a listener is told of each phase, and when: the one policy of it.
///
/// A *telling* is the phase's name, its length and its target. It comes ahead, in the phase before, or at the phase's
/// own start:
///
/// | Phase | told |
/// |---|---|
/// | after a phase of known end | ahead, before the countdown to the boundary |
/// | after a rest whose end nobody knows | ahead, `CuePlan.nextAt` into that rest |
/// | a rest or a recovery of `longRest` or more | at its start |
/// | a surprise, and the first phase | at its start |
/// | one that was not told ahead | at its start |
/// | `longEnough` or more, told ahead in part for lack of room | at its start again, in full |
/// | shorter than `shortest`, on its own | not |
/// | in a group that is repeated, or in a stretch of a course | with the first of them |
///
/// Everything here is a function of the timeline. What has really been said is the session's to know: `Familiarity`.
package struct Script: Hashable, Sendable {
  /// The shortest phase with a telling of its own: 10 s.
  package static let shortest = Duration.seconds(10)
  /// The shortest rest or recovery that is told at its start rather than ahead: 60 s.
  package static let longRest = Duration.seconds(60)
  /// A phase of at least this length is announced again at its start if part of it had no room before: 60 s.
  static let longEnough = Duration.seconds(60)
  /// A text of the workout's own within this time of the middle replaces the announcement of half: 5 s.
  static let halfwayDistance = Duration.seconds(5)
  /// A text of the workout's own this soon after the start replaces the telling there: 3 s.
  package static let ownText = Duration.seconds(3)
  /// How long after a boundary words begin, after its sound and the last word of a count: 1.2 s.
  static let afterBoundary = Duration.milliseconds(1200)
  /// How long before the countdown, or the first word before a spoken one, a telling begins at the earliest: 9 s.
  static let ahead = Duration.seconds(9)
  /// How long "Set 3 completing in" takes, with the pause behind it: 2 s.
  package static let leadIn = Duration.seconds(2)
  /// How long the words about the whole workout may be; the telling of the first phase follows them: 4 s.
  package static let opening = Duration.seconds(4)
  /// How much later they may come where several people begin at once: 20 s.
  static let openingPatience = Duration.seconds(20)
  /// How long it is quiet after a telling that comes ahead, before the countdown: 1 s, or 0.3 s where it has no room else.
  package static let pauses: [Duration] = [.seconds(1), .milliseconds(300)]
  /// The least time in which a telling can be said.
  static let leastRoom = Duration.milliseconds(1500)
  /// A countdown of beeps takes at most this part of its phase: a third.
  static let beepShare = 3

  /// Where a phase is told.
  package enum Place: Hashable, Sendable {
    /// In the phase before it.
    case ahead
    /// As it begins.
    case atStart
    /// Nowhere: it is too short, or told with others.
    case nowhere
  }

  private let timeline: Timeline

  /// The script of that timeline.
  package init(_ timeline: Timeline) { self.timeline = timeline }

  private func phase(_ index: Int) -> Phase { timeline.entries[index].phase }

  /// Where phase `index` is told, if the phases before it are done in order.
  package func place(of index: Int) -> Place {
    guard isTold(index) else { return .nowhere }
    return isToldAhead(index) ? .ahead : .atStart
  }

  /// False for what is told with others, and for what is too short.
  private func isTold(_ index: Int) -> Bool {
    if beginsTogether(index) { return true }
    guard !isTogether(index) else { return false }
    guard let length = timeline.length(of: index) else { return true }
    return length >= Self.shortest
  }

  private func isToldAhead(_ index: Int) -> Bool {
    guard index > 0, !phase(index).isSurprise, !isLongRest(index) else { return false }
    let before = index - 1
    // A send-off's length is known as soon as it begins, and may be none.
    if phase(before).length.sendOff != nil { return true }
    guard phase(before).length.end == nil, let length = timeline.length(of: before) else {
      return phase(before).kind.isRest
    }
    return length >= Self.afterBoundary + Self.leastRoom
  }

  private func isLongRest(_ index: Int) -> Bool {
    guard phase(index).kind.isRest, phase(index).course == nil else { return false }
    return timeline.length(of: index).map { $0 >= Self.longRest } ?? false
  }

  /// The window in a phase of that length in which the next one is told: from the earliest beginning of the words to the
  /// countdown, before which they are over. Nil where there is none.
  ///
  /// - Parameter isSpoken: whether the countdown is one of words, which have others before them.
  static func window(in length: Duration, countdown: Duration, isSpoken: Bool) -> (
    earliest: Duration, end: Duration
  )? {
    let end = length - countdown
    let earliest = max(afterBoundary, end - ahead - (isSpoken ? leadIn : .zero))
    return end - earliest >= leastRoom ? (earliest, end) : nil
  }

  /// Whether half of the phase is announced; it lasts `length`.
  func tellsHalf(of index: Int, length: Duration) -> Bool {
    let entry = timeline.entries[index]
    switch entry.phase.kind {
    case .high, .work, .low: break
    case .prepare, .warmup, .rest, .recovery, .cooldown: return false
    }
    guard entry.phase.course == nil, !isOnTheMinute(index) else { return false }
    let middle = length / 2
    return !entry.phase.remarks.contains { remark in
      remark.place.offset(in: length).map {
        (middle - Self.halfwayDistance...middle + Self.halfwayDistance).contains($0)
      } ?? false
    }
  }

  /// True for a set of tasks of one length, or of one task, with which the next set begins at once: "every minute on the
  /// minute".
  private func isOnTheMinute(_ index: Int) -> Bool {
    let entry = timeline.entries[index]
    let block = timeline.workout.blocks[entry.block]
    guard (entry.sets ?? 1) > 1, block.sets != nil, block.between == nil else { return false }
    let phases = block.steps.map(\.phase)
    return phases.count == 1
      || phases.allSatisfy { $0.kind == .work && $0.length == entry.phase.length }
  }

  /// Whether a text of the workout's own stands for the telling at the start.
  package func hasOwnText(_ index: Int) -> Bool {
    phase(index).remarks.contains {
      if case .fromStart(let time) = $0.place { time < Self.ownText } else { false }
    }
  }

  // MARK: Phases that are told together

  /// Phases that one text tells.
  package struct Together: Hashable, Sendable {
    /// All of them.
    package let phases: Range<Int>
    /// How many of them are done before the first comes again; all of them in a stretch of a course.
    package let cycle: Int
    /// How often they are done; 1 in a stretch of a course.
    package let times: Int
  }

  /// The phases that are told with phase `index`, if it is the first of them.
  package func together(from index: Int) -> Together? {
    guard beginsTogether(index) else { return nil }
    return stretch(from: index) ?? repetitions(from: index) ?? group(from: index)
  }

  private func beginsTogether(_ index: Int) -> Bool {
    switch phase(index).course {
    case .begins: return true
    case .continues: return false
    case nil: break
    }
    if number(of: index) == 1 { return repetitions(from: index) != nil }
    guard isShort(index), index == 0 || !isShort(index - 1), !isAmongRepetitions(index) else {
      return false
    }
    return group(from: index) != nil
  }

  private func isTogether(_ index: Int) -> Bool {
    phase(index).course == .continues || isAmongRepetitions(index)
      || isShort(index) && index > 0 && isShort(index - 1)
  }

  private func isShort(_ index: Int) -> Bool {
    guard phase(index).course == nil, case .fixed(let length) = phase(index).length else {
      return false
    }
    return length < Self.shortest
  }

  // MARK: A stretch of a course

  private func stretch(from index: Int) -> Together? {
    guard phase(index).course == .begins else { return nil }
    var end = index + 1
    while end < timeline.count, phase(end).course == .continues { end += 1 }
    return Together(phases: index..<end, cycle: end - index, times: 1)
  }

  /// True where the course goes on after phase `index`: a change, not a boundary.
  func courseGoesOn(after index: Int) -> Bool {
    index + 1 < timeline.count && phase(index).course != nil && phase(index + 1).course != nil
  }

  // MARK: Repetitions that are counted aloud

  /// The most phases of one repetition.
  private static let longestRepetition = 4

  /// The number with which a repetition that is counted aloud begins.
  private func number(of index: Int) -> Int? {
    guard let first = phase(index).remarks.first, first.place == .fromStart(.zero) else {
      return nil
    }
    return Int(first.wordings[0].source).flatMap {
      (1...Timeline.maximumPhaseCount).contains($0) ? $0 : nil
    }
  }

  private func repetitions(from index: Int) -> Together? {
    guard number(of: index) == 1 else { return nil }
    let last = min(timeline.count, index + Self.longestRepetition + 1)
    guard let second = (index + 1..<max(index + 1, last)).first(where: { number(of: $0) == 2 })
    else { return nil }
    let cycle = second - index
    var (times, next) = (1, second)
    while next < timeline.count, number(of: next) == times + 1,
      phase(next).sounds(like: phase(index))
    {
      times += 1
      next += cycle
    }
    // The rest after the last repetition may be left out, or be another.
    return Together(
      phases: index..<min(next - cycle + 1, timeline.count), cycle: cycle, times: times)
  }

  private func isAmongRepetitions(_ index: Int) -> Bool {
    for start in stride(from: index, through: max(0, index - Self.longestRepetition), by: -1) {
      guard let number = number(of: start) else { continue }
      if start == index { return number > 1 }
      // A rest between two repetitions.
      return (index + 1...index + Self.longestRepetition).contains { next in
        next < timeline.count && self.number(of: next) == number + 1
      }
    }
    return false
  }

  // MARK: Short phases that are repeated

  /// The most phases that are listed.
  private static let longestCycle = 3

  private func group(from index: Int) -> Together? {
    var end = index
    while end < timeline.count, isShort(end) { end += 1 }
    let count = end - index
    let cycle = (1...Self.longestCycle).first { cycle in
      count >= 2 * cycle - 1 && count > 1
        && (index + cycle..<end).allSatisfy { phase($0).sounds(like: phase($0 - cycle)) }
    }
    guard let cycle else { return nil }
    // Only a rest may be missing after the last.
    let missing = count % cycle == 0 ? 0..<0 : index + count % cycle..<index + cycle
    guard missing.allSatisfy({ phase($0).kind.isRest || phase($0).kind == .low }) else {
      return nil
    }
    return Together(phases: index..<end, cycle: cycle, times: (count + cycle - 1) / cycle)
  }
}

extension Phase {
  /// What a listener hears it called.
  struct Label: Hashable {
    let name: String?
    /// Of a phase without a name.
    let kind: PhaseKind?
  }

  var label: Label { Label(name: name, kind: name == nil ? kind : nil) }

  /// True for a phase of which a listener is told the same.
  func sounds(like other: Phase) -> Bool {
    kind == other.kind && name == other.name && length == other.length
      && intensity == other.intensity
  }
}

/// What a listener knows by its name, because it was told in full twice.
///
/// A name stands for what was last told of it: another length or target under the same name is told in full again.
package struct Familiarity: Hashable, Sendable {
  /// How often a phase is told in full before its name is enough.
  private static let lessons = 2
  /// The most names that are remembered, those that were told last.
  private static let most = 32

  /// Of each name the phases that were told in full, the first of them: all sound alike.
  private var known: [[Int]] = []

  package init() {}

  /// Whether the name of phase `index` is enough.
  package func knows(_ index: Int, in timeline: Timeline) -> Bool {
    guard let place = place(of: index, in: timeline), isSame(known[place][0], index, in: timeline)
    else { return false }
    return known[place].count { $0 < index } >= Self.lessons
  }

  /// Phase `index` has been told, in full or in part: its name does not stand for another one any more.
  mutating func note(_ index: Int, isWhole: Bool = true, in timeline: Timeline) {
    let place = place(of: index, in: timeline)
    guard isWhole else {
      if let place, !isSame(known[place][0], index, in: timeline) { known.remove(at: place) }
      return
    }
    guard let place else {
      if known.count == Self.most { known.removeFirst() }
      known.append([index])
      return
    }
    if !isSame(known[place][0], index, in: timeline) {
      known[place] = [index]
    } else if known[place].count < Self.lessons, !known[place].contains(index) {
      known[place].append(index)
    }
  }

  /// Among those that are known.
  private func place(of index: Int, in timeline: Timeline) -> Int? {
    let label = timeline.entries[index].phase.label
    return known.firstIndex { timeline.entries[$0[0]].phase.label == label }
  }

  private func isSame(_ one: Int, _ other: Int, in timeline: Timeline) -> Bool {
    timeline.entries[one].phase.sounds(like: timeline.entries[other].phase)
  }
}
