import ALSAOutput
import CoachHost
import CoachService
import ControlProtocol
import ControlSocket
import CueEngine
import CueSound
import CueTesting
import EspeakSpeech
import ForeignWorkouts
import Foundation
import IntervalTimeline
import Presets
import SoundFiles
import TestSupport
import Testing

/// The examples of the libraries' documentation, run.
@Suite struct ArticleExamples {
  private let lines = Collected<String>()
  private var printed: String { lines.all.joined(separator: "\n") }
  private func print(_ item: Any) { lines.append("\(item)") }

  private var workout: Workout {
    Workout(
      name: "Rows",
      blocks: [Block(sets: 8, steps: [Block.Step(Phase(.work, .fixed(.seconds(20))))])])
  }

  @Test func framesOfASpan() {
    let start = BootInstant(nanoseconds: 2_000_000_000)
    let end = start + .seconds(90)
    let frames = SampleRate.frames(in: end - start, at: SampleRate.standard)  // 4 320 000
    #expect(frames == Frames(4_320_000))
  }

  @Test func aValueStandsToItsTarget() throws {
    let ride = Phase(.work, .fixed(.seconds(60)), intensity: "190 to 210 W")
    let workout = Workout(name: "Ride", blocks: [Block(steps: [Block.Step(ride)])])
    let readings = (0..<10).map {
      ScriptStep.value("watts", LiveValue(.number(170)), at: .seconds($0))
    }
    let run = PlannedRun(try Timeline(workout), script: readings)
    if let target = run.status(of: "Ride", at: .seconds(9))?.target {
      print("\(target.kind) \(target.position): \(target.words)")
    }
    let output = try DocumentationPage.output(of: "Targets")
    #expect(printed == output)
  }

  @Test func aPhraseOfOnesOwn() {
    var phrases = PhraseCatalogue.english
    phrases.phrases[.halfway] = Phrase(["Half of {phase}", "Half"])
    print(phrases.duration(.seconds(90)))  // 1 minute 30 seconds

    #expect(printed == "1 minute 30 seconds")
  }

  @Test func aPlannedRunHasItsCues() throws {
    let row = Block.Step(Phase(.work, .fixed(.seconds(20))))
    let rest = Block.Step(Phase(.rest, .fixed(.seconds(10))))
    let workout = Workout(name: "Rows", blocks: [Block(sets: 8, steps: [row, rest])])
    let timeline = try Timeline(workout)
    let words = SpeechLibrary(ScriptedSpeech(), converter: RepeatedSamples())
    let run = PlannedRun(timeline, speech: words)
    for cue in run.cues.prefix(5) {
      print("\(PlannedRun.start.duration(to: cue.due)) \(cue.kind): \(cue.text)")
    }
    let output = try DocumentationPage.output(of: "IntervalTimeline")
    #expect(printed == output)
  }

  @Test func lanesRunTogether() throws {
    let bench = TestBench()
    let engine = bench.makeEngine()
    let timeline = try Timeline(workout)
    let anna = try engine.addLane("anna", timeline: timeline)
    let ben = try engine.addLane("ben", timeline: timeline, style: LaneStyle(density: .counts))
    engine.send(.start, to: [anna, ben])
    engine.send(.pause, to: ben)
    #expect(engine.statuses().map(\.state) == [.running, .paused])
  }

  @Test func aHostKeepsItsSessions() throws {
    let space = Workspace()
    let folder = space.folder
    let output = RecordingOutput(origin: ManualClock().now)
    var configuration = CoachHost.Configuration(output: output, sounds: SoundPack(), speech: nil)
    configuration.repository = try SessionRepository(folder: folder, runtimeFolder: nil)
    let host = CoachHost(configuration)
    let lane = try host.add(OpenedWorkout("anna", try Timeline(workout)))
    host.begin([lane])
    #expect(host.statuses().map(\.state) == [.running])
    #expect(host.shutDown())
    try endOfAnotherWorkout(in: folder)
    let repository = try SessionRepository(folder: folder, runtimeFolder: nil)
    for session in try repository.sessions() { print("\(session.lane) was interrupted") }
    for entry in try repository.history() { print("\(entry.lane): \(entry.outcome)") }
    #expect(printed == "anna was interrupted\nben: stopped")
  }

  private func endOfAnotherWorkout(in folder: String) throws {
    var configuration = CoachHost.Configuration(
      output: RecordingOutput(origin: ManualClock().now), sounds: SoundPack(), speech: nil)
    configuration.repository = try SessionRepository(folder: folder, runtimeFolder: nil)
    let host = CoachHost(configuration)
    let lane = try host.add(OpenedWorkout("ben", try Timeline(workout)))
    host.begin([lane])
    host.send(.stop, to: lane)
    #expect(host.shutDown())
  }

