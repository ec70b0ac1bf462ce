import ForeignWorkouts
import Foundation
import IntervalTimeline
import TestSupport
import Testing

/// JSON of Just Another Workout Timer and of OpenHIIT.
@Suite struct JSONWorkoutTests {
  private static func exercise(_ name: String, _ duration: String) -> String {
    "{\"id\": \"1\", \"name\": \"\(name)\", \"duration\": \(duration)}"
  }

  private static func share(_ repetitions: String, _ exercises: String...) -> String {
    "{\"title\": \"Core\", \"version\": 2, \"position\": 0, \"sets\": [{\"id\": \"1\", "
      + "\"repetitions\": \(repetitions), \"exercises\": [\(exercises.joined(separator: ","))]}]}"
  }

  private static let plank = exercise("Plank", "30")

  @Test func setsOfJAWTAreSets() throws {
    let file = try foreign(Self.share("3", Self.plank, Self.exercise("Rest", "10")))
    #expect(file.format == .jawt)
    #expect(file.workout.name == "Core")
    #expect(Outline(file.workout).lines == ["3 x", "  work 30.0 \"Plank\"", "  rest 10.0"])
  }

  @Test func firstWorkoutOfABackupIsRead() throws {
    let one = Self.share("1", Self.plank)
    let file = try foreign("{\"workouts\": [\(one), \(one)]}")
    #expect(Outline(file.workout).lines == ["-", "  work 30.0 \"Plank\""])
    #expect(file.reports == ["of 2 workouts the first is read"])
  }

  @Test(arguments: [
    (share("0", plank), "sets[0].repetitions is 0, expected a whole number"),
    (share("1.5", plank), "sets[0].repetitions is 1.5"),
    (share("\"x\"", plank), "sets[0].repetitions is no number"),
    (share("1", exercise("A", "-5")), "sets[0].exercises[0].duration is -5, expected seconds"),
    (share("1", exercise("A", "1e30")), "sets[0].exercises[0].duration is 1e+30"),
    (share("1", exercise("A", "null")), "sets[0].exercises[0].duration is n"),
    (share("1"), "a workout without a phase"), ("{\"workouts\": []}", "a list without a workout"),
    ("{\"title\": \"A\", \"sets\": 5}", "sets is no list"),
  ])
  func mistakeHasItsPlace(text: String, says: String) throws {
    let message = try #require(complaint(text))
    let line = says.hasPrefix("a workout without") ? "" : "1:"
    #expect(message.hasPrefix("a.txt:\(line) \(says)"), "\(message)")
    #expect(message.contains(", expected "))
  }

  @Test(arguments: [
    ("{\"title\": \"A\",\n\"sets\":\n5}", 3), ("{\"title\": \"A\",\n\"sets\": [\n{}]}", 3),
    ("{\"title\": \"A\", \"sets\": [{\"repetitions\":\n0, \"exercises\": []}]}", 2),
    (
      "{\"workouts\": [{\"title\": \"A\", \"sets\": [{\"repetitions\": 1, \"exercises\": [\n"
        + "{\"name\": \"[\", \"duration\": 5},\n{\"name\": \"B\",\n\"duration\": -5}]}]}]}", 4
    ),
    ("[{\"name\": \"A\",\n\"activeIntervals\":\n8,\n\"timeSettings\": {\n\"workTime\":\n0}}]", 6),
    ("[{\"activeIntervals\":\n0,\n\"timeSettings\": {\"workTime\": 5}}]", 2),
    ("[{\"activeIntervals\": 2,\n\"timeSettings\":\n\"{\\\"workTime\\\": -5}\"}]", 3),
  ])
  func wrongValueHasItsLine(text: String, line: Int) throws {
    let message = try #require(complaint(text))
    #expect(message.hasPrefix("a.txt:\(line): "), "\(message)")
  }

