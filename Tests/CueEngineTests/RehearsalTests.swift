import CueSound
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

@testable import CueEngine

/// A workout at full speed without its sound, as `timeline` and `check` lay it out.
struct RehearsalTests: AnnouncementChecks {
  @Test func aRehearsalDecidesAsARunDoes() throws {
    let workout = workout(
      sets: 2,
      [phase(.rest, 20, [(2, "Drink something")]), phase(.high, 8, [(4, "Hold it there")])])
    let run = try TestRun(workout, settings: .init())
    run.play(.seconds(62))
    let planned = OfflineRun(
      try Timeline(workout), sounds: SoundPack(),
      speech: SpeechLibrary(ScriptedSpeech(), converter: RepeatedSamples(), level: { _ in 1 }),
      sink: .heardAtOnce)
    var cues: [LedgerEvent.CueEntry] = []
    while let next = planned.nextCues() { cues += next }
    func text(_ cues: [LedgerEvent.CueEntry], from begin: BootInstant) -> [String] {
      cues.map { cue in
        let milliseconds = begin.duration(to: cue.due).wholeMilliseconds
        return "\(milliseconds) \(cue.kind) \(cue.text) \(cue.outcome) \(cue.reason ?? "")"
      }.sorted()
    }
    #expect(text(cues, from: BootInstant(nanoseconds: 0)) == text(run.cues, from: run.begin))
  }

  @Test func aRehearsalEndsAtItsLimit() throws {
    let workout = workout(sets: 1, [phase(.rest, 10), phase(.high, 8)])
    func cues(limit: Int) throws -> (texts: [String], end: Duration?, last: Duration?) {
      let run = OfflineRun(
        try Timeline(workout), sounds: SoundPack(), speech: nil, sink: .heardAtOnce,
        cueLimit: limit)
      var cues: [LedgerEvent.CueEntry] = []
      while let next = run.nextCues() { cues += next }
      let last = cues.last.map { Duration.nanoseconds($0.due.nanoseconds) }
      return (cues.map { "\($0.due.nanoseconds) \($0.kind)" }, run.limitTime, last)
    }
    let whole = try cues(limit: 10_000)
    #expect(whole.end == nil)
    let part = try cues(limit: 3)
    #expect((3..<whole.texts.count).contains(part.texts.count))
    #expect(part.texts == Array(whole.texts.prefix(part.texts.count)))
    #expect(part.end == part.last)
    // It ends before the first step with cues after the limit.
    var sums: [Int] = []
    let steps = OfflineRun(
      try Timeline(workout), sounds: SoundPack(), speech: nil, sink: .heardAtOnce)
    while let next = steps.nextCues() { sums.append((sums.last ?? 0) + next.count) }
    for limit in 1..<whole.texts.count {
      #expect(try cues(limit: limit).texts.count == sums.first { $0 >= limit })
    }
    // Where nothing is left out, there is no limit to tell of.
    let exact = try cues(limit: whole.texts.count)
    #expect(exact.texts == whole.texts)
    #expect(exact.end == nil)
  }
}
