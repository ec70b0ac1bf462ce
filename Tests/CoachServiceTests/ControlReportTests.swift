import ControlProtocol
import CueTesting
import Testing

/// What programs report of a running workout: repetitions, signals and live values.
@Suite struct ControlReportTests {
  private let run = ControlRun()

  @Test func repetitionsAreCountedAndTheLastEndsThePhase() {
    #expect(run.start("lifts", lane: "anna").ok)
    #expect(run.start("sprint", lane: "ben").ok)
    run.run(.seconds(2))
    #expect(run.lane("anna")?.repetitions == 0 && run.lane("ben")?.repetitions == nil)
    #expect(run.send(.command(.rep, lane: nil)).lanes == ["anna"])
    #expect(run.lane("anna")?.repetitions == 1 && run.lane("anna")?.phase == 0)
    #expect(run.events.last { $0.event == .lane }?.lane?.repetitions == 1)
    let elsewhere = run.send(.command(.rep, lane: "ben"))
    #expect(elsewhere.error == .noEffect)
    #expect(elsewhere.message == "\"ben\" counts no repetitions now")
    #expect(run.send(.command(.pause, lane: "anna")).ok)
    #expect(run.send(.command(.rep, lane: "anna")).message == "\"anna\" is paused")
    #expect(run.send(.command(.rep, lane: nil)).message == "\"anna\" is paused")
    #expect(run.send(.command(.resume, lane: "anna")).ok)
    #expect(run.send(.command(.rep, lane: "anna")).lanes == ["anna"])
    #expect(run.lane("anna")?.phase == 1 && run.lane("anna")?.repetitions == nil)
    #expect(run.send(.command(.rep, lane: "anna")).error == .noEffect)
    #expect(run.send(.command(.rep, lane: nil)).message == "no workout counts repetitions now")
  }

  @Test func aSignalEndsThePhasesThatWaitForIt() {
    #expect(run.send(.signal("ready", lane: nil)).error == .noLane)
    #expect(run.start("lifts", lane: "anna").ok)
    #expect(run.start("sprint", lane: "ben").ok)
    run.run(.seconds(2))
    #expect(run.send(.signal("ready", lane: nil)).error == .noEffect)
    #expect(run.send(.command(.next, lane: "anna")).ok)
    #expect(run.lane("anna")?.signal == "ready" && run.lane("ben")?.signal == nil)
    let refused = run.send(.signal("done", lane: "anna"))
    #expect(refused.error == .noEffect && refused.message == "\"anna\" does not wait for \"done\"")
    #expect(run.send(.command(.pause, lane: "anna")).ok)
    for lane in ["anna", nil] {
      #expect(run.send(.signal("ready", lane: lane)).message == "\"anna\" is paused")
    }
    #expect(
      run.send(.signal("done", lane: nil)).message == "no workout waits for \"done\"")
    #expect(run.send(.command(.resume, lane: "anna")).ok)
    #expect(run.send(.signal("ready", lane: "cleo")).error == .unknownLane)
    let answer = run.send(.signal("ready", lane: nil))
    #expect(answer.ok && answer.lanes == ["anna"])
    #expect(run.lane("anna")?.done == 1 && run.lane("anna")?.skipped == 1)
    #expect(answer.revision == run.events.last?.revision)
  }

  /// What keys of a terminal have brought about is in no client's answer.
  @Test func anAnswerHasTheLanesThatObeyedItAlone() throws {
    #expect(run.start("lifts", lane: "anna").ok)
    #expect(run.start("lifts", lane: "ben").ok)
    run.run(.seconds(2))
    let anna = try #require(run.host.statuses().first { $0.name == "anna" }).id
    run.host.send(.rep, to: anna)
    run.host.send(.rep, to: anna)
    run.settle()
    #expect(run.lane("anna")?.phase == 1)
    #expect(run.send(.command(.rep, lane: nil)).lanes == ["ben"])
    run.host.send(.pause, to: anna)
    run.settle()
    #expect(run.send(.command(.pause, lane: nil)).lanes == ["ben"])
    #expect(run.send(.command(.resume, lane: nil)).lanes == ["anna", "ben"])
    #expect(run.send(.command(.rep, lane: "ben")).lanes == ["ben"])
    run.host.signal("ready", to: anna)
    run.settle()
    #expect(run.send(.signal("ready", lane: nil)).lanes == ["ben"])
  }

  @Test func aLiveValueIsSaid() {
    let speech = ScriptedSpeech()
    let run = ControlRun(speech: speech)
    let watts = ValueRequest("watts", number: 187, unit: .watt, validFor: 60_000)
    #expect(run.send(.value(watts, lane: nil)).error == .noLane)
    #expect(run.start("lifts", lane: "anna").ok)
    #expect(run.send(.value(watts, lane: "cleo")).error == .unknownLane)
    #expect(run.send(.value(watts, lane: "anna")).ok)
    let unknown = run.send(.value(ValueRequest("wats", number: 1), lane: nil))
    #expect(unknown.error == .noEffect)
    #expect(unknown.message == "no text says {wats}")
    // It is handed over before its time, and rendered then.
    run.run(.seconds(7))
    run.finishRendering()
    #expect(speech.texts.contains("At 187 watts"))
  }
}
