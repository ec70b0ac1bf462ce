import Testing

@testable import CueSound

struct RingTests {
  @Test func itKeepsTheOrderAndRefusesWhatDoesNotFit() {
    let ring = Ring<Int>.allocate(atLeast: 3)
    defer { ring.deallocate() }
    #expect(ring.capacity == 4)
    #expect(ring.pop() == nil)
    for value in 1...4 { #expect(ring.push(value)) }
    #expect(!ring.push(5))
    #expect(ring.pop() == 1)
    #expect(ring.push(5))
    #expect([ring.pop(), ring.pop(), ring.pop(), ring.pop(), ring.pop()] == [2, 3, 4, 5, nil])
  }

  @Test func blocksGoRoundTheEnd() {
    let ring = Ring<Int16>.allocate(atLeast: 8)
    defer { ring.deallocate() }
    var out = [Int16](repeating: 0, count: 8)
    var next: Int16 = 0
    var expected: Int16 = 0
    for _ in 0..<100 {
      let source = (0..<5).map { next + Int16($0) }
      next += Int16(ring.push(source, count: 5))
      let popped = ring.pop(into: &out, count: 3)
      for index in 0..<popped {
        #expect(out[index] == expected)
        expected += 1
      }
    }
    #expect(ring.push([1, 2, 3, 4, 5, 6, 7, 8, 9], count: 9) <= 8)
  }

  @Test func twoThreadsSeeEveryElementInOrder() async {
    let ring = Ring<Int>.allocate(atLeast: 64)
    defer { ring.deallocate() }
    let count = 200_000
    let producer = Task.detached {
      var value = 0
      while value < count { if ring.push(value) { value += 1 } else { await Task.yield() } }
    }
    var expected = 0
    while expected < count {
      if let value = ring.pop() {
        guard value == expected else {
          Issue.record("\(value) instead of \(expected)")
          break
        }
        expected += 1
      } else {
        await Task.yield()
      }
    }
    await producer.value
  }
}
