import ALSAOutput
import CueEngine
import CueSound
import Foundation
import Synchronization
import TestSupport
import Testing

extension ALSAOutputTests {
  /// Whether a call hangs while sound is played or when the device is closed: nobody waits for it, and
  /// all that its thread may still read stays in memory until the thread has ended.
  @Test(arguments: [Card.Order.hangInWrite, .hangInClose])
  func aDriverThatHangsHoldsUpNobody(_ order: Card.Order) throws {
    let card = try Card()
    weak var link: MixerLink?
    weak var clip: PCMClip?
    try hang(card, order) { (link, clip) = ($0, $1) }
    let isKept = link != nil && clip != nil
    #expect(isKept)
    #expect(try !card.log().contains("close"))
    // The driver comes back to life.
    try card.tell(.run)
    #expect(Player.wait { link == nil && clip == nil })
    #expect(try card.log().contains("close"))
  }

  /// Plays half a minute on the card, lets it hang, stops and drops everything.
  private func hang(
    _ card: Card, _ order: Card.Order, note: (MixerLink, PCMClip) -> Void
  ) throws {
    let link = MixerLink()
    let clip = PCMClip(rate: 48_000, samples: Array(repeating: 1_000, count: 30 * 48_000))
    note(link, clip)
    let output = ALSAOutput(device: card.device)
    output.start(link) { _ in }
    output.setActivity(.running)
    let due = BootClock.now() + .milliseconds(200)
    #expect(link.play(clip, id: 1, lane: 0, due: due, gain: 1))
    output.wake()
    #expect(try Player.wait { try card.heardCount() > 0 })
    try card.tell(order)
    if order == .hangInWrite {
      #expect(try Player.wait { try card.log().contains("hang") })
    }
    let hasStopped = Flag()
    Thread.detachNewThread {
      output.stop()
      hasStopped.value.store(true, ordering: .releasing)
    }
    #expect(Player.wait { hasStopped.value.load(ordering: .acquiring) })
    #expect(try Player.wait { try card.log().contains("hang") })
  }
}
