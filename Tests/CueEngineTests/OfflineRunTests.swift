import CueSound
import CueTesting
import IntervalTimeline
import Testing

@testable import CueEngine

struct OfflineRunTests {
  private func render(_ workout: Workout, into log: LedgerLog) throws -> [Int16] {
    var run = OfflineRun(
      try Timeline(workout), sounds: SoundPack(),
      speech: SpeechLibrary(ScriptedSpeech(), converter: NoConversion()),
      ledger: { log.append($0) })
    var sound: [Int16] = []
    while let block = run.next() { sound += block }
    return sound
  }

  @Test func aRenderingIsWhatARunPlays() throws {
    let workout = Workout.sets(3, [(.low, 10), (.high, 45)])
    let rendered = try render(workout, into: LedgerLog())
    let run = try TestRun(workout)
    run.send(.start)
    run.run(.seconds(170))
    let count = min(rendered.count, run.output.samples.count)
    #expect(count > 165 * 48_000)
    #expect(rendered[..<count] == run.output.samples[..<count])
  }

  @Test func itEndsAfterTheLastWords() throws {
    let log = LedgerLog()
    let sound = try render(.sets(2, [(.low, 10)]), into: log)
    let last = try #require(sound.lastIndex { $0 != 0 })
    // "Workout complete" is 16 letters of 60 ms, a second after the end.
    #expect(abs(last - (21_000 + 960) * 48) < 100)
    #expect(sound.count - last < 48_000)
  }

  @Test func openPhasesDoNotLastForEver() throws {
    let log = LedgerLog()
    let workout = Workout(
      name: "Open",
      blocks: [
        Block(
          sets: 3,
          steps: [
            .init(Phase(.work, .open(.reps(12)))), .init(Phase(.rest, .fixed(.seconds(10)))),
          ])
      ])
    let sound = try render(workout, into: log)
    #expect(sound.count / 48_000 >= 45 && sound.count / 48_000 <= 49)
    #expect(log.events.contains { if case .finish = $0 { true } else { false } })
  }
}
