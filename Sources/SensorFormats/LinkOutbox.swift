import Instants

/// The actions that a link has yet to hand to its owner, and the calls of BlueZ that are not answered yet.
struct LinkOutbox: Sendable {
  private var pending: [Int: LinkCall] = [:]
  private var lastCall = 0
  private var actions: [LinkAction] = []
  private var lines = LineLimit()

  /// No call waits for its answer.
  var isAnswered: Bool { pending.isEmpty }

  /// When a line that waits may be written; nil where none does.
  var lineDue: BootInstant? { lines.due }

  /// - Returns: the number under which it is answered.
  @discardableResult
  mutating func call(_ call: LinkCall) -> Int {
    lastCall += 1
    pending[lastCall] = call
    actions.append(.call(lastCall, call))
    return lastCall
  }

  mutating func add(_ action: LinkAction) { actions.append(action) }

  mutating func log(_ line: String) { lines.add(line) }

  /// The call that is answered; nil where its answer is not waited for any more.
  mutating func answered(_ number: Int) -> LinkCall? { pending.removeValue(forKey: number) }

  /// Waits for no answer any more, but that to a listing where `keepsLists` says so.
  mutating func forget(keepsLists: Bool) {
    pending = pending.filter { keepsLists && $0.value == .list }
  }

  mutating func take(at now: BootInstant) -> [LinkAction] {
    if let line = lines.take(at: now) { actions.append(.log(line)) }
    defer { actions = [] }
    return actions
  }
}