  @Test(arguments: [
    ("{\"title\": \"A\",\n \"sets\": [", 2), ("{\n \"position\": 0, \"sets\": [", 2),
    ("{\"title\":\n\n tru}", 3), ("[\n{]", 2),
    ("[1,\n2 3]", 2),
    ("[\"\\", 1), ("[]\n\n]", 3), ("[{\"a\"\n1}]", 2), ("[x\n]", 1), ("[{\n\"a\tb\": 1}]", 2),
    ("[\n{\"\\x\": 1}]", 2),
  ])
  func brokenJSONHasItsLine(text: String, line: Int) throws {
    let message = try #require(complaint(text))
    #expect(
      message.hasPrefix("a.txt:\(line): JSON that is not well-formed, expected "), "\(message)")
  }

  @Test func anyTextIsWrittenAsJSON() throws {
    let name = "\"a\"\\\u{1}\n\u{7f}/\u{2028}é🏊"
    let phase = Phase(.work, .fixed(.seconds(30)), name: name)
    let workout = Workout(name, sets: 2, [phase])
    let text = WorkoutWriter(workout, as: .json).text
    let share = try #require(
      JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(share["title"] as? String == name)
    let sets = try #require(share["sets"] as? [[String: Any]])
    #expect(sets.map { $0["repetitions"] as? Int } == [2])
    let exercises = try #require(sets[0]["exercises"] as? [[String: Any]])
    #expect(exercises.map { $0["name"] as? String } == [name])
    #expect(exercises.map { $0["duration"] as? Int } == [30])
    #expect(text == WorkoutWriter(workout, as: .json).text)
  }

  /// JSON is YAML too: a preset may be written in it.
  @Test func presetInBracesIsNoWorkoutOfJAWT() throws {
    let text = "{\"sets\": 2, \"name\": \"A\", \"low\": 30, \"high\": 30}"
    let file = try WorkoutFile.parse(Array(text.utf8), file: "a.txt")
    #expect(file.format == .preset)
    #expect(file.workout.name == "A")
  }

  private static func timer(_ times: String, _ more: String = "") -> String {
    "[{\"name\": \"T\", \"activeIntervals\": 3, \"timeSettings\": \(times)\(more)}]"
  }

  @Test func intervalsOfARoundAreItsSets() throws {
    let file = try foreign(
      Self.timer("{\"workTime\": 20, \"restTime\": 10, \"getReadyTime\": 5, \"warmupTime\": 60}"))
    #expect(file.format == .openHIIT)
    #expect(
      Outline(file.workout).lines == [
        "-", "  prepare 5.0", "  warmup 60.0", "  rest 10.0", "3 x", "  work 20.0",
        "  rest 10.0 skip",
      ])
  }

  @Test func restartsAreSetsAndSettingsMayBeTexts() throws {
    let times =
      "\"{\\\"workTime\\\": 20, \\\"restTime\\\": 10, \\\"breakTime\\\": 60, \\\"restarts\\\": 1, "
      + "\\\"cooldownTime\\\": 30}\""
    let file = try foreign(
      Self.timer(times, ", \"activities\": [\"Squat\", \"Lunge\"], \"soundSettings\": \"{}\""))
    #expect(
      Outline(file.workout).lines == [
        "2 x", "  work 20.0 \"Squat\"", "  rest 10.0", "  work 20.0 \"Lunge\"", "  rest 10.0",
        "  work 20.0 \"Squat\"", "  rest 60.0 \"Break\" skip", "-", "  cooldown 30.0",
      ])
    #expect(file.reports == ["the choice of sounds is not kept"])
  }

  @Test func namedIntervalsOfOneRoundAreNumbered() throws {
    let file = try foreign(
      Self.timer("{\"workTime\": 20}", ", \"activities\": [\"A\", \"B\", \"C\"]"))
    #expect(
      Outline(file.workout).lines == [
        "each", "  work 20.0 \"A\"", "  work 20.0 \"B\"", "  work 20.0 \"C\"",
      ])
  }

  @Test(arguments: [
    ("{\"workTime\": 0}", "timeSettings.workTime is 0"),
    ("{\"workTime\": -1}", "timeSettings.workTime is -1"),
    ("{\"workTime\": 1, \"restarts\": -1}", "restarts is -1"),
    ("{\"workTime\": 1, \"restarts\": 1e12}", "restarts is"), ("{}", "no \"workTime\" in"),
    ("\"{\"", "[0].timeSettings has an impossible value"), ("5", "[0].timeSettings is no"),
  ])
  func mistakeOfATimerHasItsPlace(times: String, says: String) throws {
    let message = try #require(complaint(Self.timer(times)))
    #expect(message.hasPrefix("a.txt:1: \(says)"), "\(message)")
  }

  @Test func deepJSONIsRefused() {
    for mark in ["[", "{\"title\":"] {
      let text = String(repeating: mark, count: 100_000)
      #expect(complaint(text)?.hasPrefix("a.txt:") == true)
    }
  }
}
