import CueSound
import Testing

@testable import Speech

struct SpeechQueueTests {
  private let voice = SpeechVoice()
  private var queue = SpeechQueue()

  private func keys(_ texts: String...) -> [SpeechMemory.Key] {
    texts.map { SpeechMemory.Key($0, voice) }
  }

  private func owner(_ lane: Int, client: Int = 1) -> SpeechQueue.Owner {
    .init(client: client, lane: lane)
  }

  private func request(
    _ number: Int, at seconds: Int, _ rank: SpeechUrgency.Rank = .planned, of lane: Int = 1
  ) -> SpeechQueue.Request {
    .init(
      id: .init(client: 1, number: number), owner: owner(lane),
      orders: [SpeechOrder(text: "\(number)", voice: voice, purpose: .clip)][...],
      urgency: SpeechUrgency(rank: rank, by: BootInstant(nanoseconds: 0) + .seconds(seconds)),
      done: {})
  }

  private mutating func takeAhead() -> [String] {
    var texts: [String] = []
    while let next = queue.nextAhead() { texts.append(next.key.text + (next.isNeeded ? "" : "?")) }
    return texts
  }

  @Test mutating func theEarliestAnnouncementComesFirst() {
    for (number, seconds) in [(1, 5), (2, 3), (3, 9), (4, 3)] {
      queue.add(request(number, at: seconds))
    }
    var order: [Int] = []
    while let id = queue.request?.id {
      order.append(id.number)
      let isRemoved = queue.remove(id)
      #expect(isRemoved)
    }
    #expect(order == [2, 4, 1, 3])
    #expect(queue.isEmpty)
  }

  /// Where a lane's announcements are later than all of another, it has its share nevertheless.
  @Test mutating func aLaneWithManyEarlierAnnouncementsHoldsUpNoOther() {
    for number in 1...20 { queue.add(request(number, at: number, of: 1)) }
    queue.add(request(21, at: 90, of: 2))
    queue.add(request(22, at: 91, of: 2))
    var order: [Int] = []
    while let next = queue.request {
      order.append(next.id.number)
      queue.noteRendering(of: next)
      let isRemoved = queue.remove(next.id)
      #expect(isRemoved)
    }
    #expect(order.prefix(9) == [1, 2, 3, 4, 5, 21, 6, 22, 7])
    #expect(order.count == 22)
  }

  @Test mutating func clientsTextsComeAfterEverythingThatIsPlanned() {
    queue.add(request(1, at: 0, .client))
    #expect(queue.request?.id.number == 1)
    queue.add(request(2, at: 5))
    #expect(queue.request?.id.number == 2)
    queue.measure(keys("c"), for: nil)
    queue.renderSoon(keys("a"), for: nil)
    #expect(queue.request?.id.number == 2)
    let isRemoved = queue.remove(.init(client: 1, number: 2))
    #expect(isRemoved)
    #expect(queue.request == nil)
    #expect(!queue.isEmpty)
    let texts = takeAhead()
    #expect(texts == ["a", "c?"])
    #expect(queue.request?.id.number == 1)
  }

  @Test mutating func countsComeBeforeOtherWordsThatAreNeededEarlier() {
    queue.add(request(1, at: 1))
    queue.add(request(2, at: 2, .client))
    queue.add(request(3, at: 3, .first))
    #expect(queue.request?.id.number == 3)
  }

  @Test mutating func manyTextsOfOneWorkoutHoldUpNoOther() {
    queue.renderSoon((1...5000).map { SpeechMemory.Key("\($0)", voice) }, for: owner(1))
    #expect(queue.countAhead == 4096)
    queue.renderSoon(keys("Set 2", "3"), for: owner(2))
    queue.renderSoon(keys("Set 5"), for: owner(3))
    let texts = takeAhead()
    #expect(texts.prefix(6) == ["1", "Set 2", "Set 5", "2", "3", "3"])
    #expect(texts.count == 4099)
  }

  @Test mutating func ordersOfARequestThatHasGoneChangeNothing() {
    queue.add(request(1, at: 1))
    queue.finishOrder(of: .init(client: 1, number: 2))
    #expect(queue.request?.orders.count == 1)
    queue.finishOrder(of: .init(client: 1, number: 1))
    #expect(queue.request?.orders.isEmpty == true)
    let isRemoved = queue.remove(.init(client: 2, number: 1))
    #expect(!isRemoved)
  }

  @Test mutating func wordsComeBeforeLengthsAndBothInOrder() {
    queue.measure(keys("c", "d"), for: nil)
    queue.renderSoon(keys("a"), for: owner(1))
    queue.measure(keys("e"), for: nil)
    queue.renderSoon(keys("b"), for: nil)
    queue.renderSoon(keys("f"), for: owner(1))
    #expect(takeAhead() == ["a", "b", "f", "c?", "d?", "e?"])
  }

  @Test mutating func aTextThatAnotherLaneWantsStays() {
    queue.renderSoon(keys("3", "Ben"), for: owner(1))
    queue.renderSoon(keys("3", "Cleo"), for: owner(2))
    queue.measure(keys("Set 2 of Ben"), for: owner(1))
    queue.measure(keys("3"), for: owner(1, client: 2))
    queue.forget(owner(1))
    #expect(takeAhead() == ["3", "Cleo", "3?"])
  }
}
