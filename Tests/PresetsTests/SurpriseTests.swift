import IntervalTimeline
import Presets
import Testing

/// Presets in which something is drawn, and what else leaves a preset to its run.
@Suite struct SurpriseTests {
  private static let fartlek = """
    name: Fartlek
    blocks:
      - sets: 5
        phases:
          - low: 1m to 3m
          - {high: 20s to 90s, surprise: yes}
    """

  private static let boxing = """
    name: Boxing
    blocks:
      - sets: 2
        phases:
          - work: 3m
            callouts: {every: 4s to 8s, texts: [Jab, Cross, Hook]}
          - {rest: 1m, last: skip}
    """

  private func workout(_ text: String, _ variant: WorkoutVariant = WorkoutVariant()) throws
    -> Workout
  {
    try PresetFile.parse(Array(text.utf8), file: "a.yaml", variant: variant)
  }

  private func seconds(_ workout: Workout) -> [Int64] {
    workout.blocks.flatMap(\.steps).compactMap { $0.phase.length.duration?.components.seconds }
  }

  /// The same on every machine: these numbers must never change.
  @Test func theSameSeedIsTheSameWorkout() throws {
    let workout = try workout(Self.fartlek, WorkoutVariant(seed: 7))
    #expect(seconds(workout) == [91, 37, 70, 60, 65, 33, 103, 58, 157, 89])
    #expect(workout.seed == Workout.Seed(7))
    #expect(try self.workout("seed: 7\n" + Self.fartlek) == workout)
  }

