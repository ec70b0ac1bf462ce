import Foundation
import IntervalTimeline
import Testing

@testable import CueEngine

struct LedgerTests {
  private let at = BootInstant(nanoseconds: 12_345_678_901)

  @Test func aCueIsOneLineWithItsKeysInOrder() {
    let event = LedgerEvent.cue(
      LedgerEvent.CueEntry(
        lane: "anna", phase: 0, kind: "set-completion", set: 3, scheduledSet: 2, text: "Set 3",
        due: at,
        onset: nil, outcome: .shortened, reason: nil,
        parts: [LedgerEvent.Part(text: "3", due: at, onset: at + .nanoseconds(7), length: .zero)]))
    #expect(
      event.line == """
        {"event":"cue","lane":"anna","kind":"set-completion","set":3,"scheduledSet":2,\
        "text":"Set 3","due":12345678901,"onset":null,"outcome":"shortened",\
        "parts":[{"text":"3","due":12345678901,"onset":12345678908}]}
        """)
  }

  @Test func theEventsSayWhatHappened() {
    #expect(
      LedgerEvent.command(.pause, lane: "ben", at: at).line
        == #"{"event":"pause","at":12345678901,"lane":"ben"}"#)
    #expect(
      LedgerEvent.start(lane: "a", at: at, wall: "2026-01-02T03:04:05.678Z", preset: "P").line
        == #"{"event":"start","at":12345678901,"lane":"a","wall":"2026-01-02T03:04:05.678Z","preset":"P"}"#
    )
    #expect(LedgerEvent.xrun(at: at).line == #"{"event":"xrun","at":12345678901}"#)
    #expect(
      LedgerEvent.deviceLost(at: at, reason: "gone").line
        == #"{"event":"device-lost","at":12345678901,"reason":"gone"}"#)
    #expect(
      LedgerEvent.deviceRecovered(at: at).line == #"{"event":"device-back","at":12345678901}"#)
  }

  @Test(arguments: [
    "plain", "\"quoted\" \\ back", "line\nend\ttab\r", "\u{0}\u{1f}\u{7f}\u{2028}", "höher 🚣 日本",
  ])
  func everyTextIsReadBackAsItWas(_ text: String) throws {
    var object = JSONObject()
    object.add("text", text)
    let line = object.text
    #expect(!line.contains("\n"))
    let read = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String]
    #expect(read == ["text": text])
  }

  @Test(arguments: [
    (Duration.seconds(27), "27"), (.milliseconds(27_500), "27.5"), (.milliseconds(5), "0.005"),
    (.zero, "0"), (.microseconds(1_250_500), "1.2505"),
  ])
  func secondsHaveAsManyDecimalsAsTheyNeed(_ duration: Duration, _ text: String) {
    var object = JSONObject()
    object.add("at", seconds: duration)
    #expect(object.text == "{\"at\":\(text)}")
  }

  @Test func aDuplicateIsRecordedWithItsReason() throws {
    let run = try TestRun(.sets(3, [(.low, 4), (.high, 4)]))
    run.play(.milliseconds(8_100))
    run.send(.back, then: .seconds(4))
    let duplicate = try #require(run.cues.first { $0.outcome == .duplicate })
    #expect(duplicate.set == 1 && duplicate.reason == "within the window")
    #expect(duplicate.onset == nil)
  }

  @Test func commandsAndSkippedPhasesAreWritten() throws {
    let run = try TestRun(.sets(3, [(.low, 10), (.high, 10)]))
    run.play(.seconds(2))
    run.send(.next, then: .seconds(4))
    run.send(.back)
    run.send(.pause, then: .seconds(1))
    run.send(.resume)
    run.send(.stop, then: .milliseconds(100))
    let commands = run.ledger.compactMap { event -> String? in
      switch event {
      case .start: "start"
      case .command(let command, _, _): command.rawValue
      case .phase(_, _, let label, _, let outcome): "\(label) \(outcome)"
      default: nil
      }
    }
    #expect(commands == ["start", "next", "Low skipped", "back", "pause", "resume", "stop"])
    #expect(!run.coach.isRunning)
  }
}
