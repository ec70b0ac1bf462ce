/// Decides whether an announcement may be said: no set twice, nothing twice within a window.
///
/// Two layers, each a rule of its own:
/// - set tracking: one announcement for each set; the last set of a block always passes;
/// - the window: the same announcement not again within `window`, whatever the first layer says.
public struct CueGate: Hashable, Sendable {
  /// Which announcement it is.
  public enum Key: Hashable, Codable, Sendable {
    case setCompletion(block: Int, set: Int)
    case halfway(phase: Int)
    case next(phase: Int)
  }

  public enum Verdict: Hashable, Sendable {
    case pass
    /// The set has been announced.
    case announced
    /// The same announcement was made less than `window` ago.
    case withinWindow
  }

  /// 10 s unless told otherwise.
  public let window: Duration
  /// Sets that have been announced, the last of each block included.
  private var announced: Set<Key> = []
  private var lastDue: [Key: BootInstant] = [:]

  public init(window: Duration = .seconds(10)) {
    self.window = window
  }

  /// What a gate remembers.
  public struct Memory: Hashable, Codable, Sendable {
    public struct Recent: Hashable, Codable, Sendable {
      public var key: Key
      public var due: BootInstant
    }

    public var announced: [Key]
    public var recent: [Recent]
  }

  public var memory: Memory {
    Memory(
      announced: Array(announced), recent: lastDue.map { Memory.Recent(key: $0, due: $1) })
  }

  public init(window: Duration, _ memory: Memory) {
    self.window = window
    announced = Set(memory.announced)
    lastDue = Dictionary(
      memory.recent.map { ($0.key, $0.due) }, uniquingKeysWith: { max($0, $1) })
  }

  /// Asks for an announcement due at `due`, and notes it when it passes.
  public mutating func admit(_ key: Key, isLastSet: Bool, due: BootInstant) -> Verdict {
    if case .setCompletion = key, announced.contains(key), !isLastSet { return .announced }
    if let last = lastDue[key], last.duration(to: due) < window { return .withinWindow }
    // Only what can still hold something back is kept.
    lastDue = lastDue.filter { $0.value.duration(to: due) < window }
    lastDue[key] = due
    if case .setCompletion = key { announced.insert(key) }
    return .pass
  }

  /// Takes an announcement back of which nothing was heard: it may come again at once.
  public mutating func withdraw(_ key: Key) {
    announced.remove(key)
    lastDue[key] = nil
  }

  /// Takes an announcement back that was cut off: its set may be announced again, after the window.
  public mutating func interrupt(_ key: Key) {
    announced.remove(key)
  }

  /// The workout went back to `set` of `block`: it and every later set may be announced again.
  public mutating func goBack(toBlock block: Int, set: Int?) {
    announced = announced.filter {
      guard case .setCompletion(let otherBlock, let otherSet) = $0 else { return true }
      return (otherBlock, otherSet) < (block, set ?? 0)
    }
  }
}
