import CueSound
import CueTesting
import IntervalTimeline
import TestSupport
import Testing

@testable import CueEngine
@testable import Words

/// When texts are measured, in a workout that is too long to measure before the start.
struct MeasureAheadTests {
  private let speech = ScriptedSpeech()
  private let clock = ManualClock()

  private func coach(_ workouts: [Workout]) throws -> Coach {
    var coach = Coach(
      link: MixerLink(), sounds: SoundPack(),
      speech: SpeechLibrary(speech, converter: RepeatedSamples(), level: { _ in 1 }),
      settings: .init(),
      write: { _ in }, emit: { _ in })
    coach.withPerformer { $0.waitForWords { _ in } }
    for (index, workout) in workouts.enumerated() {
      try coach.addLane(
        "\(index)", timeline: try Timeline(workout), style: LaneStyle())
    }
    return coach
  }

  private func leadIns(_ coach: Coach) -> [String] {
    coach.lanes.firstWords(at: clock.now).flatMap(\.wording.texts).filter {
      $0.contains("completing")
    }
  }

  @Test func beforeTheStartOnlyTheFirstWordsAreWanted() throws {
    let coach = try coach([.sets(500, [(.low, 5), (.high, 5)])])
    #expect(leadIns(coach) == ["Set 1 completing in"])
  }

  @Test func severalLanesAreTakenInOrderOfTime() throws {
    let coach = try coach([.sets(9, [(.high, 14)]), .sets(9, [(.high, 12)])])
    #expect(leadIns(coach) == ["1: Set 1 completing in", "0: Set 1 completing in"])
  }

  @Test func behindAnOpenPhaseTheNextIsWantedToo() throws {
    let workout = Workout(
      "Open", sets: 3, [Phase(.work, .open(.untilNext)), Phase(.rest, .fixed(.seconds(12)))])
    let texts = try coach([workout]).lanes.firstWords(at: clock.now).flatMap(
      \.wording.texts)
    #expect(texts.contains { $0.hasPrefix("Next: Work") })
  }

  @Test func lengthsAreKnownAMinuteAheadAndNoFurtherThanTwo() throws {
    let set = 10
    var coach = try coach([.sets(500, [(.high, set)])])
    coach.handle(.start, lane: coach.lanes.ids[0], at: clock.now)
    let begin = clock.now
    for second in stride(from: 0, through: 600, by: 5) {
      coach.check(at: begin + .seconds(second))
      // Earlier requests come before this one.
      let asked = SpeechLibraryProbe(coach).texts(of: speech)
      // A text is requested again as a clip if that was not kept.
      var known: [Int] = []
      for text in asked where text.hasSuffix("completing in") {
        let number = try #require(Int(text.split(separator: " ")[1]))
        if !known.contains(number) { known.append(number) }
      }
      let last = try #require(known.max())
      #expect(last * set >= second + 60, "at \(second) s")
      #expect((last - 1) * set <= second + 120, "at \(second) s")
      #expect(known == known.sorted())
    }
  }
}

/// Waits until every request has been rendered.
private struct SpeechLibraryProbe {
  private let library: SpeechLibrary?

  init(_ coach: Coach) { library = coach.performer.outbox.speech }

  func texts(of speech: ScriptedSpeech) -> [String] {
    library?.renderFirst([], lengthsOf: [], for: .seconds(600))
    return speech.texts
  }
}
