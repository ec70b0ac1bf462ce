import ControlProtocol
import CueTesting
import Dispatch
import IntervalTimeline
import Synchronization
import TestSupport
import Testing

@testable import CoachService

/// A text is checked and heard before it is a preset.
@Suite struct PresetTrialTests {
  private static func hear(_ text: String, phase: Int? = nil) -> ControlRequest.Action {
    .preset(PresetRequest(.hear(text, phase: phase)))
  }
  private static let silence = ControlRequest.Action.preset(PresetRequest(.silence))

  // MARK: Hearing

  @Test func aWorkoutIsHeardFromTextToText() throws {
    let run = ControlRun(speech: ScriptedSpeech())
    #expect(run.send(Self.hear("sprint")).ok)
    run.speak(.seconds(60))
    let said = run.speech
    #expect(said.count == 3)
    #expect(said.allSatisfy { $0.lanes.isEmpty && $0.withdrawn == nil })
    for (one, next) in zip(said, said.dropFirst()) {
      #expect(next.from - one.until == 500_000_000)
    }
    #expect(said[1].text.hasPrefix("Next"))
    // Nobody sees a workout, and nothing is left of one.
    #expect(run.events.isEmpty && run.snapshot.lanes.isEmpty && run.host.statuses().isEmpty)
    let heard = run.announced.filter { $0.kind == "message" && $0.onset != nil }
    #expect(heard.map(\.text) == said.map(\.text))
  }

  @Test func aPhaseIsWhatTellsItAndWhatIsSaidInIt() throws {
    let run = ControlRun(speech: ScriptedSpeech())
    #expect(run.send(Self.hear("sprint", phase: 2)).ok)
    run.speak(.seconds(20))
    let texts = run.speech.map(\.text)
    #expect(texts.count == 1 && texts[0].hasPrefix("Next"))
    let wrong = run.send(Self.hear("sprint", phase: 3))
    #expect(wrong.error == .invalid)
    #expect(wrong.message == "phase 3: expected the index of one of 3 phases")
    #expect(run.send(Self.hear("nothing")).error == .unknownPreset)
  }

  @Test func nothingIsHeardWhileSomebodyTrains() throws {
    let run = ControlRun(speech: ScriptedSpeech())
    run.start("sprint", lane: "anna")
    let refused = run.send(Self.hear("sprint"))
    #expect(refused.error == .busy && refused.message == "a workout is running")
    run.run(.seconds(60))
    #expect(run.start("sprint", lane: "ben", in: .seconds(61)).ok)
    #expect(run.send(Self.hear("sprint")).ok)
    #expect(run.send(Self.silence).ok)
    run.run(.seconds(2))
    let soon = run.send(Self.hear("sprint"))
    #expect(soon.error == .busy && soon.message == "\"ben\" begins within a minute")
  }

  /// One that comes each day is heard alone, too.
  @Test func nothingIsHeardBeforeAStartThatRepeats() throws {
    let run = ControlRun(speech: ScriptedSpeech())
    let wall = run.disk.wall(at: run.clock.now + .seconds(121))
    let time = WallTime(wall, in: { _ in 3600 }).timeText
    let order = ScheduleOrder(preset: "sprint", lane: "cleo", time: time, days: .daily)
    #expect(run.send(.desk(DeskRequest(.schedule(order)))).ok)
    let alarm = try #require(run.alarm)
    run.clock.advance(to: alarm - .seconds(61))
    #expect(run.send(Self.hear("sprint")).ok)
    #expect(run.send(Self.silence).ok)
    run.clock.advance(by: .seconds(50))
    let soon = run.send(Self.hear("sprint"))
    #expect(soon.error == .busy && soon.message == "\"cleo\" begins within a minute")
  }

  @Test func aStartEndsIt() throws {
    let run = ControlRun(speech: ScriptedSpeech())
    #expect(run.send(Self.hear("sprint")).ok)
    run.speak(.seconds(1))
    #expect(run.speech.count >= 1)
    #expect(run.start("sprint", lane: "anna").ok)
    run.speak(.seconds(30))
    #expect(!run.events.contains { $0.event == .warning })
    let tried = run.speech.filter(\.lanes.isEmpty)
    #expect(tried.last?.withdrawn == true)
    let own = run.speech.filter { $0.lanes == ["anna"] }
    #expect(own.count >= 2)
    // The workout is alone: it has no name before its words.
    #expect(!own.contains { $0.text.contains("anna") })
    #expect(run.host.statuses().isEmpty)
  }

  @Test func itEndsWhenItIsAskedToAndWhenAnotherIsHeard() throws {
    let run = ControlRun(speech: ScriptedSpeech())
    #expect(run.send(Self.silence).ok)
    #expect(run.send(Self.hear("sprint")).ok)
    run.speak(.seconds(1))
    #expect(run.send(Self.silence).ok)
    let count = run.speech.count
    run.speak(.seconds(20))
    #expect(run.speech.count == count && run.speech.last?.withdrawn == true)
    #expect(run.send(Self.hear("sprint")).ok)
    run.speak(.seconds(1))
    #expect(run.send(Self.hear("busy", phase: 1)).ok)
    run.speak(.seconds(30))
    #expect(run.speech.last?.withdrawn == nil)
    #expect(run.host.statuses().isEmpty)
  }

  @Test func aPageThatMayNotEditTriesNothing() {
    let run = ControlRun()
    for action in [Self.hear("sprint"), Self.silence, .preset(PresetRequest(.check("#")))] {
      #expect(run.send(action, rights: .remote).error == .notAllowed)
      #expect(run.send(action, rights: .sense).error == .notAllowed)
    }
  }

  // MARK: Checks

  /// A check that goes on when it may.
  private final class SlowCheck: Sendable {
    let begun = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)
    /// Protects the answers, in the order in which they came.
    let answers = Mutex<[ControlAnswer]>([])

    func report(_ text: String) -> PresetReport {
      begun.signal()
      mayEnd.wait()
      var report = PresetReport()
      report.notes = [.init(text)]
      return report
    }
  }

  @Test func oneIsCheckedAtATimeAndTheLatestWaits() async throws {
    let check = SlowCheck()
    let run = ControlRun(checkPreset: { text throws(ControlError) in check.report(text) })
    for number in 1...4 {
      run.handler.handle(
        ControlRequest(.number(Int64(number)), .preset(PresetRequest(.check("text \(number)")))),
        rights: .control
      ) { answer in check.answers.withLock { $0.append(answer) } }
      if number == 1 { try await apart { check.begun.wait() } }
    }
    run.settle()
    let early = check.answers.withLock { $0 }
    #expect(early.map(\.id) == [.number(2), .number(3)])
    #expect(early.allSatisfy { $0.error == .full })
    check.mayEnd.signal()
    try await apart { check.begun.wait() }
    check.mayEnd.signal()
    #expect(await eventually { check.answers.withLock { $0.count } == 4 })
    let done = check.answers.withLock { $0.suffix(2) }
    #expect(done.map(\.id) == [.number(1), .number(4)])
    #expect(done.map { $0.check?.notes.first?.message } == ["text 1", "text 4"])
  }

  @Test func aCoachWithoutChecksSaysSo() async throws {
    let run = ControlRun()
    let answers = Mutex<[ControlAnswer]>([])
    run.handler.handle(
      ControlRequest(.number(1), .preset(PresetRequest(.check("#")))), rights: .control
    ) { answer in answers.withLock { $0.append(answer) } }
    run.settle()
    run.handler.trials.checking.sync {}
    run.settle()
    #expect(answers.withLock { $0.first?.message } == "this coach checks no presets")
  }
}
