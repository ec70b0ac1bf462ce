import CueSound
import IntervalTimeline
import TestSupport
import Testing

@testable import Words

/// A place is taken only by words that are said.
struct WordPlacingTests: WorkoutScript {
  /// Lengths are known, but the words are not there.
  private struct LengthsAlone: SpeechSource {
    let numbers: Bool

    func isReady(_ texts: [String], lengthsOf others: [String], voice: SpeechVoice) -> Bool { true }

    func length(of text: String, voice: SpeechVoice) -> Spoken<Duration> {
      .there(.milliseconds(60) * Int64(text.count))
    }

    func clip(
      _ text: String, voice: SpeechVoice, within longest: Duration
    ) -> Spoken<PCMClip> {
      numbers && text.count == 1 ? .there(PCMClip(rate: 1_000, count: 60) { _ in }) : .impossible
    }
  }

  private func request(_ workout: Workout, at seconds: Int) throws -> AnnouncementRequest {
    var session = Session(try Timeline(workout))
    let start = BootInstant(nanoseconds: 1_000_000_000_000)
    var effects = session.handle(.start, at: start)
    effects += session.check(at: start + .seconds(seconds))
    let handOff = try #require(
      effects.compactMap { effect -> HandOff? in
        guard case .handOff(let handOff) = effect, handOff.cue.isSpoken else { return nil }
        return handOff
      }.last)
    let lane = SpeakingLane(
      id: LaneID(serial: 0, slot: 0), name: "anna", session: session, voice: SpeechVoice(),
      phrases: Shared(.english), values: LiveValues(), speaker: nil,
      beep: PCMClip(rate: 1_000, samples: [1]))
    return AnnouncementRequest(handOff, of: lane)
  }

  private func cue(
    _ workout: Workout, at seconds: Int, numbers: Bool = false
  ) throws -> (cue: LaidOutCue, layout: AnnouncementLayout) {
    let request = try request(workout, at: seconds)
    var layout = AnnouncementLayout()
    let cue = WordPlacing(speech: LengthsAlone(numbers: numbers), mayWait: true)
      .layOut(request, among: [], in: &layout)
    return (cue, layout)
  }

  @Test(arguments: ["Go on", "At {watts}"]) func wordsThatMaySayAValueAreOnNoDisk(text: String)
    throws
  {
    var workout = workout([phase(.high, 60)])
    workout.blocks[0].steps[0].phase.remarks = [
      Remark(try Template(text, values: ["watts"]), at: .fromStart(.seconds(20)))
    ]
    let request = try request(workout, at: 19)
    #expect(request.voice.isPassing == text.contains("{"))
  }

  @Test func wordsThatAreNotSaidTakeNoPlace() throws {
    let (cue, layout) = try cue(workout([phase(.high, 60)]), at: 29)
    #expect(cue.outcome == .dropped)
    #expect(layout == AnnouncementLayout())
  }

  @Test func aLeadInThatIsNotSaidTakesNoPlace() throws {
    let (cue, layout) = try cue(workout(sets: 2, [phase(.high, 20)]), at: 13, numbers: true)
    #expect(cue.parts.map(\.text) == ["3", "2", "1", "0"])
    let lane = cue.parts[0].due
    // The words before the number have a place there.
    var free = layout
    let wish = AnnouncementLayout.Wish(
      lane: 1, wordings: [.milliseconds(900)], due: lane - .milliseconds(1_050),
      latest: lane - .milliseconds(1_050))
    #expect(free.placeUnhurried(wish) != nil)
  }
}
