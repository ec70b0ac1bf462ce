import Testing

@testable import CueSound

struct AnnouncementLayoutTests {
  /// Milliseconds, as a span and as an instant.
  private func ms(_ count: Int64) -> Duration { .milliseconds(count) }
  private func at(_ count: Int64) -> BootInstant { .boot + ms(count) }

  private typealias Layout = AnnouncementLayout

  /// Count words for 3, 2, 1, 0 s before 10 s, each `length` ms long.
  private func counts(_ length: Int64, end: Int64 = 10_000) -> [Layout.Count] {
    (Int64(0)...3).reversed().map {
      .init(word: "\($0)", due: at(end - $0 * 1000), length: ms(length))
    }
  }

  private func wish(
    _ wordings: [Int64], due: Int64, earliest: Int64? = nil, latest: Int64? = nil,
    limit: Int64? = nil, lane: Int = 0
  ) -> Layout.Wish {
    .init(
      lane: lane, wordings: wordings.map(ms), due: at(due), earliest: earliest.map(at),
      latest: latest.map(at), limit: limit.map(at))
  }

  /// "wording@ms", with the room if the words must be faster.
  private func text(_ placement: Layout.Placement?, of wordings: [Int64]) -> String {
    guard let placement else { return "-" }
    let place = "\(placement.wording)@\(placement.due.nanoseconds / 1_000_000)"
    return placement.room < ms(wordings[placement.wording])
      ? "\(place) in \(placement.room.wholeNanoseconds / 1_000_000)" : place
  }

  private func placed(
    _ layout: inout Layout, _ wordings: [Int64], due: Int64, earliest: Int64? = nil,
    latest: Int64? = nil, limit: Int64? = nil
  ) -> String {
    text(
      layout.place(
        wish(wordings, due: due, earliest: earliest, latest: latest, limit: limit)), of: wordings)
  }

  @Test func whatIsLateTakesTheWordingThatCanBeginSoonest() {
    // From 1 s on there are 700 ms, and from 4 s on all the time there is.
    var crowded = Layout()
    _ = placed(&crowded, [1_000], due: 0)
    _ = placed(&crowded, [2_000], due: 1_900)
    let late = wish([2_000, 600], due: 1_100, earliest: 1_100)
    var patient = crowded
    #expect(text(patient.place(late), of: [2_000, 600]) == "0@4000")
    var prompt = crowded
    #expect(text(prompt.placeSoonest(late), of: [2_000, 600]) == "1@1100")
    // With room for both, the longest is taken.
    var free = Layout()
    #expect(text(free.placeSoonest(late), of: [2_000, 600]) == "0@1100")
    // If nothing fits at normal speed, the shortest is spoken faster.
    var narrow = crowded
    let least = wish([2_000, 800], due: 1_100, earliest: 1_100, latest: 1_200)
    #expect(text(narrow.placeSoonest(least), of: [2_000, 800]) == "1@1100 in 700")
  }

  // MARK: Counts

  @Test func countWordsLieOnTheirInstantsAndNothingElseMayLieThere() {
    var layout = Layout()
    #expect(layout.place(counts(400), lane: 0) == [.said, .said, .said, .said])
    #expect(placed(&layout, [500], due: 7_200, latest: 7_300) == "-")
    #expect(placed(&layout, [500], due: 7_200) == "0@10500")
  }

  @Test func anotherLanesCountHasRoomBetweenTheWordsOrNone() {
    var layout = Layout()
    _ = layout.place(counts(400), lane: 0)
    #expect(layout.place(counts(400, end: 10_500), lane: 1) == [.said, .said, .said, .said])
    var tight = Layout()
    _ = tight.place(counts(600), lane: 0)
    #expect(tight.place(counts(600, end: 10_500), lane: 1).allSatisfy { $0 == .noRoom })
  }

  @Test func theSameWordAtTheSameInstantIsSaidOnce() {
    var layout = Layout()
    _ = layout.place(counts(400), lane: 0)
    #expect(layout.place(counts(400), lane: 1) == [.shared, .shared, .shared, .shared])
    // Another number at that instant is not the same.
    #expect(layout.place(counts(400, end: 11_000), lane: 2).first == .noRoom)
  }

  // MARK: Lead-ins

