import Testing

@testable import cuecoach

/// The key that stops, pressed once and twice.
@Suite struct StopQuestionTests {
  private let now = ContinuousClock.now

  /// Presses the key at some milliseconds, for some lanes; returns whether each press stops.
  private func presses(_ presses: [(lane: Int?, at: Int)]) -> [Bool] {
    var question = StopQuestion()
    return presses.map { question.press(for: $0.lane, at: now + .milliseconds($0.at)) }
  }

  @Test(arguments: [0, 1_000, 5_999]) func theSecondPressInTimeStops(milliseconds: Int) {
    #expect(presses([(1, 0), (1, milliseconds)]) == [false, true])
    #expect(presses([(nil, 0), (nil, milliseconds)]) == [false, true])
  }

  @Test func oneThatComesLateAsksAgain() {
    #expect(presses([(nil, 0), (nil, 6_000), (nil, 7_000)]) == [false, false, true])
  }

  @Test(arguments: [(12_999, true), (13_000, false)])
  func theSecondPressCountsFromWhenTheQuestionWasHeard(milliseconds: Int, stops: Bool) {
    var question = StopQuestion()
    _ = question.press(for: 1, at: now)
    question.willBeHeard(by: now + .seconds(9))
    let stopped = question.press(for: 1, at: now + .milliseconds(milliseconds))
    #expect(stopped == stops)
  }

  @Test func oneThatIsHeardAtOnceLeavesTheTimeAsItIs() {
    var question = StopQuestion()
    question.willBeHeard(by: now + .seconds(9))
    #expect(!question.isAsked)
    _ = question.press(for: nil, at: now)
    question.willBeHeard(by: now + .milliseconds(1_500))
    #expect(question.timeLeft(at: now) == .seconds(6))
  }

  @Test func oneForAnotherLaneAsksAgain() {
    let lanes: [Int?] = [nil, 0, nil, nil]
    #expect(presses(lanes.map { ($0, 0) }) == [false, false, false, true])
  }

  @Test func oneThatFollowsAStopAsksAgain() {
    #expect(presses([(0, 0), (0, 1), (0, 2)]) == [false, true, false])
  }

  @Test func oneAfterAnotherKeyAsksAgain() {
    var question = StopQuestion()
    _ = question.press(for: nil, at: now)
    #expect(question.timeLeft(at: now + .seconds(2)) == .seconds(4))
    #expect(question.timeLeft(at: now + .seconds(9)) == .zero)
    question.withdraw()
    #expect(question.timeLeft(at: now) == nil)
    let stops = question.press(for: nil, at: now)
    #expect(!stops)
  }
}
