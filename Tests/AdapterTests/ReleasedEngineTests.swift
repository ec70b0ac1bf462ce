import ALSAOutput
import CueEngine
import CueSound
import Dispatch
import IntervalTimeline
import Synchronization
import TestSupport
import Testing

extension ALSAOutputTests {
  private final class Holder: Sendable {
    /// Protects the engine.
    let engine = Mutex<CueEngine?>(nil)
  }

  /// The engine is released by the block that runs its last closure: the check queue then waits for the end
  /// of the thread that plays.
  @Test func anEngineThatIsReleasedOnItsQueueClosesTheCard() async throws {
    let card = try Card()
    let holder = Holder()
    let gate = DispatchSemaphore(value: 0)
    do {
      let row = Block.Step(Phase(.work, .fixed(.seconds(60))))
      let timeline = try Timeline(Workout(name: "Rows", blocks: [Block(sets: 1, steps: [row])]))
      let engine = CueEngine(
        output: ALSAOutput(device: card.device), sounds: SoundPack(), speech: nil,
        events: { event in
          guard case .volumeChanged = event else { return }
          gate.wait()
          holder.engine.withLock { $0 = nil }
        })
      holder.engine.withLock { $0 = engine }
      let lane = try await engine.addLane("anna", timeline: timeline)
      await engine.prepare()
      await engine.send(.start, to: lane)
    }
    #expect(try Player.wait { try card.heardCount() > 0 })
    holder.engine.withLock { $0?.setVolume(0.5) }
    gate.signal()
    #expect(try Player.wait { try card.log().contains("close") })
  }
}
