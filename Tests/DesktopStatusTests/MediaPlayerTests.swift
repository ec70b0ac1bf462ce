import ControlProtocol
import IntervalTimeline
import Testing

@testable import DesktopStatus

let second: Int64 = 1_000_000_000

/// A phase of 30 s of a workout with four of them and two sets, at its tenth second.
func status(
  _ name: String = "anna", phase: Int = 1, _ state: Transport.State = .running,
  elapsed: Duration = .seconds(10), endsAt: Int64? = nil
) -> WorkoutStatus {
  var lane = WorkoutStatus(name: name, workout: "Row", state: state, language: "en")
  (lane.phase, lane.phases) = (phase, 4)
  lane.kind = .high
  lane.label = "High"
  (lane.set, lane.sets) = (1 + phase / 2, 2)
  (lane.phaseElapsed, lane.phaseLeft) = (elapsed, .seconds(30) - elapsed)
  lane.phaseEndsAt = endsAt.map { BootInstant(nanoseconds: $0) }
  lane.elapsed = .seconds(30 * phase) + elapsed
  return lane
}

func snapshot(_ lanes: [WorkoutStatus], at instant: Int64 = 0, revision: UInt64 = 1)
  -> CoachSnapshot
{
  CoachSnapshot(
    revision: revision, at: instant, wall: 0, lanes: lanes, device: DeviceSnapshot(.working),
    volume: 80, warnings: [])
}

func answer(_ snapshot: CoachSnapshot) -> ControlAnswer {
  var answer = ControlAnswer(.number(1), revision: snapshot.revision)
  answer.snapshot = snapshot
  return answer
}

func event(
  _ kind: ControlEvent.Kind, _ lane: WorkoutStatus, _ revision: UInt64, at instant: Int64 = 0
) -> ControlEvent {
  var event = ControlEvent(kind, revision: revision, at: instant)
  event.lane = lane
  return event
}

@Suite struct RunningWorkoutsTests {
  private var workouts = RunningWorkouts()

  private mutating func take(_ lanes: WorkoutStatus...) { workouts.take(answer(snapshot(lanes))) }

  @Test mutating func theOneThatBeganLastIsChosen() {
    take(status("anna"))
    workouts.take(event(.lane, status("ben"), 2))
    #expect(workouts.chosen?.name == "ben")
    workouts.take(event(.ended, status("ben", .stopped), 3))
    #expect(workouts.chosen?.name == "anna")
    workouts.lose()
    #expect(workouts.chosen == nil)
  }

  @Test mutating func oneThatIsStillToBeginTakesNoKeys() {
    take(status("anna"))
    workouts.take(event(.lane, status("ben", .ready), 2))
    #expect(workouts.chosen?.name == "anna")
    workouts.take(event(.lane, status("ben"), 3))
    #expect(workouts.chosen?.name == "ben")
  }

  @Test mutating func whoGotACommandIsChosen() {
    take(status("anna", endsAt: 20 * second), status("ben"))
    workouts.take(event(.lane, status("anna", phase: 2, elapsed: .zero), 2, at: 3 * second))
    #expect(workouts.chosen?.name == "anna")
    workouts.take(event(.lane, status("ben", .paused), 3, at: 4 * second))
    #expect(workouts.chosen?.name == "ben")
  }

  /// A phase that ends by itself, a repetition, a target: nobody chose anything.
  @Test mutating func whatHappensByItselfChoosesNothing() {
    take(status("anna", endsAt: 20 * second), status("ben"))
    workouts.take(event(.lane, status("anna", phase: 2, elapsed: .zero), 2, at: 20 * second))
    var counted = status("anna", phase: 2, elapsed: .seconds(1), endsAt: 50 * second)
    counted.repetitions = 3
    workouts.take(event(.lane, counted, 3, at: 21 * second))
    #expect(workouts.chosen?.name == "ben")
  }

  @Test mutating func oneThatIsOverIsNotChosen() {
    take(status("anna"), status("ben", .finished))
    #expect(workouts.chosen?.name == "anna")
  }
}

@Suite struct MediaPlayerTests {
  private var player = MediaPlayer()

  init() { player.workouts.take(answer(snapshot([status()]))) }

  private func value(_ name: String, at now: Int64 = 0) -> BusValue? {
    guard case .value(let value) = player.answer(.get(interface: MediaPlayer.player, name), at: now)
    else { return nil }
    return value
  }

