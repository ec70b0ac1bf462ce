import Testing

@testable import CueSound

/// When the device is opened, tried again and released.
struct OutputOpeningTests {
  @Test func whileNothingRunsTheDeviceIsReleasedAfterAWhile() {
    var card = SimulatedCard()
    _ = card.run(to: 5)
    card.activity = .idle
    while !card.trace.contains("rest"), card.seconds < 30 { card.turn() }
    #expect((9.9..<11.5).contains(card.seconds))
    #expect(card.lastWait == .unlimited)
    card.activity = .running
    _ = card.run(to: card.seconds + 1)
    #expect(card.trace.filter { $0 == "open" }.count == 2)
  }

  @Test(arguments: [true, false]) func aDeviceStaysOpenInAPauseWhereItIsToBeKept(_ staysOpen: Bool)
  {
    var card = SimulatedCard(staysOpen: staysOpen)
    _ = card.run(to: 5)
    card.activity = .paused
    _ = card.run(to: 30)
    #expect(card.trace.contains("rest") == !staysOpen)
  }

  @Test func aServerStaysOpenInAPause() {
    var card = SimulatedCard(.init(isServer: true))
    _ = card.run(to: 5)
    card.activity = .paused
    _ = card.run(to: 30)
    #expect(!card.trace.contains("rest"))
  }

  @Test func aDeviceThatHasPlayedAgainIsTriedAsOftenAsTheFirstTime() {
    var card = SimulatedCard()
    var openings: [Int] = []
    for _ in 1...2 {
      card.fault = .none
      _ = card.run(to: card.seconds + 5)
      card.trace.removeAll()
      card.fault = .gone
      _ = card.run(to: card.seconds + 5)
      openings.append(card.trace.count { $0 == "open" })
    }
    #expect(openings[0] > 1)
    #expect(openings[0] == openings[1])
  }

  @Test func aDeviceThatComesIsOpenedAsSoonAsItMayBe() {
    var card = SimulatedCard()
    card.fault = .gone
    _ = card.run(to: 30)
    card.fault = .none
    card.hardwareChanges = true
    let from = card.seconds
    while !card.isOpen { card.turn() }
    #expect((0.1..<0.12).contains(card.seconds - from - card.lastWait.inSeconds))
  }
}
