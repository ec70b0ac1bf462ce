import ControlProtocol
import IntervalTimeline
import Testing

@testable import CoachService

/// What an answer says to people, in the language that the request asks for.
@Suite struct AnswerLanguageTests {
  private let run = ControlRun()

  @Test func anAnswerIsInTheLanguageThatIsAskedFor() throws {
    #expect(
      run.send(.command(.pause, lane: nil), language: "de").message == "es läuft kein Training")
    for language in ["en", "xx", nil] {
      let refused = run.send(.command(.pause, lane: nil), language: language)
      #expect(refused.message == "no workout is running" && refused.error == .noLane)
    }
    // What an error says is a sentence, with or without values.
    #expect(ControlError(.busy, "a workout is running").sentence.pattern == "a workout is running")
    #expect(ControlError(.busy, "\("a") is running").sentence.pattern == "{} is running")
    // A surface that is warned in English asks for the same in its own language.
    run.start("sprint", lane: "anna", in: .seconds(600))
    run.clock.advance(by: .seconds(661))
    run.handler.alarm()
    run.settle()
    let status = run.send(.status(outline: false), language: "de")
    #expect(status.warnings == ["„anna“ begann nicht: die Maschine schlief"])
    #expect(status.snapshot?.warnings == run.snapshot.warnings)
    #expect(run.send(.status(outline: false)).warnings == nil)
  }

  @Test func whatIsSaidOfAPresetIsTranslated() async {
    let run = ControlRun(checkPreset: { _ in
      var report = PresetReport()
      report.faults = [.init(line: 3, "a wrong \("length")")]
      return report
    })
    for (language, says) in [("de", "falsch: length"), (nil, "a wrong length")] {
      var request = ControlRequest(.number(1), .preset(PresetRequest(.check("name: Rows"))))
      request.language = language
      let answer = await withCheckedContinuation { continuation in
        run.handler.handle(request, rights: .control) { continuation.resume(returning: $0) }
      }
      let faults = answer.check?.faults
      #expect(faults?.map(\.message.text) == [says] && faults?.first?.line == 3)
    }
  }
}