  private var metadata: [String: BusValue] {
    guard case .map(let fields)? = value("Metadata") else { return [:] }
    return fields
  }

  // MARK: Properties

  @Test func thePositionIsOfTheInstant() {
    #expect(value("Position", at: 5 * second) == .int64(15_000_000))
    // The phase is over, and the event of the next has not come.
    #expect(value("Position", at: 99 * second) == .int64(30_000_000))
  }

  @Test mutating func aPauseHoldsThePosition() {
    player.workouts.take(event(.lane, status("anna", .paused), 2, at: second))
    #expect(value("Position", at: 99 * second) == .int64(10_000_000))
    #expect(value("PlaybackStatus") == .text("Paused"))
  }

  @Test mutating func whatIsUnknownIsLeftOut() {
    var lane = status()
    (lane.phaseLeft, lane.set, lane.sets) = (nil, nil, nil)
    lane.label = "Run\u{202e}\u{fffe}\0"
    player.workouts.take(event(.lane, lane, 2))
    #expect(metadata["mpris:length"] == nil)
    #expect(metadata["xesam:title"] == .text("Run "))
    #expect(metadata["mpris:artUrl"] == nil)
  }

  @Test mutating func theVolumeOfSilenceIsZero() {
    #expect(value("Volume") == .double(0.8))
    var muted = ControlEvent(.volume, revision: 2, at: 0)
    (muted.volume, muted.muted) = (80, true)
    player.workouts.take(muted)
    #expect(value("Volume") == .double(0))
    let set = MediaCall.set(interface: MediaPlayer.player, "Volume", .double(0.5))
    #expect(player.answer(set, at: 0) == .asks(.desk(DeskRequest(.mute(false, volume: 50)))))
  }

  @Test func everyPropertyOfTheSpecificationIsThere() {
    let root = [
      "CanQuit", "CanRaise", "HasTrackList", "Identity", "SupportedUriSchemes",
      "SupportedMimeTypes",
    ]
    let all = [
      "PlaybackStatus", "Rate", "Metadata", "Volume", "Position", "MinimumRate", "MaximumRate",
      "CanGoNext", "CanGoPrevious", "CanPlay", "CanPause", "CanSeek", "CanControl",
    ]
    for (interface, names) in [(MediaPlayer.root, root), (MediaPlayer.player, all)] {
      guard case .values(let values) = player.answer(.all(interface: interface), at: 0) else {
        Issue.record("\(interface)")
        continue
      }
      #expect(Set(values.keys) == Set(names))
    }
  }

  // MARK: Signals

