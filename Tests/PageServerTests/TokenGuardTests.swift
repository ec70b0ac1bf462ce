import PageServer
import Testing

@Suite struct TokenGuardTests {
  private var tokens = TokenGuard()
  private static let second: Int64 = 1_000_000_000
  private let phone = PeerAddress(192, 168, 1, 30)

  @Test mutating func theRightTokenOpens() {
    #expect(tokens.check("abc", against: "abc", from: phone, at: 0) == .open)
    #expect(tokens.check("abd", against: "abc", from: phone, at: 0) == .closed)
    #expect(tokens.check("ab", against: "abc", from: phone, at: 0) == .closed)
    #expect(tokens.check("", against: "abc", from: phone, at: 0) == .closed)
    #expect(tokens.check("", against: nil, from: phone, at: 0) == .closed)
  }

  @Test mutating func afterFiveWrongTokensFurtherOnesWaitAndTheRightOneOpens() {
    for _ in 0..<5 { #expect(tokens.check("x", against: "abc", from: phone, at: 0) == .closed) }
    #expect(tokens.check("x", against: "abc", from: phone, at: 0) == .wait(11))
    #expect(tokens.check("abc", against: "abc", from: phone, at: 0) == .open)
    // It forgives nobody: another one of this address may be guessing.
    #expect(tokens.check("x", against: "abc", from: phone, at: 0) == .wait(11))
    // Waiting is not made longer by asking.
    for at in 0..<9 {
      _ = tokens.check("x", against: "abc", from: phone, at: Int64(at) * Self.second)
    }
    #expect(tokens.check("x", against: "abc", from: phone, at: 10 * Self.second) == .closed)
    #expect(tokens.check("x", against: "abc", from: phone, at: 10 * Self.second) == .wait(11))
    #expect(tokens.check("x", against: "abc", from: phone, at: 20 * Self.second) == .closed)
  }

  @Test mutating func aMissingTokenIsNoGuess() {
    for _ in 0..<20 { #expect(tokens.check(nil, against: "abc", from: phone, at: 0) == .closed) }
    #expect(tokens.check("abc", against: "abc", from: phone, at: 0) == .open)
  }

  @Test mutating func othersAreNotSlowedDown() {
    for _ in 0..<9 { _ = tokens.check("x", against: "abc", from: phone, at: 0) }
    let other = PeerAddress(192, 168, 1, 31)
    #expect(tokens.check("abc", against: "abc", from: other, at: 0) == .open)
  }

  @Test mutating func aHostOfIPv6IsOneHoweverManyAddressesItTakes() throws {
    func address(_ last: UInt8) throws -> PeerAddress {
      try #require(PeerAddress([0x20, 1, 0xd, 0xb8] + Array(repeating: 0, count: 11) + [last]))
    }
    for last in 0..<5 {
      _ = tokens.check("x", against: "abc", from: try address(UInt8(last)), at: 0)
    }
    #expect(tokens.check("x", against: "abc", from: try address(77), at: 0) == .wait(11))
  }

  @Test mutating func aThousandAddressesDoNotForgiveTheWorst() {
    for _ in 0..<9 { _ = tokens.check("x", against: "abc", from: phone, at: 0) }
    for number in 0..<1000 {
      let other = PeerAddress(10, 0, UInt8(number / 256), UInt8(number % 256))
      _ = tokens.check("x", against: "abc", from: other, at: 0)
    }
    #expect(tokens.check("x", against: "abc", from: phone, at: 0) == .wait(11))
  }

  @Test func addressesOfThisMachineAreKnown() throws {
    #expect(PeerAddress(127, 0, 0, 1).isLoopback)
    #expect(PeerAddress(127, 200, 0, 1).isLoopback)
    #expect(!PeerAddress(192, 168, 1, 1).isLoopback)
    #expect(!PeerAddress(0, 0, 0, 0).isLoopback)
    let one = try #require(PeerAddress(Array(repeating: 0, count: 15) + [1]))
    #expect(one.isLoopback)
    let nobody = try #require(PeerAddress(Array(repeating: 0, count: 16)))
    #expect(!nobody.isLoopback)
  }
}
