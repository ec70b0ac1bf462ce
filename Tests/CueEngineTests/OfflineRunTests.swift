import CueSound
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

@testable import CueEngine

struct OfflineRunTests {
  private func render(_ workout: Workout, into log: LedgerLog) throws -> [Int16] {
    let run = OfflineRun(
      try Timeline(workout), sounds: SoundPack(),
      speech: SpeechLibrary(ScriptedSpeech(), converter: RepeatedSamples(), level: { _ in 1 }),
      sink: .mixer)
    defer { run.takeLedger().forEach(log.append) }
    var sound: [Int16] = []
    while let piece = run.nextSound() {
      switch piece {
      case .sound(let block): sound += block
      case .silence(let count): sound += Array(repeating: 0, count: count)
      }
    }
    return sound
  }

  @Test func aRenderingIsWhatARunPlays() throws {
    let workout = Workout.sets(3, [(.low, 10), (.high, 45)])
    let rendered = try render(workout, into: LedgerLog())
    let run = try TestRun(workout, settings: .init(), rate: 48_000)
    run.play(.seconds(170))
    let count = min(rendered.count, run.output.samples.count)
    #expect(count > 165 * 48_000)
    #expect(rendered[..<count] == run.output.samples[..<count])
  }

  /// No key ends it, and a signal could not end it earlier.
  @Test func anOpenPhaseLastsAsLongAsItMust() throws {
    func length(_ end: OpenEnd, _ bounds: OpenBounds) throws -> Duration? {
      let log = LedgerLog()
      let open = Block.Step(Phase(.rest, .open(end, bounds)))
      _ = try render(Workout(name: "Open", blocks: [Block(steps: [open])]), into: log)
      for case .phase(_, let at, _, _, _) in log.events { return .nanoseconds(at.nanoseconds) }
      return nil
    }
    #expect(try length(.untilNext, OpenBounds()) == .seconds(5))
    #expect(try length(.signal("ready"), OpenBounds(atLeast: .seconds(3))) == .seconds(5))
    #expect(try length(.signal("ready"), OpenBounds(atLeast: .seconds(8))) == .seconds(8))
    #expect(try length(.reps(3), OpenBounds(atMost: .seconds(9))) == .seconds(9))
  }

  /// In another order the same words may sound a little different.
  @Test func noWordIsRenderedBeforeItIsNeeded() throws {
    let speech = ScriptedSpeech()
    let library = SpeechLibrary(speech, converter: RepeatedSamples(), level: { _ in 1 })
    let run = OfflineRun(
      try Timeline(Workout.sets(1, [(.low, 60)])), sounds: SoundPack(), speech: library,
      settings: .plain, sink: .mixer)
    #expect(library.held.waiting == 0)
    #expect(speech.texts.isEmpty)
    withExtendedLifetime(run) {}
  }

  @Test func whereNothingSoundsNothingIsMixed() throws {
    let run = OfflineRun(
      try Timeline(Workout.sets(2, [(.low, 60), (.high, 60)])), sounds: SoundPack(),
      speech: SpeechLibrary(ScriptedSpeech(), converter: RepeatedSamples(), level: { _ in 1 }),
      sink: .mixer)
    var (sound, silence, isSilentTwice, wasSilent) = (0, 0, false, false)
    while let piece = run.nextSound() {
      switch piece {
      case .sound(let block):
        sound += block.count
        wasSilent = false
      case .silence(let count):
        silence += count
        isSilentTwice = isSilentTwice || wasSilent
        wasSilent = true
      }
    }
    #expect(sound + silence >= 240 * 48_000)
    #expect(silence > 3 * sound)
    #expect(!isSilentTwice)
  }

  @Test func itEndsAfterTheLastWords() throws {
    let log = LedgerLog()
    let sound = try render(.sets(2, [(.low, 10)]), into: log)
    let last = try #require(sound.lastIndex { $0 != 0 })
    // "Workout complete: 2 sets" has 24 characters of 60 ms, and begins a second after the end.
    #expect(abs(last - (21_000 + 1_440) * 48) < 100)
    #expect(sound.count - last < 48_000)
  }

  @Test func openPhasesDoNotLastForEver() throws {
    let log = LedgerLog()
    let workout = Workout(
      "Open", sets: 3, [Phase(.work, .open(.reps(12))), Phase(.rest, .fixed(.seconds(10)))])
    let sound = try render(workout, into: log)
    #expect(sound.count / 48_000 >= 45 && sound.count / 48_000 <= 49)
    #expect(log.events.contains { if case .finish = $0 { true } else { false } })
  }
}