  @Test mutating func onlyWhatHasChangedIsTold() {
    #expect(player.changes(at: 0).properties.isEmpty)
    player.workouts.take(event(.lane, status("anna", .paused), 2, at: second))
    #expect(player.changes(at: second).properties == ["PlaybackStatus": .text("Paused")])
    #expect(player.changes(at: 9 * second) == MediaPlayer.Changes())
    player.workouts.lose()
    let changed = player.changes(at: 10 * second).properties
    #expect(
      Set(changed.keys) == [
        "PlaybackStatus", "Metadata", "CanPlay", "CanPause", "CanGoNext", "CanGoPrevious", "Volume",
      ])
  }

  @Test mutating func onlyAJumpIsTold() {
    _ = player.changes(at: 0)
    // Time has passed, as everybody knows.
    #expect(player.changes(at: 7 * second).seeked == nil)
    player.workouts.take(event(.lane, status(phase: 2, elapsed: .zero), 2, at: 20 * second))
    #expect(player.changes(at: 20 * second).seeked == nil)
    player.workouts.take(event(.lane, status(phase: 2, elapsed: .zero), 3, at: 29 * second))
    #expect(player.changes(at: 29 * second).seeked == 0)
    // Another workout is in the middle of its phase.
    player.workouts.take(event(.lane, status("ben"), 4, at: 29 * second))
    #expect(player.changes(at: 29 * second).seeked == 10_000_000)
  }

  // MARK: Calls

  @Test(
    arguments: [
      ("Play", nil), ("Pause", .pause), ("Stop", .pause), ("PlayPause", .toggle), ("Next", .next),
      ("Previous", .back), ("Seek", nil), ("SetPosition", nil), ("Raise", nil), ("Quit", nil),
    ] as [(String, ControlRequest.LaneCommand?)])
  func aMethodIsACommandOfTheWorkout(name: String, command: ControlRequest.LaneCommand?) {
    let answer = player.answer(.method(interface: nil, name), at: 0)
    #expect(answer == command.map { .asks(.command($0, lane: "anna")) } ?? .done)
  }

  @Test mutating func whatIsPausedIsNotPausedAgain() {
    player.workouts.take(event(.lane, status("anna", .paused), 2))
    #expect(player.answer(.method(interface: nil, "Stop"), at: 0) == .done)
    #expect(
      player.answer(.method(interface: nil, "Play"), at: 0)
        == .asks(.command(.resume, lane: "anna")))
  }

  @Test mutating func noKeyEndsTheWorkout() {
    player.workouts.take(event(.lane, status("anna", phase: 3), 2))
    #expect(player.answer(.method(interface: nil, "Next"), at: 0) == .done)
    #expect(player.properties(of: MediaPlayer.player, at: 0)?["CanGoNext"] == .bool(false))
    // It lasts until somebody says so.
    var open = status("anna", phase: 3)
    open.mayEndEarly = true
    player.workouts.take(event(.lane, open, 3))
    #expect(
      player.answer(.method(interface: nil, "Next"), at: 0) == .asks(.command(.next, lane: "anna")))
  }

  @Test func withoutAWorkoutNothingIsAsked() {
    let player = MediaPlayer()
    for name in ["Play", "Pause", "PlayPause", "Next", "Previous", "Stop"] {
      #expect(player.answer(.method(interface: MediaPlayer.player, name), at: 0) == .done)
    }
  }

  @Test(
    arguments: [
      (.get(interface: "x", "Volume"), .noInterface), (.all(interface: ""), .noInterface),
      (.get(interface: MediaPlayer.player, "x"), .noProperty),
      (.set(interface: MediaPlayer.player, "x", nil), .noProperty),
      (.set(interface: MediaPlayer.player, "Metadata", .double(1)), .readOnly),
      (.set(interface: MediaPlayer.player, "Volume", nil), .wrongArguments),
      (.set(interface: MediaPlayer.player, "Volume", .double(.nan)), .wrongArguments),
      (.method(interface: MediaPlayer.root, "Play"), .noMethod),
      (.method(interface: "x", "Play"), .noInterface),
      (.method(interface: nil, "OpenUri"), .notSupported), (.wrong("Seek"), .wrongArguments),
    ] as [(MediaCall, MediaAnswer.Refusal)])
  func whatIsWrongIsAnError(call: MediaCall, refusal: MediaAnswer.Refusal) {
    guard case .refused(let found, let text) = player.answer(call, at: 0) else {
      Issue.record("not refused")
      return
    }
    #expect(found == refusal && !text.isEmpty)
  }

  @Test func aFloodOfCommandsIsCut() {
    var limit = CommandLimit()
    let allowed = (0..<1000).filter { _ in limit.allows(at: 5 * second) }
    #expect(allowed.count == 20)
    let isAllowedLater = limit.allows(at: 6 * second)
    #expect(isAllowedLater)
  }

  // MARK: The picture

  @Test mutating func thePictureShowsWhereThePhaseIs() throws {
    #expect(player.workouts.needsOutline)
    var reply = answer(snapshot([status()]))
    reply.outlines = [
      "anna": (0..<4).map {
        OutlineSegment(kind: .high, label: "High", seconds: 30, set: 1 + $0 / 2, sets: 2)
      }
    ]
    player.workouts.take(reply)
    #expect(!player.workouts.needsOutline)
    let picture = try #require(PhasePicture(player.workouts))
    let opacities = picture.text.split(separator: "\n").compactMap {
      $0.firstMatch(of: /fill-opacity="([0-9.]+)"/)?.1
    }
    #expect(opacities == ["0.25", "1", "0.5", "0.5"])
    #expect(picture.text.contains("fill=\"#c62828\""))
    player.workouts.take(event(.lane, status("anna", .paused), 2))
    #expect(PhasePicture(player.workouts) == picture)
    player.workouts.take(event(.lane, status(phase: 2), 3))
    #expect(PhasePicture(player.workouts) != picture)
    player.workouts.lose()
    #expect(PhasePicture(player.workouts) == nil)
  }
}
