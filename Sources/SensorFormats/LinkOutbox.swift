/// The actions that a link has yet to hand to its owner, and the calls of BlueZ that are not answered yet.
struct LinkOutbox: Sendable {
  private var pending: [Int: LinkCall] = [:]
  private var lastCall = 0
  private var actions: [LinkAction] = []

  /// No call waits for its answer.
  var isAnswered: Bool { pending.isEmpty }

  /// - Returns: the number under which it is answered.
  @discardableResult
  mutating func call(_ call: LinkCall) -> Int {
    lastCall += 1
    pending[lastCall] = call
    actions.append(.call(lastCall, call))
    return lastCall
  }

  mutating func add(_ action: LinkAction) { actions.append(action) }

  mutating func log(_ line: String) { actions.append(.log(line)) }

  /// The call that is answered; nil where its answer is not waited for any more.
  mutating func answered(_ number: Int) -> LinkCall? { pending.removeValue(forKey: number) }

  /// Waits for no answer any more, but that to a listing where `keepsLists` says so.
  mutating func forget(keepsLists: Bool) {
    pending = pending.filter { keepsLists && $0.value == .list }
  }

  mutating func take() -> [LinkAction] {
    defer { actions = [] }
    return actions
  }
}
