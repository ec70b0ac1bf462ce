import PageServer
import Testing

@Suite struct ConnectionTableTests {
  private var table = ConnectionTable()
  private static let second: Int64 = 1_000_000_000
  private let phone = PeerAddress(192, 168, 1, 30)

  @Test mutating func theOldestUnfinishedMakesRoom() {
    for id in 0..<48 {
      #expect(table.opened(Int32(id), from: .loopback, at: Int64(id)) == [])
    }
    #expect(table.opened(100, from: .loopback, at: 100) == [0])
    #expect(table.opened(101, from: .loopback, at: 101) == [1])
    // Those that go no longer count, closed or not yet.
    table.closed(0)
    #expect(table.opened(102, from: .loopback, at: 102) == [2])
    table.closed(50)
    #expect(table.count(of: .unfinished) == 48)
  }

  @Test mutating func streamsAndWaitingRequestsAreNotDismissed() {
    for id in 0..<60 {
      _ = table.opened(Int32(id), from: .loopback, at: 0)
      #expect(table.enter(id < 50 ? .stream : .waiting, Int32(id), at: 0) == true)
    }
    for id in 100..<148 { #expect(table.opened(Int32(id), from: .loopback, at: 1) == []) }
    #expect(table.opened(148, from: .loopback, at: 2) == [100])
    let late = table.sweep(at: 100 * Self.second)
    #expect(late.allSatisfy { $0 >= 100 })
    #expect(table.count(of: .stream) == 50)
  }

  @Test mutating func oneAddressHasItsShare() {
    for id in 0..<24 { #expect(table.opened(Int32(id), from: phone, at: Int64(id)) == []) }
    #expect(table.opened(24, from: phone, at: 24) == [0])
    let other = PeerAddress(192, 168, 1, 31)
    #expect(table.opened(25, from: other, at: 25) == [])
    #expect(table.opened(26, from: phone, at: 26) == [1])
  }

  @Test mutating func unfinishedHasFifteenSeconds() {
    _ = table.opened(1, from: .loopback, at: 0)
    _ = table.opened(2, from: .loopback, at: 5 * Self.second)
    #expect(table.sweep(at: 15 * Self.second - 1) == [])
    #expect(table.sweep(at: 15 * Self.second) == [1])
    #expect(table.sweep(at: 16 * Self.second) == [])
    // A request that was completed begins a new time.
    #expect(table.enter(.unfinished, 2, at: 19 * Self.second) == true)
    #expect(table.sweep(at: 33 * Self.second) == [])
    #expect(table.sweep(at: 34 * Self.second) == [2])
  }

  @Test mutating func streamsHaveALimit() {
    for id in 0..<80 {
      _ = table.opened(Int32(id), from: .loopback, at: 0)
      #expect(table.enter(.stream, Int32(id), at: 0) == true)
    }
    _ = table.opened(80, from: .loopback, at: 0)
    #expect(table.enter(.stream, 80, at: 0) == false)
    table.closed(7)
    #expect(table.enter(.stream, 80, at: 0) == true)
    #expect(table.enter(.stream, 999, at: 0) == false)
  }

  @Test func whatTheLibraryTakesIsEnoughForAll() {
    #expect(
      ConnectionTable.unfinished + ConnectionTable.streams + ConnectionTable.waiting
        < ConnectionTable.total)
  }
}
