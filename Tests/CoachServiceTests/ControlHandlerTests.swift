import ControlProtocol
import CueEngine
import CueSound
import CueTesting
import IntervalTimeline
import Testing

@testable import CoachService

/// Requests of the control socket, and what becomes of them in the host.
@Suite struct ControlHandlerTests {
  private let run = ControlRun()

  // MARK: Starting and ending

  @Test func aWorkoutStartsRunsAndEnds() {
    #expect(run.snapshot.device.state == .idle)
    let answer = run.start("sprint")
    #expect(answer.ok && answer.lanes == ["sprint"])
    run.run(.seconds(2))
    #expect(run.snapshot.device.state == .working)
    let lane = run.lane("sprint")
    #expect(lane?.state == .running)
    #expect(lane?.workout == "Workout sprint")
    #expect(lane?.phases == 3)
    #expect(lane?.workoutEndsAt == lane.flatMap { $0.phaseEndsAt.map { $0 + .seconds(15) } })
    run.run(.seconds(26))
    #expect(run.snapshot.lanes == [])
    #expect(run.snapshot.device.state == .idle)
    let ended = run.events.last { $0.event == .ended }
    #expect(ended?.lane?.state == .finished)
    #expect(ended?.lane?.done == 3)
  }

  /// Every event has the next revision; an answer has that of the last event before it.
  @Test func revisionsFollowEachOther() {
    var revision: UInt64 = 0
    func isNext(_ answer: ControlAnswer) -> Bool {
      defer { revision = answer.revision ?? 0 }
      return answer.revision == run.events.last?.revision && answer.revision! > revision
    }
    #expect(isNext(run.start("sprint")))
    run.run(.seconds(1))
    #expect(isNext(run.send(.command(.pause, lane: nil))))
    #expect(isNext(run.send(.command(.next, lane: "sprint"))))
    #expect(isNext(run.send(.volume(50))))
    #expect(isNext(run.send(.command(.stop, lane: nil))))
    #expect(run.send(.subscribe).snapshot?.revision == run.events.last?.revision)
    #expect(run.events.map(\.revision) == Array(1...UInt64(run.events.count)))
  }

  /// Of four taps that waited for eight seconds none changes the phase.
  @Test func aCommandThatComesLateIsNotObeyed() {
    _ = run.start("sprint")
    run.run(.seconds(1))
    let tapped = run.snapshot.at
    let phase = run.lane("sprint")?.phase
    run.run(.seconds(2))
    #expect(run.send(.command(.pause, lane: nil), sentAt: tapped).ok)
    run.run(.seconds(6))
    for _ in 0..<4 {
      let answer = run.send(.command(.next, lane: nil), sentAt: tapped)
      #expect(answer.error == .expired)
      #expect(answer.message == "sentAt: 8 s ago; a command is obeyed within 2 s of it")
    }
    #expect(run.lane("sprint")?.phase == phase)
    // Whose clock is wrong is not obeyed either, and whoever has none is.
    let ahead = run.send(.command(.next, lane: nil), sentAt: tapped + 13_000_000_000)
    #expect(ahead.message == "sentAt: 5 s ahead; a command is obeyed within 2 s of it")
    for extreme in [Int64.min, .max] {
      #expect(run.send(.command(.next, lane: nil), sentAt: extreme).error == .expired)
    }
    #expect(run.send(.command(.next, lane: nil)).ok)
  }

  @Test func theRemarksOfAPresetAreInTheAnswer() {
    #expect(run.start("long").warnings == ["it is long"])
    #expect(run.start("sprint").warnings == nil)
  }

  @Test func aNameIsTakenOnce() {
    #expect(run.start("sprint", lane: "anna").lanes == ["anna"])
    #expect(run.start("sprint", lane: "anna").error == .nameTaken)
    #expect(run.start("sprint").lanes == ["sprint"])
    #expect(run.start("sprint").lanes == ["sprint 2"])
    #expect(run.start("sprint", lane: "ben", in: .seconds(600)).lanes == ["ben"])
    #expect(run.start("sprint", lane: "ben").error == .nameTaken)
    #expect(run.start("nothing").error == .unknownPreset)
    for name in ["a\nb", "", " ", "\u{200b}", "\u{2060}", "\u{301}", "\u{202e}\u{200f}"] {
      let refused = run.start("sprint", lane: name)
      #expect(refused.error == .badName)
      #expect(refused.message?.hasPrefix("lane: expected a name of 1 to 40 characters") == true)
    }
    #expect(run.snapshot.lanes.map(\.name) == ["anna", "sprint", "sprint 2", "ben"])
  }