  /// Every name is a workout of one phase.
  private struct Workouts: ControlFiles {
    func workout(_ order: StartOrder) throws(ControlError) -> OpenedWorkout {
      let phase = Phase(.work, .fixed(.seconds(60)))
      let workout = Workout(name: "Rows", blocks: [Block(steps: [Block.Step(phase)])])
      guard let timeline = try? Timeline(workout) else { throw ControlError(.invalid, "empty") }
      return OpenedWorkout("rows", timeline)
    }
    func claim(_ workout: inout OpenedWorkout) throws(ControlError) {}
    func interrupted(_ name: String) throws(ControlError) -> OpenedWorkout? { nil }
    func keep(_ later: ScheduledStart) throws(ControlError) {}
    func withdraw(_ later: ScheduledStart) throws(ControlError) {}
    func miss(_ later: ScheduledStart) throws(ControlError) {}
    func presets(
      _ name: String?, outline: Bool
    ) throws(ControlError) -> (entries: [PresetEntry], omitted: Int) { ([], 0) }
    func sessions(besides running: Set<String>) throws(ControlError) -> [SessionEntry] { [] }
    func history(limit: Int) throws(ControlError) -> [HistoryItem] { [] }
  }

  @Test func aServiceObeysRequests() async throws {
    let output = RecordingOutput(origin: ManualClock().now)
    let host = CoachHost(
      CoachHost.Configuration(output: output, sounds: SoundPack(), speech: nil))
    let workouts = Workouts()
    let service = ControlHandler(
      ControlHandler.Configuration(host: host, files: workouts, publish: { _ in }))
    service.handle(
      ControlRequest(.number(1), .start(StartOrder(preset: "rows", lane: "anna"))), rights: .control
    ) {
      print($0.lanes?.joined() ?? $0.message ?? "")
    }
    #expect(await eventually { printed == "anna" })
    #expect(host.statuses().map(\.name) == ["anna"])
    #expect(host.shutDown())
  }

  @Test func aRequestIsALine() throws {
    let request = ControlRequest(.number(1), .start(StartOrder(preset: "tabata", lane: "anna")))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    print(String(decoding: try encoder.encode(request), as: UTF8.self))
    let output = try DocumentationPage.output(of: "ControlProtocol")
    #expect(printed == output)
  }

  @Test func aClientAsksTheCoach() async throws {
    let space = Workspace()
    let running = try await RunningCoach(in: space)
    let socket = space.controlSocket
    let coach = try ControlClient([socket])
    let answer = try coach.request(.status(outline: false))
    print(answer.snapshot?.lanes.map(\.name) ?? [])
    #expect(printed == "[]")
    _ = await running.end()
  }

  @Test func adaptersAreMade() {
    let output = ALSAOutput(device: "plughw:CARD=Headphones")
    #expect(output.latency == .zero)
    let speech = SpeechLibrary(EspeakSynthesizer(), converter: SampleRateLibrary())
    #expect(speech.takeFailure() == nil)
  }

  @Test func aSoundFileIsABeginning() throws {
    let path = SourceTree.path("Sounds/default/high-begins.wav")
    let bell = try SoundFile.read(path, rate: SampleRate.standard)
    let sounds = SoundPack(replacing: [.highBegins: bell])
    #expect(sounds[.highBegins].count == bell.count)
  }

  @Test func aClipIsASoundOfTheEngine() {
    let beep = PCMClip(
      rate: SampleRate.standard, samples: (0..<4_800).map { $0 / 60 % 2 == 0 ? 9_000 : -9_000 })
    let sounds = SoundPack(replacing: [.count: beep])
    #expect(sounds[.count].count == 4_800)
  }

  /// The example of `Block`.
  @Test func aRestBelongsToItsSetOrStandsBetweenTwo() throws {
    let (row, rest) = (Phase(.work, .fixed(.seconds(20))), Phase(.rest, .fixed(.seconds(10))))
    let inside = Block(sets: 3, steps: [Block.Step(row), Block.Step(rest)])
    let between = Block(sets: 3, steps: [Block.Step(row)], between: rest)
    let (one, other) = (
      try Timeline(Workout(name: "Inside", blocks: [inside])),
      try Timeline(Workout(name: "Between", blocks: [between]))
    )
    #expect(one.length == .seconds(90) && other.length == .seconds(80))
    func isCounted(_ index: Int, _ timeline: Timeline) -> Bool {
      PlannedRun(timeline).cues.contains { $0.kind == "set-completion" && $0.phase == index }
    }
    #expect(one.entries.map(\.phase.kind) == [.work, .rest, .work, .rest, .work, .rest])
    #expect((0..<6).map { isCounted($0, one) } == [false, true, false, true, false, true])
    #expect(other.entries.map(\.phase.kind) == [.work, .rest, .work, .rest, .work])
    #expect((0..<5).map { isCounted($0, other) } == [true, false, true, false, true])
    #expect(other.entries[1].set == 1)
  }

  @Test func aPresetIsParsed() throws {
    let preset = "name: Rows\nsets: 8\nlow: 10s\nhigh: 20s\n"
    let workout = try PresetFile.parse(Array(preset.utf8), file: "rows.yaml")
    print(try Timeline(workout).count)
    #expect(printed == "16")
  }

  @Test func aForeignWorkoutIsReadAndWritten() throws {
    let ride = "Main set 4x\n- Hard 1m 110%\n- Easy 30s 50%\n"
    let file = try WorkoutFile.parse(Array(ride.utf8), file: "ride.txt")
    print(file.workout.blocks[0].sets ?? 1)
    print(WorkoutWriter(file.workout, as: .zwo).reports)
    #expect(printed == "4\n[\"the names of phases are not kept\"]")
  }
}
