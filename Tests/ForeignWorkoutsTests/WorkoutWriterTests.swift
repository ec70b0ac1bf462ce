import ForeignWorkouts
import Foundation
import IntervalTimeline
import Presets
import TestSupport
import Testing

/// Workouts that are written and read again.
@Suite struct WorkoutWriterTests {
  private static let suffixes: [WorkoutWriter.Format: String] = [
    .yaml: "yaml", .zwo: "zwo", .mrc: "mrc", .erg: "erg", .intervals: "txt", .json: "json",
  ]

  private func again(
    _ workout: Workout, _ format: WorkoutWriter.Format
  ) throws -> (workout: Workout, reports: [String]) {
    let written = WorkoutWriter(workout, as: format)
    #expect(written.sentences.flatMap(Translated.missing) == [])
    let file = try foreign(written.text, "again.\(Self.suffixes[format] ?? "")")
    return (file.workout, written.reports)
  }

  /// A block with `between` is what only the flat form could say.
  private static let everything = """
    name: 'It''s: #1 ◯ "all"'
    language: de
    voice: de
    variant: f3
    rate: 180
    pitch: 60
    speech-volume: 90
    sounds: gym
    density: {all: normal, rest: full}
    countdown: 5
    acknowledge: pause, next
    values: [watts]
    phrases:
      halfway: ["Half of {phase}: done", "Half"]
      next: silent
      finish: "'Fertig'"
    blocks:
      - sets: 3
        phases:
          - high: 1h1m30.5s
            name: "- no list"
            intensity: 95 % FTP, 90 rpm
            say: [{at: 10s, text: ["At {watts}", "silently"]}, {at: -5s, text: "Set {set}"}]
          - rest: {until: heart-rate-low, at-least: 20s, at-most: 3m}
            last: skip
            say: Drink
            at: 0s
        between: {low: 2m, name: "null", say: Turn}
      - count: each
        phases:
          - work: {reps: 12}
          - recovery: {until: next}
          - high: 250ms
            name: "12"
            course: begins
    """

  /// An accent after an apostrophe is one character with it.
  @Test(arguments: ["Coach'\u{301}s ride", "5'\u{FE0F} hard", "'\u{301}"])
  func aTextWithAnApostropheIsReadAsItWasWritten(name: String) throws {
    var workout = Workout(name, [Phase(.low, .fixed(.seconds(30)))])
    workout.blocks[0].steps[0].phase.name = name
    let (read, _) = try again(workout, .yaml)
    #expect(read.name == name && read.blocks[0].steps[0].phase.name == name)
  }

  @Test func presetIsWrittenAsTheSamePreset() throws {
    let shipped = try ShippedPresets.files().map {
      try PresetFile.read(path: ShippedPresets.path($0))
    }
    let all = try PresetFile.parse(Array(Self.everything.utf8), file: "a.yaml")
    #expect(all.blocks[0].between?.name == "null")
    for workout in shipped + [all] {
      let (read, reports) = try again(workout, .yaml)
      var same = workout
      // What was drawn is written, so that no day changes it.
      same.seed?.isOfDay = false
      #expect(read == same)
      #expect(reports.isEmpty)
    }
  }

  /// The times of phases as far as another format has them: an open one is a minute, or its longest; nil where
  /// the format knows open phases, but not their longest.
  private func lengths(_ workout: Workout, open: Duration?) throws -> [Duration?] {
    try Timeline(workout).entries.map { entry in
      if open == nil, entry.phase.length.end != nil { return nil }
      return entry.phase.length.duration ?? open
    }
  }

  // Separate, because Swift 6.0 takes no closure in a macro's arguments.
  private static let withoutSendOffs =
    (try? ShippedPresets.files())?
    .filter { !$0.hasSuffix("swim-send-offs.yaml") } ?? []

  @Test(
    arguments: withoutSendOffs,
    [.zwo, .mrc, .erg, .intervals, .json] as [WorkoutWriter.Format])
  func everyPhaseIsWhereItWas(file: String, format: WorkoutWriter.Format) throws {
    let workout = try PresetFile.read(path: ShippedPresets.path(file))
    let (read, reports) = try again(workout, format)
    let open: Duration? = format == .intervals ? nil : .seconds(60)
    let isRounded = reports.contains { $0.contains("rounded") }
    if !isRounded {
      #expect(try lengths(read, open: nil) == lengths(workout, open: open))
    }
    let kinds = try Timeline(workout).entries.map(\.phase.kind)
    if !reports.contains(where: { $0.contains("kind of a phase") }) {
      #expect(try Timeline(read).entries.map(\.phase.kind) == kinds)
    }
  }