  /// No time passes: the stopped one is still fading.
  @Test func aStoppedWorkoutsNameIsFreeAtOnce() throws {
    #expect(run.start("sprint", lane: "anna").ok)
    // The sound of the next phase is on its way.
    run.run(.seconds(9))
    #expect(run.send(.command(.stop, lane: "anna")).ok)
    #expect(run.host.statuses().map(\.name) == ["anna"])
    let before = run.events.count
    #expect(run.start("sprint", lane: "anna").lanes == ["anna"])
    #expect(run.host.statuses().map(\.state) == [.stopped, .running])
    // The first has ended for those who watch before the second is there.
    let events = run.events[before...].filter { $0.lane != nil }
    #expect(events.first?.event == .ended && events.first?.lane?.state == .stopped)
    #expect(events.dropFirst().allSatisfy { $0.event == .lane })
    #expect(run.snapshot.lanes.map(\.state) == [.running])
    // Commands are the second one's.
    #expect(run.send(.command(.pause, lane: "anna")).ok)
    #expect(run.send(.command(.resume, lane: "anna")).ok)
    run.run(.seconds(2))
    #expect(run.host.statuses().map(\.state) == [.running])
    #expect(run.events.filter { $0.event == .ended }.count == 1)
    run.run(.seconds(26))
    #expect(run.events.filter { $0.event == .ended }.map(\.lane?.state) == [.stopped, .finished])
    #expect(run.snapshot.lanes == [])
  }

  /// It is answered once, as `send` requires.
  @Test func whatWasInterruptedIsResumedByItsName() {
    #expect(run.send(.command(.resume, lane: "interrupted")).lanes == ["interrupted"])
    run.run(.seconds(1))
    #expect(run.lane("interrupted")?.state == .running)
    #expect(run.send(.command(.resume, lane: "another")).error == .unknownLane)
  }

  /// The first still fades when the second, of the same name, has ended.
  @Test func eachEndIsToldOnce() {
    run.start("sprint", lane: "anna")
    run.run(.seconds(9))
    run.send(.command(.stop, lane: "anna"))
    run.start("sprint", lane: "anna")
    run.send(.command(.stop, lane: "anna"))
    run.run(.seconds(10))
    #expect(run.host.statuses().isEmpty)
    #expect(run.events.filter { $0.event == .ended }.count == 2)
    #expect(run.events.last { $0.event == .device }?.device?.state == .idle)
  }

  @Test func aStoppedWorkoutGivesItsNameToOneThatBeginsLater() {
    run.start("sprint", lane: "anna")
    run.run(.seconds(9))
    run.send(.command(.stop, lane: "anna"))
    run.start("sprint", lane: "anna", in: .seconds(600))
    #expect(run.snapshot.lanes.map(\.state) == [.ready])
    let isLast = { self.run.events.last { $0.lane != nil }?.lane?.state == .ready }
    #expect(isLast())
    run.run(.seconds(10))
    #expect(run.host.statuses().isEmpty)
    #expect(isLast() && run.events.filter { $0.event == .ended }.count == 1)
    #expect(run.snapshot.lanes.map(\.state) == [.ready])
  }

  @Test func thirtyTwoWorkoutsRunAndNoMore() {
    for number in 1...ControlLimits.lanes {
      #expect(run.start("sprint", in: number.isMultiple(of: 2) ? .seconds(600) : nil).ok)
    }
    #expect(run.start("sprint").error == .full)
    #expect(run.send(.command(.stop, lane: "sprint")).ok)
    run.run(.seconds(1))
    #expect(run.start("sprint").lanes == ["sprint"])
  }

  @Test func theHostOfATerminalTakesNoOthers() {
    let run = ControlRun(takesStarts: false)
    #expect(run.start("sprint").error == .failed)
    #expect(run.snapshot.lanes == [])
  }

  // MARK: Later

