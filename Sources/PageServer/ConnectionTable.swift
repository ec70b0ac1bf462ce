/// Which connections there are, and which of them must go: a client that sends a byte now and then, or
/// never reads, has its time, and makes room for others.
package struct ConnectionTable: Sendable {
  /// Connections that neither read events nor wait for the coach.
  package static let unfinished = 48
  /// Of one address that is not this machine.
  package static let perAddress = 24
  /// Streams of events.
  package static let streams = 80
  /// Requests that wait for the coach.
  package static let waiting = 32
  /// Everything together, for the HTTP library; more than the sum of the others.
  package static let total = 176
  /// For one request and its answer, nanoseconds.
  package static let deadline: Int64 = 15_000_000_000

  package enum Stage: Hashable, Sendable {
    /// Receives a request, or sends an answer.
    case unfinished
    case waiting
    case stream
  }

  private struct Connection {
    var peer: PeerAddress
    var since: Int64
    var stage = Stage.unfinished
    /// Has been shut down, and is not counted.
    var isGoing = false
  }

  private var connections: [Int32: Connection] = [:]

  package init() {}

  package var count: Int { connections.count }

  package func count(of stage: Stage) -> Int {
    connections.values.count { $0.stage == stage && !$0.isGoing }
  }

  /// - Returns: the connections that make room for it, to be shut down.
  package mutating func opened(_ id: Int32, from peer: PeerAddress, at now: Int64) -> [Int32] {
    connections[id] = Connection(peer: peer.household, since: now)
    var leaving: [Int32] = []
    if !peer.isLoopback {
      let neighbours = connections.filter { $0.value.peer == peer.household && !$0.value.isGoing }
      if neighbours.count > Self.perAddress { leaving += dismissOldest(of: neighbours.keys) }
    }
    if count(of: .unfinished) > Self.unfinished { leaving += dismissOldest(of: connections.keys) }
    return leaving
  }

  private mutating func dismissOldest(of ids: some Sequence<Int32>) -> [Int32] {
    let unfinished = ids.compactMap { id in
      connections[id].flatMap { $0.stage == .unfinished && !$0.isGoing ? (id, $0.since) : nil }
    }
    guard let oldest = unfinished.min(by: { ($0.1, $0.0) < ($1.1, $1.0) }) else { return [] }
    connections[oldest.0]?.isGoing = true
    return [oldest.0]
  }

  /// - Returns: false where there are enough of that stage.
  package mutating func enter(_ stage: Stage, _ id: Int32, at now: Int64) -> Bool {
    guard let connection = connections[id] else { return false }
    let room =
      switch stage {
      case .unfinished: Int.max
      case .waiting: Self.waiting
      case .stream: Self.streams
      }
    guard connection.stage == stage || count(of: stage) < room else { return false }
    connections[id]?.stage = stage
    connections[id]?.since = now
    return true
  }

  package mutating func closed(_ id: Int32) { connections[id] = nil }

  /// - Returns: the connections whose time is over, to be shut down.
  package mutating func sweep(at now: Int64) -> [Int32] {
    let late = connections.filter {
      $0.value.stage == .unfinished && !$0.value.isGoing && now - $0.value.since >= Self.deadline
    }
    for id in late.keys { connections[id]?.isGoing = true }
    return late.keys.sorted()
  }
}
