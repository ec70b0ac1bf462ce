import PageServer
import Testing

@Suite struct EventRingTests {
  @Test func eachReaderHasItsOwnPace() {
    var ring = EventRing()
    #expect(ring.read(at: 0) == .upToDate)
    for number in 0..<100 {
      ring.append([UInt8(number)])
      #expect(ring.read(at: UInt64(number)) == .event([UInt8(number)]))
      #expect(ring.read(at: UInt64(number) + 1) == .upToDate)
    }
    for position in 68..<100 {
      #expect(ring.read(at: UInt64(position)) == .event([UInt8(position)]))
    }
    #expect(ring.read(at: 67) == .lost)
    #expect(ring.read(at: 0) == .lost)
    #expect(ring.end == 100)
  }
}