  @Test func aScheduledStartIsNoSessionUntilItBegins() throws {
    let at = run.clock.now + .seconds(3600)
    #expect(run.start("sprint", lane: "anna", in: .seconds(3600)).lanes == ["anna"])
    #expect(run.alarm == at - WorkoutStarts.headStart)
    #expect(run.host.statuses().isEmpty)
    #expect(run.snapshot.device.state == .idle)
    let later = run.lane("anna")
    #expect(later?.startsAt == at)
    #expect(later?.state == .ready)
    #expect(later?.kind == .work && later?.phases == 3)
    #expect(later?.elapsed == .zero && later?.phaseElapsed == .zero)
    #expect(later?.workoutLeft == .seconds(25) && later?.phaseLeft == .seconds(10))
    #expect(run.events.last?.lane == later)
    // Too early: nothing happens.
    run.handler.alarm()
    run.settle()
    #expect(run.host.statuses().isEmpty)

    run.clock.advance(to: at - WorkoutStarts.headStart)
    run.handler.alarm()
    run.run(.seconds(1))
    #expect(run.alarm == nil)
    let coming = try #require(run.lane("anna"))
    #expect(coming.state == .running && coming.startsAt == at)
    #expect(coming.phaseEndsAt == at + .seconds(10))
    run.run(.seconds(4))
    #expect(run.lane("anna")?.startsAt == nil)
    #expect(run.lane("anna")?.elapsed == .seconds(2))
  }

  /// Nobody knows when it ends, and yet when it begins.
  @Test func anOpenWorkoutIsShownUntilItBegins() throws {
    let at = run.clock.now + .seconds(2)
    #expect(run.start("lifts", lane: "anna", in: .seconds(2)).lanes == ["anna"])
    let started = try #require(run.events.last { $0.event == .lane }?.lane)
    for lane in [started, try #require(run.lane("anna"))] {
      #expect(lane.startsAt == at && lane.elapsed == .zero && lane.phaseEndsAt == nil)
    }
    run.run(.seconds(3))
    #expect(run.lane("anna")?.startsAt == nil)
    #expect(run.lane("anna")?.elapsed == .seconds(1))
  }

  /// The first sound is on the sample of the instant that was asked for.
  @Test(arguments: [1_000, 1_234, 2_999, 5_001, 61_007]) func aStartIsOnItsSample(
    milliseconds: Int
  ) throws {
    let at = run.clock.now + .milliseconds(milliseconds)
    #expect(run.start("sprint", in: .milliseconds(milliseconds)).ok)
    while let alarm = run.alarm, run.clock.now < alarm {
      run.run(min(.seconds(1), run.clock.now.duration(to: alarm)))
    }
    run.handler.alarm()
    run.run(run.clock.now.duration(to: at) + .seconds(1))
    #expect(run.output.samples.firstIndex { $0 != 0 } == run.output.frame(at: at))
  }

  @Test func stopCancelsAScheduledStart() {
    run.start("sprint", lane: "anna", in: .seconds(3600))
    run.start("sprint", lane: "ben", in: .seconds(7200))
    #expect(run.send(.command(.pause, lane: "anna")).error == .noEffect)
    // What has not begun ends by its name alone.
    let refused = run.send(.command(.stop, lane: nil))
    #expect(refused.error == .noLane)
    #expect(refused.message?.contains("\"anna\"") == true)
    #expect(run.send(.command(.stop, lane: "anna")).lanes == ["anna"])
    #expect(run.events.last?.event == .ended)
    #expect(run.alarm == run.clock.now + .seconds(7200) - WorkoutStarts.headStart)
    #expect(run.snapshot.lanes.map(\.name) == ["ben"])
  }

  @Test func anInstantLiesWithinAWeek() {
    #expect(run.start("sprint", in: .milliseconds(-1)).error == .invalid)
    #expect(run.start("sprint", in: .seconds(7 * 86_400 + 1)).error == .invalid)
    #expect(run.start("sprint", in: .seconds(7 * 86_400)).ok)
  }

