import SurfaceProgram
import Testing

@Suite struct ReadLimitTests {
  private let window: Int64 = 100_000_000

  @Test func whoSendsWithoutAnEndIsReadInPortions() {
    var limit = ReadLimit(10)
    let start: Int64 = 5 * window
    #expect(limit.left(at: start) == 10 && limit.rest(at: start) == nil)
    limit.take(4, at: start)
    #expect(limit.left(at: start + 1) == 6 && limit.rest(at: start + 1) == nil)
    // A portion may be larger than what is left.
    limit.take(9, at: start + 1)
    #expect(limit.left(at: start + 2) == 0 && limit.rest(at: start + 2) == start + window)
    #expect(limit.rest(at: start + window - 1) == start + window)
    #expect(limit.left(at: start + window) == 10 && limit.rest(at: start + window) == nil)
    limit.take(1, at: start + window)
    #expect(limit.left(at: start + window) == 9)
  }
}
