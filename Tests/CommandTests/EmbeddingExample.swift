import CueEngine
import CueSound
import CueTesting
import Foundation
import InstalledFiles
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

  @Test func presetFromAFolderIsRunByItsName() throws {
    let clock = ManualClock()
    let engine = CueEngine(
      output: RecordingOutput(origin: clock.now), sounds: SoundPack(), speech: nil)
    let dataFolder = URL(fileURLWithPath: Preset.shippedFolder).deletingLastPathComponent().path
    let lane = try addTabata(to: engine, from: dataFolder) { Issue.record("\($0)") }
    #expect(engine.statuses().map(\.id) == [lane])
    #expect(engine.statuses().map(\.phases) == [16])
  }

  private func addTabata(
    to engine: CueEngine, from dataFolder: String, warn: (String) -> Void
  ) throws -> LaneID {
    let folders = InstalledFolders(data: dataFolder)
    let installed = try Installation(folders, voices: nil)
    let tabata = try installed.prepared("tabata") { warn($0) }
    let timer = try engine.addLane("timer", timeline: tabata.timeline, style: tabata.style)
    return timer
  }
}