  @Test func eachSurpriseIsWithinItsBounds() throws {
    for seed in 0..<100 {
      let workout = try workout(Self.fartlek, WorkoutVariant(seed: UInt64(seed)))
      let lengths = seconds(workout)
      #expect(lengths.count == 10)
      for (index, length) in lengths.enumerated() {
        #expect((index % 2 == 0 ? 60...180 : 20...90).contains(length))
      }
      #expect(Set(lengths).count > 2)
      #expect(
        workout.blocks[0].steps.map(\.phase.isSurprise) == lengths.indices.map { $0 % 2 == 1 })
      #expect(workout.blocks[0].steps.map(\.set) == lengths.indices.map { $0 / 2 + 1 })
    }
  }

  @Test func aSeedIsTheRunsOrThePresetsOrTheDays() throws {
    let day = WorkoutVariant(day: 20_261_122)
    #expect(try workout(Self.fartlek, day).seed == Workout.Seed(20_261_122, isOfDay: true))
    #expect(try workout("seed: 7\n" + Self.fartlek, day).seed == Workout.Seed(7))
    let chosen = WorkoutVariant(seed: 9, day: 20_261_122)
    #expect(try workout("seed: 7\n" + Self.fartlek, chosen).seed == Workout.Seed(9))
    #expect(try workout("name: A\nsets: 1\nlow: 1s\nhigh: 1s\n", day).seed == nil)
  }

  @Test func anotherDayHasOtherSurprises() throws {
    let first = try workout(Self.fartlek, WorkoutVariant(day: 20_261_122))
    let second = try workout(Self.fartlek, WorkoutVariant(day: 20_261_123))
    #expect(seconds(first) != seconds(second))
    #expect(second.isOfAnotherDay(than: first))
    #expect(!first.isOfAnotherDay(than: first))
    #expect(!(try workout(Self.fartlek, WorkoutVariant(seed: 3)).isOfAnotherDay(than: first)))
  }

  @Test func calloutsComeWithinTheirBoundsAndNeverTwiceInARow() throws {
    for seed in 0..<50 {
      let workout = try workout(Self.boxing, WorkoutVariant(seed: UInt64(seed)))
      let rounds = workout.blocks[0].steps.map(\.phase).filter { $0.kind == .work }
      #expect(rounds.count == 2)
      #expect(rounds[0].remarks != rounds[1].remarks)
      for round in rounds {
        var times: [Duration] = [.zero]
        for remark in round.remarks {
          if case .fromStart(let time) = remark.place { times.append(time) }
        }
        #expect(times.count == round.remarks.count + 1)
        for (one, next) in zip(times, times.dropFirst()) {
          #expect((Duration.seconds(4)...Duration.seconds(8)).contains(next - one))
        }
        #expect(try #require(times.last) <= .seconds(171))
        #expect(try #require(times.last) > .seconds(163))
        #expect(
          zip(round.remarks, round.remarks.dropFirst()).allSatisfy { $0.wordings != $1.wordings })
      }
    }
  }

  @Test func surprisesInAGroupDifferToo() throws {
    let workout = try workout(
      """
      name: A
      blocks:
        - sets: 2
          phases:
            - repeat: 4
              phases: [{high: 10s to 1000s}]
      """, WorkoutVariant(seed: 1))
    #expect(Set(seconds(workout)).count > 6)
  }

  // MARK: Tempo

  @Test func aTempoIsCountedAloud() throws {
    let workout = try workout(
      "name: A\nblocks: [{phases: [{work: {reps: 2, tempo: 3-1-1-0}}]}]\n")
    let phase = workout.blocks[0].steps[0].phase
    #expect(phase.length == .fixed(.seconds(10)))
    let counts = ["1", "2", "3", "1", "1"].map { [Template(plain: $0)] }
    #expect(phase.remarks.map(\.wordings) == counts + counts)
    #expect(phase.remarks.map(\.place) == (0..<10).map { .fromStart(.seconds($0)) })
  }

  @Test func thePartsOfATempoMayHaveWords() throws {
    let workout = try workout(
      "name: A\nblocks: [{phases: [{work: {reps: 1, tempo: 3-0-1-1, parts: [Down, Hold, Up, Wait]}}]}]\n"
    )
    #expect(
      workout.blocks[0].steps[0].phase.remarks.map(\.wordings) == [
        ["Down"], ["2"], ["3"], ["Up"], ["Wait"],
      ])
  }

  // MARK: Stations

  @Test func eachGroupBeginsAtItsStation() throws {
    let text = """
      name: Class
      blocks:
        - stations: [A, B, C]
          phases: [{work: 1m, name: "At {station}"}, {rest: 20s, last: skip}]
      """
    func names(_ group: Int?) throws -> [String?] {
      let timeline = try Timeline(workout(text, WorkoutVariant(group: group)))
      #expect(timeline.entries.map(\.set) == [1, 1, 2, 2, 3])
      return timeline.entries.compactMap(\.phase.name)
    }
    #expect(try names(nil) == ["At A", "At B", "At C"])
    #expect(try names(1) == ["At A", "At B", "At C"])
    #expect(try names(2) == ["At B", "At C", "At A"])
    #expect(try names(3) == ["At C", "At A", "At B"])
    #expect(try names(4) == ["At A", "At B", "At C"])
  }

  @Test func aGroupOfAPresetWithoutStationsIsAnError() {
    #expect(
      message("name: A\nsets: 1\nlow: 1s\nhigh: 1s\n", WorkoutVariant(group: 2))
        == "a.yaml:1: no stations for group 2, expected a preset with stations, or no group")
  }

  // MARK: The rest

  @Test func roundsNotesAndLinksAreRead() throws {
    let workout = try workout(
      """
      name: A
      note: Warm up first
      link: https://example.org/a
      blocks:
        - phases:
            - work: 12m
              rounds: "{counted} rounds"
              note: 5 pull-ups
              link: http://example.org/b?c=1#d
            - {work: {until: next, about: 3m}}
            - rest: {on: 4m}
      """)
    #expect(workout.note == "Warm up first")
    #expect(workout.link == "https://example.org/a")
    let phases = workout.blocks[0].steps.map(\.phase)
    #expect(phases[0].total == "{counted} rounds")
    #expect(phases[0].note == "5 pull-ups")
    #expect(phases[0].link == "http://example.org/b?c=1#d")
    #expect(phases[1].length == .open(.untilNext, OpenBounds(about: .seconds(180))))
    #expect(phases[2].length == .open(.sendOff(.seconds(240))))
  }

  private static func phases(_ phases: String, _ message: String) -> BadPreset {
    BadPreset("name: A\nblocks:\n  - phases: [\(phases)]\n", "a.yaml:3: \(message)")
  }

  private static let mistakes = [
    phases(
      "{high: 90s to 20s}",
      "high is \"90s to 20s\", expected two lengths, the shorter first, such as 20s to 90s"),
    phases("{high: 1ms to 3s}", "a phase of 0.001s, expected at least 0.25s"),
    phases(
      "{high: 20s to forever}",
      "high is \"20s to forever\", expected two lengths, the shorter first, such as 20s to 90s"),
    phases(
      "{work: 1m, callouts: [A]}",
      "callouts is a list, expected {every: 4s to 8s, texts: [Jab, Cross]}"),
    phases(
      "{work: 1m, callouts: {every: 4s, texts: [A]}}",
      "every is \"4s\", expected two lengths, the shorter first, such as 4s to 8s"),
    phases(
      "{work: 1m, callouts: {every: 1s to 8s, texts: [A]}}",
      "every is \"1s to 8s\", expected at least 2s"),
    phases(
      "{work: 1m, callouts: {every: 4s to 8s, texts: []}}",
      "texts is an empty list, expected what is called out, such as [Jab, Cross]"),
    phases(
      "{work: {until: next}, callouts: {every: 4s to 8s, texts: [A]}}",
      "callouts in a phase that something else ends, expected a fixed length, such as work: 3m"),
    phases(
      "{work: 10m, callouts: {every: 4s to 8s, texts: [A]}}",
      "callouts of which there may be more than 100 in the phase, expected a longer time between two, or a shorter phase"
    ),
    phases(
      "{work: {tempo: 3-1-1-0}}",
      "no reps, expected how many repetitions, such as reps: 8"),
    phases(
      "{work: {reps: 8, tempo: 3-1-1}}",
      "tempo is \"3-1-1\", expected four numbers of seconds from 0 to 60, such as 3-1-1-0"),
    phases(
      "{work: {reps: 8, tempo: 0-0-0-0}}",
      "tempo is \"0-0-0-0\", expected four numbers of seconds from 0 to 60, such as 3-1-1-0"),
    phases(
      "{work: {reps: 30, tempo: 3-1-1-0}}",
      "a tempo of 30 times 5 s, each second counted, expected at most 100 s in all"),
    phases(
      "{work: {reps: 3, tempo: 3-1-1-0, parts: [Down]}}",
      "parts has 1 word, expected 4, one for each part"),
    phases(
      "{work: {until: next}, rounds: \"{counted}\"}",
      "rounds in a phase that something else ends, expected a fixed length, such as work: 12m"),
    phases("{work: 1m, surprise: maybe}", "surprise is \"maybe\", expected yes or true"),
    phases(
      "{work: 1m, link: example.org}",
      "link is \"example.org\", expected an address that begins with https:// or http://"),
    phases(
      "{work: 1m}, {rest: {on: 2m}}",
      "a send-off (on) without an open phase before it, expected a phase such as work: {until: next} before it"
    ),
    phases(
      "{rest: {on: 2m}}",
      "a send-off (on) without an open phase before it, expected a phase such as work: {until: next} before it"
    ),
    phases(
      "{work: {until: next}}, {rest: {on: 2m, at-most: 1m}}",
      "at-most beside on, expected at-most in the phase before, or none"),
    phases(
      "{work: {until: next, on: 2m}}",
      "work is both until and on, expected {reps: 12} or {until: next}"),
    phases(
      "{work: {until: next, about: 5m, at-most: 4m}}",
      "about is not between at-least and at-most, expected about from at-least to at-most"),
    phases(
      "{work: 1m, name: \"{station}\"}",
      "{station} in a phase without stations around it, expected stations around the phase, or another text"
    ),
    BadPreset(
      "name: A\nseed: -1\nsets: 1\nlow: 1s\nhigh: 1s\n",
      "a.yaml:2: seed is \"-1\", expected a whole number from 0 to 9007199254740991"),
    BadPreset(
      "name: A\nblocks:\n  - stations: [Rowing]\n    phases: [{work: 1s}]\n",
      "a.yaml:3: stations has 1 name, expected 2 to 1000"),
  ]

  @Test(arguments: mistakes) func aMistakeIsOneLine(preset: BadPreset) {
    #expect(message(preset.yaml) == preset.message)
  }
}
