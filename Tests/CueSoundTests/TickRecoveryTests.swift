import Testing

@testable import CueSound

/// Ticks after what may happen to a device: each on its frame again, none of them late.
struct TickRecoveryTests {
  enum Trouble: CaseIterable, Sendable {
    case underrun, unplugged, sleptAndResumes, sleptAndStartsAnew
  }

  private static let click = PCMClip(rate: 48_000, samples: Array(repeating: 8_000, count: 480))
  private static let period = 0.375

  /// A card that is given the ticks of the next moments twice a second, as an engine does.
  private struct Ticking: ~Copyable {
    var card: SimulatedCard
    private var sent = 0

    init(_ behaviour: SimulatedCard.Behaviour) { card = SimulatedCard(behaviour) }

    mutating func run(to end: Double) {
      while card.seconds < end {
        while Double(sent) * period < card.seconds + 1.5 {
          let due = BootInstant(nanoseconds: Int64(Double(sent) * period * 1e9))
          _ = card.link.play(
            click, id: UInt64(sent), lane: 0, due: due, gain: 1, isTick: true)
          sent += 1
        }
        _ = card.run(to: min(end, card.seconds + 0.5))
        while card.link.nextReport() != nil {}
      }
    }
  }

  @Test(arguments: Trouble.allCases, [true, false])
  func eachIsOnItsFrameAgain(after trouble: Trouble, rewinds: Bool) {
    var ticking = Ticking(.init(drift: 40, rewinds: rewinds))
    ticking.run(to: 10)
    switch trouble {
    case .underrun: ticking.card.holdUp(1.1)
    case .unplugged:
      ticking.card.fault = .gone
      ticking.run(to: 14)
      ticking.card.fault = .none
      ticking.card.hardwareChanges = true
    case .sleptAndResumes:
      ticking.card.fault = .canResume
      ticking.card.sleep(20)
    case .sleptAndStartsAnew:
      ticking.card.fault = .cannotResume
      ticking.card.sleep(20)
    }
    let over = ticking.card.seconds
    ticking.run(to: over + 12)
    let begin = ticking.card.control.device.firstFrame
    let heard = ticking.card.onsets.filter { $0 >= begin }.map { ticking.card.instant(of: $0) }
      .filter { $0 > over }
    let errors = heard.map { $0.remainder(dividingBy: Self.period) }
    #expect(errors.dropFirst().allSatisfy { abs($0) < 60e-6 }, "\(errors)")
    // One that is due while the device begins may be late by 2 ms, which nobody notices.
    let first = errors.first ?? 1
    #expect(first > -60e-6 && first < 0.002, "\(errors)")
    // None is missing once the device has played for a second.
    let settled = heard.filter { $0 > over + 1 && $0 < over + 11 }
    #expect((26...27).contains(settled.count), "\(settled)")
  }
}
