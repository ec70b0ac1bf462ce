import CueEngine
import CueSound
import CueTesting
import IntervalTimeline
import Testing

/// The example of Documentation/embedding.md, line for line.
@Suite struct EmbeddingExample {
  @Test func workoutOnAnOutputOfOnesOwnIsHeard() throws {
    let clock = ManualClock()
    let myOutput = RecordingOutput(origin: clock.now)
    #expect(try embed(myOutput).statuses().map(\.state) == [.running])
  }

  private func embed(_ myOutput: any SoundOutput) throws -> CueEngine {
    let row = Block.Step(Phase(.work, .fixed(.seconds(20))))
    let rest = Block.Step(Phase(.rest, .fixed(.seconds(10))))
    let workout = Workout(name: "Rows", blocks: [Block(sets: 8, steps: [row, rest])])
    let engine = CueEngine(output: myOutput, sounds: SoundPack(), speech: nil)
    let lane = try engine.addLane("rower", timeline: Timeline(workout))
    engine.send(.start, to: lane)
    return engine
  }
}
