import Testing

@testable import CueSound

struct AnnouncementLayoutTests {
  private let millisecond: Int64 = 1_000_000

  /// Count words for 3, 2, 1, 0 s before 10 s, each `length` ms long.
  private func counts(_ length: Int64, from: Int = 3) -> [(due: Int64, length: Int64)] {
    (0...from).reversed().map { (10_000 - Int64($0) * 1000, length) }
      .map { ($0.0 * millisecond, $0.1 * millisecond) }
  }

  private func text(_ placements: [AnnouncementLayout.Placement]) -> [String] {
    placements.map { "\($0.part)@\($0.due / millisecond)" }
  }

  @Test func theLeadInEndsAHundredAndFiftyMillisecondsBeforeTheFirstNumber() {
    var layout = AnnouncementLayout()
    let placements = layout.placeCount(
      leadIns: [1_400 * millisecond, 700 * millisecond], counts: counts(400),
      earliest: 4_500 * millisecond)
    #expect(text(placements) == ["-1@5450", "1@7000", "2@8000", "3@9000", "4@10000"])
  }

  @Test func aShorterLeadInTakesThePlaceOfOneThatDoesNotFit() {
    var layout = AnnouncementLayout()
    let placements = layout.placeCount(
      leadIns: [1_400 * millisecond, 700 * millisecond], counts: counts(400),
      earliest: 5_800 * millisecond)
    #expect(text(placements) == ["-2@6150", "1@7000", "2@8000", "3@9000", "4@10000"])
  }

  @Test func aNumberTooLongForItsSecondIsLeftOutForTheNext() {
    var layout = AnnouncementLayout()
    var words = counts(400)
    words[1].length = 1_100 * millisecond
    let placements = layout.placeCount(leadIns: [], counts: words, earliest: 0)
    #expect(text(placements) == ["1@7000", "3@9000", "4@10000"])
  }

  @Test func whenThereIsNoRoomTheLeadInGoesFirst() {
    var layout = AnnouncementLayout()
    let placements = layout.placeCount(
      leadIns: [1_400 * millisecond, 700 * millisecond], counts: counts(400),
      earliest: 6_500 * millisecond)
    #expect(text(placements) == ["1@7000", "2@8000", "3@9000", "4@10000"])
  }

  @Test func thenTheHigherNumbersGo() {
    var layout = AnnouncementLayout()
    let placements = layout.placeCount(
      leadIns: [1_400 * millisecond, 700 * millisecond], counts: counts(400),
      earliest: 8_500 * millisecond)
    #expect(text(placements) == ["3@9000", "4@10000"])
  }

  @Test func aNumberStillBeingSaidSilencesTheOneThatWouldTalkOverIt() {
    var layout = AnnouncementLayout()
    _ = layout.placeCount(
      leadIns: [], counts: [(7_000 * millisecond, 500 * millisecond)], earliest: 0)
    let placements = layout.placeCount(leadIns: [], counts: counts(400), earliest: 0)
    #expect(text(placements) == ["2@8000", "3@9000", "4@10000"])
  }

  @Test func anAnnouncementWaitsForTheOneBeforeIt() {
    var layout = AnnouncementLayout()
    #expect(layout.place([1_000], due: 0, limit: nil)?.due == 0)
    #expect(layout.place([1_000], due: 500, limit: nil)?.due == 1_000 + AnnouncementLayout.gap)
  }

  @Test func theFullestWordingThatFitsIsTaken() {
    var layout = AnnouncementLayout()
    let placement = layout.place([3_000, 1_000], due: 0, limit: 2_000)
    #expect(placement == .init(part: 1, due: 0))
    #expect(layout.place([3_000, 2_500], due: 0, limit: 2_000) == nil)
  }

  @Test func withdrawingFreesWhatWasStillToBeSaid() {
    var layout = AnnouncementLayout()
    _ = layout.place([1_000 * millisecond], due: 0, limit: nil)
    layout.withdraw(at: 400 * millisecond)
    #expect(layout.place([10], due: 600 * millisecond, limit: nil)?.due == 600 * millisecond)
  }
}
