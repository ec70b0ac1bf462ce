import CoachHost
import CueEngine
import CueSound
import CueTesting
import Foundation
import IntervalTimeline
import TestSupport
import Testing

/// The ledger that a host writes, beside the plan of its workout and what was played.
@Suite struct HostLedgerTests {
  /// A line of the file.
  private struct Line: Decodable {
    struct Part: Decodable {
      let text: String
      let due: Int64
      let onset: Int64?
    }

    let event: String
    let at: Int64?
    let lane: String?
    let kind: String?
    let text: String?
    let due: Int64?
    let onset: Int64?
    let outcome: String?
    let parts: [Part]?
  }

  /// A cue, and when it is due since the start.
  private struct Planned: Hashable {
    let kind: String
    let text: String
    let due: Int64
    let outcome: String?
  }

  private struct Take {
    let lines: [Line]
    let samples: [Int16]
    /// When the workout started, and which sample was played then.
    let start: Int64
    let startSample: Int

    var cues: [Line] { lines.filter { $0.event == "cue" } }
  }

  /// The whole of a workout on a host.
  private func run(_ workout: Workout) throws -> Take {
    let folder = StateFolder()
    try FileManager.default.createDirectory(
      atPath: folder.path, withIntermediateDirectories: true)
    let file = folder.path + "/ledger.jsonl"
    let ledger = try LedgerFile(file) { Issue.record("\($0)") }
    let run = HostRun(speech: ScriptedSpeech(), ledger: ledger, keepsSamples: true)
    let begin = run.clock.now.nanoseconds
    let lane = try run.add("anna", workout)
    run.host.prepare()
    // Answered when it has begun: the clock moves only then.
    #expect(run.begin([lane]) == .done)
    run.run(.seconds(20))
    #expect(run.ends.map(\.0.state) == [.finished])
    #expect(run.host.shutDown())
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.hasSuffix("\n"))
    let lines = try text.split(separator: "\n").map {
      try JSONDecoder().decode(Line.self, from: Data($0.utf8))
    }
    let start = try #require(lines.first { $0.event == "start" }?.at)
    return Take(
      lines: lines, samples: run.samples, start: start,
      startSample: Int((start - begin) * 8_000 / 1_000_000_000))
  }

  /// What `timeline` shows of a workout.
  private func plan(_ workout: Workout) throws -> [Planned] {
    let run = OfflineRun(
      try Timeline(workout), sounds: SoundPack(rate: 8_000),
      speech: SpeechLibrary(
        ScriptedSpeech(), converter: RepeatedSamples(), rate: 8_000, level: { _ in 1 }),
      settings: .init(), style: LaneStyle(), sink: .heardAtOnce)
    var plan: [Planned] = []
    while let cues = run.nextCues() {
      plan += cues.map {
        Planned(
          kind: $0.kind, text: $0.text, due: $0.due.nanoseconds, outcome: $0.outcome.rawValue)
      }
    }
    return plan
  }

  private static let oneSet = Workout(
    "One set", sets: 1, [Phase(.low, .fixed(.seconds(1))), Phase(.high, .fixed(.seconds(5)))])

  /// Phases shorter than a check.
  private static let fast = Workout(
    "Fast", (1...7).map { _ in Phase(.work, .fixed(.milliseconds(200))) })

  /// Each of its countdown beeps stands alone.
  private static let counted = Workout("Counted", [Phase(.prepare, .fixed(.seconds(9)))])

  @Test(arguments: [counted, oneSet, fast])
  func everyCueOfThePlanIsPlayedOnceWhenItIsDue(workout: Workout) throws {
    let take = try run(workout)
    let heard = take.cues.map { cue in
      Planned(
        kind: cue.kind ?? "", text: cue.text ?? "", due: (cue.due ?? 0) - take.start,
        outcome: cue.outcome)
    }
    let plan = try plan(workout)
    #expect(plan.count >= 4)
    #expect(heard.count == plan.count)
    #expect(Set(heard) == Set(plan))
    for cue in take.cues {
      // A frame of the recording, rounded.
      let late = try #require(cue.onset) - (try #require(cue.due))
      #expect((0...125_000).contains(late), "\(cue)")
      #expect(cue.parts?.allSatisfy { $0.onset != nil } ?? true)
    }
  }

  @Test func aSetCompletionIsItsWordsAndFourNumbersOnTheirSeconds() throws {
    let take = try run(Self.oneSet)
    let completion = try #require(take.cues.first { $0.kind == "set-completion" })
    #expect(completion.text == "Set 1 completing in 3, 2, 1, 0")
    let parts = try #require(completion.parts)
    #expect(parts.map(\.text) == ["Set 1 completing in", "3", "2", "1", "0"])
    let counts = parts.dropFirst().map { $0.due - take.start }
    #expect(counts == [3, 4, 5, 6].map { $0 * 1_000_000_000 })
    #expect(parts[0].due < parts[1].due)
  }

  @Test func beepsLieASecondApartOnTheFrame() throws {
    let take = try run(Self.counted)
    #expect(take.cues.count { $0.kind == "countdown" } == 3)
    // A beep begins where there was silence for a fifth of a second.
    var silence = 1_600
    var onsets: [Int] = []
    for (index, sample) in take.samples.enumerated() {
      if sample == 0 {
        silence += 1
      } else {
        if silence >= 1_600 { onsets.append(index - take.startSample) }
        silence = 0
      }
    }
    // Three beeps, each of which begins with a sample of 0.
    #expect(onsets.filter { $0 >= 48_000 }.prefix(3) == [48_001, 56_001, 64_001])
  }

  @Test func aLedgerThatCannotBeWrittenSaysSoOnce() throws {
    let said = Collected<String>()
    let ledger = try LedgerFile("/dev/full") { said.append($0) }
    for number in 1...3 { ledger.write(.omitted(number)) }
    #expect(said.all == ["the ledger /dev/full misses lines: No space left on device"])
  }
}