  private static let leadIns: [(Int64, String)] = [
    (4_500, "0@5450"), (5_450, "0@5450"), (5_500, "0@5500"), (5_520, "0@5520"),
    (5_530, "1@6150"), (6_200, "1@6200"), (6_221, "1@6221 in 699"), (6_360, "1@6360 in 560"),
    (6_361, "-"),
  ]

  @Test(arguments: leadIns)
  func theLeadInEndsABreathBeforeTheFirstNumber(earliest: Int64, place: String) {
    var layout = Layout()
    let wordings: [Int64] = [1_400, 700]
    let placement = layout.placeLeadIn(
      wish(wordings, due: 7_000, earliest: earliest), before: at(7_000))
    #expect(text(placement, of: wordings) == place)
  }

  @Test func theLeadInGivesWayToWordsThatAreBeingSaid() {
    var layout = Layout()
    #expect(placed(&layout, [2_000], due: 3_410) == "0@3410")
    // A hundred milliseconds after them, and eighty before the count.
    let wordings: [Int64] = [1_400, 700]
    #expect(
      text(
        layout.placeLeadIn(wish(wordings, due: 7_000, earliest: 0), before: at(7_000)),
        of: wordings) == "0@5510")
    var later = Layout()
    #expect(placed(&later, [2_000], due: 4_000) == "0@4000")
    #expect(
      text(
        later.placeLeadIn(wish(wordings, due: 7_000, earliest: 0), before: at(7_000)),
        of: wordings) == "1@6150")
  }

  // MARK: Other words

  private struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var wordings: [Int64] = [1_000]
    var due: Int64 = 5_000
    var earliest: Int64?
    var latest: Int64?
    var limit: Int64?
    let place: String
  }

  /// Words are being said from 6 to 8 s.
  private static let cases = [
    Case(testDescription: "there is room", due: 4_900, place: "0@4900"),
    Case(testDescription: "earlier comes before later", earliest: 4_000, place: "0@4900"),
    Case(testDescription: "later where earlier is not allowed", place: "0@8100"),
    Case(testDescription: "not so late", wordings: [1_200], latest: 8_000, place: "-"),
    Case(
      testDescription: "the full wording later comes before the short one now",
      wordings: [1_000, 500], place: "0@8100"),
    Case(
      testDescription: "the short form where the full one has no room",
      wordings: [1_000, 500], latest: 5_500, place: "1@5000"),
    Case(
      testDescription: "the short form earlier", wordings: [3_000, 1_000], earliest: 4_800,
      latest: 5_500, place: "1@4900"),
    Case(testDescription: "faster", latest: 5_500, place: "0@5000 in 900"),
    Case(
      testDescription: "no more than a quarter faster", wordings: [1_130], latest: 5_500,
      place: "-"),
    Case(
      testDescription: "over before the limit", wordings: [1_000], due: 3_000, earliest: 2_000,
      limit: 3_900, place: "0@2900"),
    Case(
      testDescription: "faster before the limit", wordings: [1_000], due: 3_000, limit: 3_900,
      place: "0@3000 in 900"),
    Case(
      testDescription: "nothing that would not be over", wordings: [1_000], due: 3_000,
      limit: 3_700, place: "-"),
  ]

  @Test(arguments: cases) private func wordsFindRoomInThatOrder(_ given: Case) {
    var layout = Layout()
    #expect(placed(&layout, [2_000], due: 6_000) == "0@6000")
    #expect(
      placed(
        &layout, given.wordings, due: given.due, earliest: given.earliest, latest: given.latest,
        limit: given.limit) == given.place)
  }

  @Test func nothingThatIsPlacedEverOverlaps() {
    var state: UInt64 = 7
    func random(_ bound: Int64) -> Int64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64(state >> 33) % bound
    }
    for _ in 0..<200 {
      var layout = Layout()
      var ranges: [Range<BootInstant>] = []
      for _ in 0..<20 {
        let due = random(30_000)
        let wordings = [ms(500 + random(3_000)), ms(200 + random(300))]
        let placement =
          random(3) == 0
          ? layout.placeLeadIn(
            .init(lane: 0, wordings: wordings, due: at(due), earliest: 0), before: at(due))
          : layout.place(
            .init(
              lane: 0, wordings: wordings, due: at(due), earliest: at(due - random(2_000)),
              latest: at(due + random(2_000)), limit: at(due + random(4_000))))
        guard let placement else { continue }
        let length = min(placement.room, wordings[placement.wording])
        #expect(length * 5 >= wordings[placement.wording] * 4)
        ranges.append(placement.due..<(placement.due + length))
      }
      ranges.sort { $0.lowerBound < $1.lowerBound }
      #expect(ranges.count > 3)
      for (first, second) in zip(ranges, ranges.dropFirst()) {
        #expect(second.lowerBound - first.upperBound >= Layout.gap)
      }
    }
  }

  @Test func withdrawingFreesWhatTheLaneWasStillToSay() {
    var layout = Layout()
    #expect(placed(&layout, [1_000], due: 0) == "0@0")
    _ = layout.place(wish([1_000], due: 2_000, lane: 1))
    layout.withdraw(lane: 0, at: at(400))
    #expect(placed(&layout, [10], due: 500) == "0@500")
    #expect(placed(&layout, [1_000], due: 1_500, latest: 1_500) == "-")
  }

  @Test func whatKeepsItsRoomForOthersIsNotPlacedItself() {
    var layout = Layout()
    let place = layout.place(
      { $0.place(self.wish([1_000], due: 900)) },
      beside: { _ = $0.place(self.wish([1_000], due: 1_000)) })
    #expect(place?.due == at(2_100))
    #expect(placed(&layout, [1_000], due: 900, latest: 950) == "0@900")
  }

  // MARK: On the edge

  @Test func whatEndsNowIsForgotten() {
    var layout = Layout()
    #expect(placed(&layout, [1_000], due: 0) == "0@0")
    layout.forget(before: at(1_000))
    #expect(placed(&layout, [1_000], due: 1_000) == "0@1000")
  }

  @Test func whatWasSaidBeforeAWithdrawalIsNoLongerForIt() {
    var layout = Layout()
    #expect(placed(&layout, [100], due: 0) == "0@0")
    #expect(placed(&layout, [100], due: 1_000) == "0@1000")
    layout.withdraw(lane: 0, at: at(1_000))
    #expect(placed(&layout, [100], due: 500) == "0@500")
    #expect(placed(&layout, [100], due: 1_000) == "0@1000")
  }

  @Test func aCountWordMayFollowWordsAtOnce() {
    var layout = Layout()
    #expect(placed(&layout, [1_000], due: 0) == "0@0")
    #expect(
      layout.place([.init(word: "1", due: at(1_000), length: ms(500))], lane: 1) == [.said])
    #expect(
      layout.place([.init(word: "0", due: at(1_499), length: ms(500))], lane: 1) == [.noRoom])
  }

  @Test func theSameWordIsSharedUpToTwoMillisecondsApart() {
    var layout = Layout()
    _ = layout.place([.init(word: "1", due: at(1_000), length: ms(500))], lane: 0)
    for (word, due, fate) in [
      ("1", 1_002, .shared), ("1", 998, .shared), ("1", 1_003, .noRoom), ("2", 1_000, .noRoom),
    ] as [(String, Int64, Layout.CountFate)] {
      #expect(
        layout.place([.init(word: word, due: at(due), length: ms(500))], lane: 1) == [fate])
    }
  }

  @Test func whatIsPlacedBesideOthersKeepsItsRoom() {
    var layout = Layout()
    let place = layout.place(
      { $0.place(self.wish([400], due: 0)) }, beside: { _ = $0.place(self.wish([1_000], due: 900)) }
    )
    #expect(place?.due == 0)
    #expect(placed(&layout, [400], due: 0, latest: 0) == "-")
  }

  @Test func ofSeveralPlacesTheNearestIsTaken() {
    var layout = Layout()
    for due in [1_000, 2_000, 3_000, 4_000, 5_000] as [Int64] {
      _ = layout.place(wish([400], due: due, lane: 1))
    }
    #expect(placed(&layout, [300], due: 3_000, earliest: 0) == "0@2600")
    #expect(placed(&layout, [300], due: 3_000) == "0@3500")
  }

  @Test func fasterWordsLeaveTheRoomThatTheyDoNotNeed() {
    var layout = Layout()
    #expect(placed(&layout, [1_000], due: 0, latest: 0, limit: 900) == "0@0 in 900")
    #expect(placed(&layout, [400], due: 1_000, latest: 1_000) == "0@1000")
  }
}