  @Test(arguments: [.zwo, .mrc, .erg, .intervals, .json] as [WorkoutWriter.Format])
  func sendOffsAreRestsOfAFixedLength(format: WorkoutWriter.Format) throws {
    let workout = try PresetFile.read(path: ShippedPresets.path("swimming/swim-send-offs.yaml"))
    let (read, reports) = try again(workout, format)
    #expect(reports.contains("a send-off is a rest of a fixed length after a phase of one"))
    #expect(try Timeline(read).length == .seconds(10 + 9 * 120 + 95 + 0))
  }

  @Test func whatOthersLackIsReported() throws {
    var work = Phase(.work, .fixed(.seconds(60)))
    (work.total, work.note, work.isSurprise) = ("{counted}", "Five", true)
    let workout = Workout("A", [work])
    #expect(
      Set(WorkoutWriter(workout, as: .json).reports).isSuperset(of: [
        "notes and links are not kept", "rounds are not counted",
        "surprises are phases like any other",
      ]))
    let (read, reports) = try again(workout, .yaml)
    #expect(read == workout)
    #expect(reports.isEmpty)
  }

  @Test(arguments: [.intervals, .json] as [WorkoutWriter.Format])
  func setsStaySets(format: WorkoutWriter.Format) throws {
    let text = "name: A\nsets: 8\nfirst: high\nhigh: 20s\nlow: 10s\n"
    let (read, _) = try again(try PresetFile.parse(Array(text.utf8), file: "a"), format)
    #expect(Outline(read).lines.prefix(1) == ["8 x"])
  }

  @Test(arguments: [.zwo, .mrc, .intervals, .json] as [WorkoutWriter.Format])
  func differentSetsAreReported(format: WorkoutWriter.Format) throws {
    let phases = [PhaseKind.high, .recovery, .high, .recovery].map { kind in
      Block.Step(Phase(kind, .fixed(.seconds(kind == .high ? 20 : 10))))
    }
    let report = "the sets are different when the file is read again"
    let once = Workout(name: "A", blocks: [Block(steps: phases)])
    let (read, reports) = try again(once, format)
    #expect(Outline(read).lines.prefix(1) == ["2 x"])
    #expect(reports.contains(report))
    let sets = Workout(name: "A", blocks: [Block(sets: 2, steps: Array(phases.prefix(2)))])
    #expect(try !again(sets, format).reports.contains(report))
  }

  private static let ride = """
    <workout_file><author>A &amp; B</author><name>Ride &lt;1&gt;</name><description>Up</description>
    <tags><tag name="MAP"/><tag name="4DP"/></tags><workout>
    <Warmup Duration="600" PowerLow="0.4" PowerHigh="0.75"/>
    <IntervalsT Repeat="4" OnDuration="60" OffDuration="30" OnPower="1.1" OffPower="0.5" Cadence="95"/>
    <SteadyState Duration="90" Power="0.955" CadenceLow="80" CadenceHigh="90">
      <textevent timeoffset="10" message="Up &amp; &quot;down&quot;"/>
    </SteadyState>
    <SteadyState Duration="60" PowerLow="0.9" PowerHigh="1.1"/>
    <Ramp Duration="60" PowerLow="0.5" PowerHigh="1.3"/>
    <Cooldown Duration="300" PowerLow="0.75" PowerHigh="0.4"/>
    </workout></workout_file>
    """

  @Test func rideOfZwiftIsWrittenAsTheSame() throws {
    let ride = try foreign(Self.ride).workout
    let (read, reports) = try again(ride, .zwo)
    #expect(read == ride)
    #expect(reports.isEmpty)
    #expect(WorkoutWriter(ride, as: .zwo).text.contains("<IntervalsT Repeat=\"4\""))
    #expect(try again(ride, .yaml).workout == ride)
  }

  @Test(arguments: [WorkoutWriter.Format.intervals, .json])
  func rampKeepsItsKind(format: WorkoutWriter.Format) throws {
    let ride = try foreign(Self.ride).workout
    let phases = try again(ride, format).workout.blocks.flatMap { $0.steps.map(\.phase) }
    #expect(phases.first?.kind == .warmup)
    #expect(phases.last?.kind == .cooldown)
    #expect(phases.map(\.name) == ride.blocks.flatMap { $0.steps.map(\.phase.name) })
    guard format == .intervals else { return }
    #expect(phases.map(\.intensity) == ride.blocks.flatMap { $0.steps.map(\.phase.intensity) })
  }

  @Test func whatAWorkoutSaysOfItselfIsReportedWhereItIsLost() throws {
    var ride = try foreign(Self.ride).workout
    #expect(ride.facts.tags == ["map", "4dp"])
    let report = "what it says of itself is not kept"
    for format in WorkoutWriter.Format.allCases {
      let isKept = format == .yaml || format == .zwo
      #expect(WorkoutWriter(ride, as: format).reports.contains(report) == !isKept)
    }
    ride.facts.source = "A book"
    #expect(
      WorkoutWriter(ride, as: .zwo).reports
        == ["for whom it is and where it comes from are not kept"])
  }

  @Test func wattsOfACourseKeepTheirThreshold() throws {
    let course = """
      [COURSE HEADER]
      FTP = 280
      MINUTES WATTS
      [END COURSE HEADER]
      [COURSE DATA]
      0 140\n5 140\n5 280\n6 280
      [END COURSE DATA]
      """
    let workout = try foreign(course).workout
    #expect(workout.thresholdPower == 280)
    for format in [WorkoutWriter.Format.yaml, .erg] {
      let (read, reports) = try again(workout, format)
      #expect(read.thresholdPower == 280)
      #expect(read.blocks == workout.blocks)
      #expect(!reports.contains { $0.contains("FTP") || $0.contains("names") })
    }
    for format in [WorkoutWriter.Format.mrc, .zwo] {
      let (read, reports) = try again(workout, format)
      #expect(
        read.blocks.flatMap { $0.steps.map(\.phase.intensity) } == ["50 % FTP", "100 % FTP"])
      #expect(!reports.contains { $0.contains("watts") || $0.contains("names") })
    }
    let variant = { (athlete: Athlete) in
      var variant = WorkoutVariant()
      variant.athlete = athlete
      return variant
    }
    for text in [course, WorkoutWriter(workout, as: .yaml).text] {
      let name = text == course ? "a.erg" : "a.yaml"
      let own = try WorkoutFile.parse(
        Array(text.utf8), file: name, variant: variant(Athlete(thresholdPower: 250)))
      #expect(
        own.workout.blocks.flatMap { $0.steps.map(\.phase.intensity) } == ["125 W", "250 W"])
      #expect(own.reports == ["its watts are of an FTP of 280 W and are scaled to one of 250 W"])
      #expect(own.document.reports.map(\.text) == own.reports)
      let same = try WorkoutFile.parse(
        Array(text.utf8), file: name,
        variant: variant(Athlete(thresholdPower: 280, maximumHeartRate: 180)))
      #expect(same.reports.isEmpty)
      #expect(same.workout == workout || name == "a.yaml")
    }
    let percent = course.replacing("WATTS", with: "PERCENT")
    #expect(try foreign(percent).workout.thresholdPower == nil)
  }

  @Test(arguments: [WorkoutWriter.Format.mrc, .erg])
  func rideIsWrittenAsACourse(format: WorkoutWriter.Format) throws {
    let ride = try foreign(Self.ride).workout
    let (read, reports) = try again(ride, format)
    #expect(read.name == ride.name)
    #expect(try lengths(read, open: nil) == lengths(ride, open: nil))
    #expect(
      try Timeline(read).entries.map(\.phase.kind) == Timeline(ride).entries.map(\.phase.kind))
    #expect(read.blocks.flatMap(\.steps).flatMap(\.phase.remarks).count == 1)
    #expect(reports.contains("a cadence is not kept"))
    #expect(reports.contains("a range of power becomes its middle"))
    #expect(reports.contains("sets are written out"))
  }

  @Test func whatAFormatCannotHoldIsReportedOnceAKind() throws {
    let all = try PresetFile.parse(Array(Self.everything.utf8), file: "a.yaml")
    #expect(
      WorkoutWriter(all, as: .json).reports == [
        "how it is announced is not kept",
        "a last set that differs from the others is written after them",
        "the kind of a phase with a name of its own becomes work",
        "the intensity of a phase is not kept", "texts are not kept",
        "lengths are rounded to whole seconds",
        "a phase that something else ends lasts its at-most, or a minute where it has none",
        "the numbers of sets that are done once are not kept",
        "the sets are different when the file is read again",
      ])
  }

  /// Found by `make fuzz-files`.
  @Test func presetThatIsTooLargeToBeReadIsReported() throws {
    let text = """
      <workout_file><workout><IntervalsT Repeat="10000" OnDuration="5" OffDuration="3" OnPower="1"
      OffPower="0.5" Cadence="90" CadenceResting="80"><textevent message="m"/></IntervalsT></workout></workout_file>
      """
    let written = WorkoutWriter(try foreign(text).workout, as: .yaml)
    #expect(written.text.utf8.count > 1_000_000)
    #expect(written.reports == ["the file is over 1 MB, and a file that large is not read again"])
  }
}
