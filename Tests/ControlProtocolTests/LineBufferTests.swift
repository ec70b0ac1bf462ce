import ControlProtocol
import Testing

@Suite struct LineBufferTests {
  private func lines(_ buffer: inout LineBuffer, _ text: String) -> [LineBuffer.Line] {
    buffer.append(Array(text.utf8))
  }

  @Test func linesAreTheSameHoweverTheyArrive() {
    let text = "one\ntwo\r\n\nfour"
    for step in 1...text.utf8.count {
      var buffer = LineBuffer(limit: 10)
      var found: [LineBuffer.Line] = []
      let bytes = Array(text.utf8)
      for start in stride(from: 0, to: bytes.count, by: step) {
        found += buffer.append(bytes[start..<min(start + step, bytes.count)])
      }
      #expect(
        found == [.complete(Array("one".utf8)), .complete(Array("two".utf8)), .complete([])])
      #expect(buffer.pendingCount == 4)
    }
  }

  @Test func theLimitCountsTheLineFeed() {
    var buffer = LineBuffer(limit: 4)
    #expect(lines(&buffer, "abc\n") == [.complete(Array("abc".utf8))])
    #expect(lines(&buffer, "abcd\n") == [.tooLong])
    #expect(lines(&buffer, "x\n") == [.complete(Array("x".utf8))])
  }

  @Test func aLineWithoutAnEndIsNotKept() {
    var buffer = LineBuffer(limit: 1000)
    var reports = 0
    for _ in 0..<1000 {
      reports += buffer.append([UInt8](repeating: 65, count: 4096)).count
      #expect(buffer.pendingCount < 1000)
    }
    #expect(reports == 1)
    #expect(lines(&buffer, "\nnext\n") == [.complete(Array("next".utf8))])
  }
}
