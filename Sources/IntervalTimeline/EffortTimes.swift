/// How long a workout has spent in phases of effort and of rest, without pauses: what was skipped is not in it, and what
/// was repeated is in it each time.
package struct EffortTimes: Hashable, Codable, Sendable {
  /// In phases whose kind is an effort.
  package private(set) var work = Duration.zero
  /// In phases whose kind is a rest.
  package private(set) var rest = Duration.zero

  package init(work: Duration = .zero, rest: Duration = .zero) {
    (self.work, self.rest) = (work, rest)
  }

  /// False for times that no workout has, such as those of a damaged record.
  var isSane: Bool { [work, rest].allSatisfy { (.zero...Self.longest).contains($0) } }
  private static let longest = Duration.seconds(100 * 366 * 86_400)

  /// Adds time that was spent in a phase of that kind.
  package mutating func add(_ time: Duration, in kind: PhaseKind) {
    if kind.isEffort { work += time }
    if kind.isRest { rest += time }
  }
}

extension Transport {
  /// Adds the time of the phases between the last move and one that is not before it.
  func add(before index: Int, to times: inout EffortTimes) {
    for phase in anchorPhase..<max(anchorPhase, index) {
      times.add(length(of: phase) ?? .zero, in: timeline.entries[phase].phase.kind)
    }
  }
}
