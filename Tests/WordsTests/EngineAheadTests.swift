import CueSound
import IntervalTimeline
import Phrases
import TestSupport
import Testing

@testable import Words

/// What is measured ahead of a voice of an engine, which may be slow.
struct EngineAheadTests: WorkoutScript {
  private let start = BootInstant(nanoseconds: 1_000_000_000)

  /// The texts that are measured at the start of 60 sets of 9 s.
  private func measured(_ voice: SpeechVoice) throws -> [String] {
    var session = Session(try Timeline(workout(sets: 60, [phase(.high, 9)])))
    _ = session.handle(.start, at: start)
    let lane = SpeakingLane(
      id: LaneID(serial: 1, slot: 0), name: "Test", session: session, voice: voice,
      phrases: Shared(.english), values: LiveValues(), speaker: nil,
      beep: PCMClip(rate: 8_000, samples: [1]))
    var ahead = LookAhead()
    ahead.startAgain(session, at: start)
    return ahead.textsToMeasure(lane, at: start)
  }

  /// The numbers come first, and no text twice: what waits for a queue's room would not be measured.
  @Test func tenMinutesOfTextsAreMeasuredEachOnce() throws {
    let texts = try measured(SpeechVoice(name: "flite:slt"))
    #expect(texts.prefix(4) == ["3", "2", "1", "0"])
    #expect(Set(texts).count == texts.count)
    #expect(texts.contains("Set 60 completing in"))
  }

  /// As the ledger has them: the count's numbers may be another's than its lead-in.
  @Test func eachSpeakerOfACueIsNotedOnce() {
    var cue = LaidOutCue(text: "3, 2, 1, 0")
    let voice = SpeechVoice(name: "flite:slt", standIn: "en")
    cue.note(voice, standIn: nil)
    for _ in 0..<2 { cue.note(voice, standIn: "it is slow") }
    cue.note(SpeechVoice(name: "de"), standIn: nil)
    #expect(cue.voices == ["flite:slt", "en"])
    #expect(cue.reason == "not by flite:slt: it is slow")
  }

  @Test func otherVoicesAreMeasuredForTwoMinutes() throws {
    let texts = try measured(SpeechVoice(name: "en"))
    #expect(texts.contains("Set 13 completing in") && !texts.contains("Set 20 completing in"))
  }
}
