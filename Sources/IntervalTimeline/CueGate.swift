/// Decides whether an announcement may be said: no set twice, nothing twice within a window.
///
/// There are two independent rules:
/// - set tracking: each set is announced once; the last set of a block always passes;
/// - the window: no announcement is repeated within `window`, whatever the first rule says.
package struct CueGate: Hashable, Sendable {
  /// Identifies an announcement.
  package enum Key: Hashable, Codable, Sendable {
    case setCompletion(block: Int, set: Int)
    case halfway(phase: Int)
    case next(phase: Int)
  }

  /// Whether an announcement may be said, and if not, which rule forbids it.
  package enum Verdict: Hashable, Sendable {
    /// It may be said, and counts as said from now on.
    case pass
    /// The set has been announced.
    case announced
    /// The same announcement was made less than `window` ago.
    case withinWindow
  }

  /// 10 s by default.
  package let window: Duration
  /// Sets that have been announced, including the last of each block.
  private var announced: Set<Key> = []
  private var lastDue: [Key: BootInstant] = [:]

  package init(window: Duration = .seconds(10)) {
    self.window = window
  }

  /// The stored part of a gate.
  package struct Memory: Hashable, Codable, Sendable {
    package struct Recent: Hashable, Codable, Sendable {
      package var key: Key
      package var due: BootInstant
    }

    package var announced: [Key]
    package var recent: [Recent]
  }

  package var memory: Memory {
    Memory(
      announced: Array(announced), recent: lastDue.map { Memory.Recent(key: $0, due: $1) })
  }

  package init(window: Duration, _ memory: Memory) {
    self.window = window
    announced = Set(memory.announced)
    lastDue = Dictionary(
      memory.recent.map { ($0.key, $0.due) }, uniquingKeysWith: { max($0, $1) })
  }

  /// Decides about an announcement due at `due`, and records it if it passes.
  package mutating func admit(_ key: Key, isLastSet: Bool, due: BootInstant) -> Verdict {
    if case .setCompletion = key, announced.contains(key), !isLastSet { return .announced }
    if let last = lastDue[key], last.duration(to: due) < window { return .withinWindow }
    // Entries older than the window have no effect any more.
    lastDue = lastDue.filter { $0.value.duration(to: due) < window }
    lastDue[key] = due
    if case .setCompletion = key { announced.insert(key) }
    return .pass
  }

  /// Withdraws an announcement of which nothing was heard: it may be repeated at once.
  package mutating func withdraw(_ key: Key) {
    announced.remove(key)
    lastDue[key] = nil
  }

  /// Withdraws an announcement that was cut off: its set may be announced again after the window.
  package mutating func interrupt(_ key: Key) {
    announced.remove(key)
  }

  /// The workout went back to `set` of `block`: this set and all later ones may be announced again.
  package mutating func goBack(toBlock block: Int, set: Int?) {
    announced = announced.filter {
      guard case .setCompletion(let otherBlock, let otherSet) = $0 else { return true }
      return (otherBlock, otherSet) < (block, set ?? 0)
    }
  }
}