  @Test func aStartThatWasSleptThroughIsReported() throws {
    run.start("sprint", lane: "anna", in: .seconds(600))
    run.clock.advance(by: .seconds(661))
    run.handler.alarm()
    run.settle()
    #expect(run.snapshot.lanes == [])
    #expect(
      run.snapshot.warnings.last
        == "\"anna\" did not begin: the machine slept through its time")
    #expect(run.disk.missed == ["anna"] && run.disk.kept == [])
  }

  @Test func aStartThatIsALittleLateBeginsAtOnce() {
    run.start("sprint", lane: "anna", in: .seconds(600))
    run.clock.advance(by: .seconds(630))
    run.handler.alarm()
    run.run(.seconds(2))
    #expect(run.lane("anna")?.state == .running)
  }

  // MARK: Commands

  @Test func aCommandWithoutEffectIsRefused() {
    #expect(run.send(.command(.pause, lane: nil)).error == .noLane)
    run.start("sprint")
    #expect(run.send(.command(.pause, lane: "anna")).error == .unknownLane)
    #expect(run.send(.command(.pause, lane: "sprint")).ok)
    let again = run.send(.command(.pause, lane: "sprint"))
    #expect(again.error == .noEffect)
    #expect(again.message == "pause changes nothing: \"sprint\" is paused")
  }

  @Test func aCommandForAllNamesThoseThatObeyed() {
    run.start("sprint", lane: "anna")
    run.start("sprint", lane: "ben")
    run.send(.command(.pause, lane: "ben"))
    #expect(run.send(.command(.pause, lane: nil)).lanes == ["anna"])
    #expect(run.send(.command(.resume, lane: nil)).lanes == ["anna", "ben"])
  }

  /// While one runs, all pause; then all resume.
  @Test func toggleBringsWorkoutsTogether() {
    run.start("sprint", lane: "anna")
    run.start("sprint", lane: "ben")
    run.send(.command(.pause, lane: "ben"))
    #expect(run.send(.command(.toggle, lane: nil)).lanes == ["anna"])
    #expect(run.snapshot.lanes.map(\.state) == [.paused, .paused])
    #expect(run.send(.command(.toggle, lane: nil)).ok)
    #expect(run.snapshot.lanes.map(\.state) == [.running, .running])
    #expect(run.send(.command(.toggle, lane: "ben")).ok)
    #expect(run.snapshot.lanes.map(\.state) == [.running, .paused])
  }

  @Test func theLaneMovesAndTheEventSaysWhere() {
    run.start("sprint")
    run.run(.seconds(1))
    #expect(run.send(.command(.next, lane: nil)).ok)
    #expect(run.events.last?.lane?.phase == 1)
    #expect(run.lane("sprint")?.skipped == 1)
    #expect(run.send(.command(.back, lane: nil)).ok)
    #expect(run.events.last?.lane?.phase == 0)
    #expect(run.send(.command(.whereAmI, lane: nil)).ok)
    #expect(run.send(.command(.stop, lane: nil)).lanes == ["sprint"])
  }

  @Test func theVolumeIsAskedForAndSet() {
    #expect(run.send(.volume(nil)).volume == 100)
    #expect(run.send(.volume(40)).volume == 40)
    #expect(run.events.map(\.event) == [.volume])
    #expect(run.events.last?.volume == 40)
    #expect(run.snapshot.volume == 40)
    // The same again is no change.
    #expect(run.send(.volume(40)).revision == 1)
  }

  /// It takes longer than any gap there is: known at once only where it was rendered before.
  @Test func aTextWithoutRoomIsARefusalOrAWarning() throws {
    let run = ControlRun(speech: ScriptedSpeech())
    #expect(run.start("busy", lane: "anna").ok)
    run.run(.seconds(13))
    let text = String(repeating: "a", count: 400)
    #expect(run.send(.say(text, lane: nil)).lanes == ["anna"])
    run.finishRendering()
    let warning = try #require(run.events.last { $0.event == .warning }?.message)
    #expect(warning.hasPrefix("anna: \"aaaaa"))
    #expect(warning.contains("\" is not said: "))
    let warnings = run.events.count { $0.event == .warning }
    let again = run.send(.say(text, lane: nil))
    #expect(again.error == .failed && again.message == warning)
    #expect(run.events.count { $0.event == .warning } == warnings)
  }

  @Test func aTextNeedsOneWorkoutThatRuns() {
    let run = ControlRun(speech: ScriptedSpeech())
    #expect(run.send(.say("Well done", lane: nil)).error == .noLane)
    run.start("sprint", lane: "anna")
    #expect(run.send(.say("Well done", lane: nil)).lanes == ["anna"])
    #expect(run.send(.say(" \n", lane: nil)).error == .malformed)
    run.start("sprint", lane: "ben")
    #expect(run.send(.say("Well done", lane: nil)).error == .unknownLane)
    #expect(run.send(.say("Well done", lane: "ben")).lanes == ["ben"])
    #expect(run.send(.say("Well done", lane: "cleo")).error == .unknownLane)
  }

  // MARK: What is shown

  @Test func outlinesAreByLane() {
    run.start("sprint", lane: "anna")
    run.start("long", in: .seconds(60))
    let outlines = run.send(.status(outline: true)).outlines
    #expect(outlines?["anna"]?.map(\.seconds) == [10, 5, 10])
    #expect(outlines?["anna"]?.map(\.kind) == [.work, .rest, .work])
    // More phases than are sent, and no sets that could stand for them.
    #expect(outlines?["long"] == nil)
  }

  @Test func aLongWorkoutIsOutlinedBySets() throws {
    let phases = [(PhaseKind.low, 10), (.high, 20), (.rest, 5)].map {
      Block.Step(Phase($0.0, .fixed(.seconds($0.1))))
    }
    let timeline = try Timeline(Workout(name: "Long", blocks: [Block(sets: 200, steps: phases)]))
    let outline = try #require(
      OutlineSegment.outline(of: timeline, .english, limit: ControlLimits.segments))
    #expect(outline.count == 200)
    #expect(outline.allSatisfy { $0.seconds == 35 && $0.kind == .high })
    #expect(outline.map(\.set) == Array(1...200))
  }

  /// A program may fetch a voice for every name, which the network does not decide.
  @Test func anotherProgramsVoiceIsChosenWhereItIsOffered() {
    func start(_ voice: String, _ rights: ControlRights) -> ControlAnswer {
      run.send(
        .start(
          StartOrder(
            preset: "sprint", lane: "\(voice) \(rights)",
            style: AnnouncementStyle(voice: VoiceSettings(name: voice)))), rights: rights)
    }
    #expect(start("flite:slt", .remote).ok && start("en", .remote).ok)
    #expect(start("wyoming:any", .control).ok)
    let refused = start("wyoming:any", .remote)
    #expect(refused.error == .notAllowed)
    #expect(
      refused.message
        == "style.voice: wyoming:any is not \"offered\" in config.yaml, or not installed")
  }

  /// A coach keeps none unless its files do.
  @Test func presetsOfSurfacesAreChangedWhereTheFilesAllowIt() {
    let save = ControlRequest.Action.preset(
      PresetRequest(.save(PresetChange(preset: "rows", workout: "name: Rows"))))
    let delete = ControlRequest.Action.preset(PresetRequest(.delete("rows", tag: "x")))
    let read = ControlRequest.Action.preset(PresetRequest(.read("rows", version: nil)))
    let refused = run.send(save, rights: .remote)
    #expect(refused.error == .notAllowed)
    #expect(refused.message == "verb: presets are not edited here (config.yaml)")
    #expect(run.send(delete, rights: .remote).error == .notAllowed)
    for action in [save, delete, read] {
      #expect(run.send(action).message == "this coach keeps no presets for its surfaces")
    }
  }

  @Test func theDiskIsAskedAndItsErrorsAreAnswers() {
    run.start("sprint")
    #expect(run.send(.presets(nil, outline: false)).presets?.map(\.name) == ["all"])
    #expect(run.send(.presets(nil, outline: false)).voices == ["flite:slt"])
    #expect(run.send(.presets("x", outline: true)).presets?.map(\.name) == ["x"])
    #expect(run.send(.presets("x", outline: true)).voices == nil)
    #expect(run.send(.presets(nil, outline: false)).edit == false)
    #expect(run.send(.desk(DeskRequest(.presets(after: "a", folder: nil)))).edit == false)
    run.disk.state.withLock { $0.keepsPresets = true }
    #expect(run.send(.presets(nil, outline: false)).edit == nil)
    #expect(run.send(.sessions).sessions?.map(\.lane) == ["sprint"])
    let refused = run.send(.history(limit: 7))
    #expect(refused.error == .failed && refused.message == "the disk is gone, 7")
  }

  @Test func aLostDeviceIsSaidWhileAWorkoutNeedsIt() {
    run.start("sprint")
    run.output.report(
      .lost(
        SoundOutputError(kind: .gone, device: "hw:9", detail: "no such device"),
        at: BootInstant(nanoseconds: 1)))
    run.settle()
    #expect(run.snapshot.device == DeviceSnapshot(.lost, reason: "gone"))
    #expect(run.snapshot.warnings.last == "no such device")
    #expect(run.lines.last == "no such device")
    run.send(.command(.stop, lane: nil))
    run.run(.seconds(1))
    #expect(run.snapshot.device.state == .idle)
    // It is still gone, and the output says so only once.
    run.start("sprint")
    #expect(run.snapshot.device == DeviceSnapshot(.lost, reason: "gone"))
  }
}
