import IntervalTimeline
import Phrases
import Presets

/// The phases of a workout in words, what is repeated said once: "8 times: All out 0:20, Rest 0:10".
struct PhaseSummary {
  /// A run of phases that is done some times.
  private struct Group {
    let times: Int
    let range: Range<Int>
    /// The last time ends before the last phase of the run.
    var lacksLast = false

    /// How many phases it takes in.
    var count: Int { range.count * times - (lacksLast ? 1 : 0) }
  }

  /// More lines are left out.
  static let maximumLines = 20
  /// The most phases that a line names without a repetition.
  private static let maximumNames = 20
  /// The longest run of phases whose repetition is found.
  private static let longestRun = 64

  private(set) var lines: [String] = []
  private let timeline: Timeline
  private let phrases: PhraseCatalogue
  /// A number for each entry, the same for the same phase: quick to compare.
  private let alike: [Int32]

  init(_ timeline: Timeline, _ phrases: PhraseCatalogue) {
    self.timeline = timeline
    self.phrases = phrases
    var numbers: [Phase: Int32] = [:]
    alike = timeline.entries.map { entry in
      var phase = entry.phase
      phase.remarks = []
      if let number = numbers[phase] { return number }
      let number = Int32(numbers.count)
      numbers[phase] = number
      return number
    }
    describe()
  }

  private mutating func describe() {
    var start = 0
    while start < timeline.count {
      var end = start + 1
      while end < timeline.count, timeline.entries[end].block == timeline.entries[start].block {
        end += 1
      }
      start = describe(start..<end)
      guard lines.count < Self.maximumLines || start == timeline.count else {
        lines.append("and \(WorkoutProfile.count(timeline.count - start, "more phase"))")
        return
      }
    }
  }

  /// Adds the lines of a block as long as there is room. Returns where it stopped.
  private mutating func describe(_ block: Range<Int>) -> Int {
    var start = block.lowerBound
    // Phases that are done once share a line.
    var names: [String] = []
    while start < block.upperBound {
      let group = group(at: start, before: block.upperBound)
      if !names.isEmpty, group.times > 1 || names.count == Self.maximumNames {
        lines.append(names.joined(separator: ", "))
        names = []
      }
      guard lines.count < Self.maximumLines else { return start }
      if group.times > 1 {
        lines.append("\(group.times) times: \(text(of: group))")
      } else {
        names.append(name(start))
      }
      start += group.count
    }
    if !names.isEmpty { lines.append(names.joined(separator: ", ")) }
    return start
  }

  /// What begins at an entry: the repetition that takes in the most phases before `end`; of several a set, else the
  /// shortest run.
  private func group(at start: Int, before end: Int) -> Group {
    var best = Group(times: 1, range: start..<start + 1)
    let set = setLength(at: start)
    for period in 1...Self.longestRun where start + period < end {
      var same = start + period
      while same < end, alike[same] == alike[same - period] { same += 1 }
      let (times, rest) = (same - start).quotientAndRemainder(dividingBy: period)
      let lacksLast = period > 1 && times > 1 && rest == period - 1 && same == end
      let whole = lacksLast ? times + 1 : times
      let group = Group(times: whole, range: start..<start + period, lacksLast: lacksLast)
      // Two of the same are shorter without words about it.
      if (whole - 1) * period > 1,
        group.count > best.count || group.count == best.count && period == set
      {
        best = group
      }
    }
    return best
  }

  /// How many phases the set has that begins at an entry; nil where none does.
  private func setLength(at start: Int) -> Int? {
    let entries = timeline.entries
    guard let set = entries[start].set, start == 0 || entries[start - 1].set != set else {
      return nil
    }
    return entries[start...].firstIndex { $0.set != set }.map { $0 - start }
  }

  /// The phases of one time, in which others may be repeated.
  private func text(of group: Group) -> String {
    var pieces: [String] = []
    var start = group.range.lowerBound
    while start < group.range.upperBound {
      let inner = self.group(at: start, before: group.range.upperBound)
      pieces.append(
        inner.times > 1 ? "\(inner.times) times (\(text(of: inner)))" : name(start))
      start += inner.count
    }
    let last = group.lacksLast ? ["without the last \(name(group.range.upperBound - 1))"] : []
    return (pieces + last).joined(separator: ", ")
  }

  private func name(_ index: Int) -> String {
    let phase = timeline.entries[index].phase
    let intensity = phase.intensity.map { " (\($0.singleLine))" } ?? ""
    let metronome = phase.metronome.map { ", metronome \(MetronomeForm.text(of: $0))" } ?? ""
    let tempo = phase.glides.map { ", tempo \(TempoForm.text(of: $0))" } ?? ""
    return
      "\(phrases.name(of: phase).shownName) \(phase.length.text)\(intensity)\(metronome)\(tempo)"
  }
}
