/// How long a workout has spent in phases of effort and of rest, without pauses: what was skipped is not in it, and what
/// was repeated is in it each time.
package struct EffortTimes: Hashable, Sendable {
  /// In phases whose kind is an effort.
  package private(set) var work = Duration.zero
  /// In phases whose kind is a rest.
  package private(set) var rest = Duration.zero

  package init(work: Duration = .zero, rest: Duration = .zero) {
    (self.work, self.rest) = (work, rest)
  }

  /// Adds time that was spent in a phase of that kind.
  mutating func add(_ time: Duration, in kind: PhaseKind) {
    if kind.isEffort { work += time }
    if kind.isRest { rest += time }
  }
}
