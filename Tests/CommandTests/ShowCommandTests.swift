import CueEngine
import ForeignWorkouts
import Foundation
import IntervalTimeline
import Presets
import TestSupport
import Testing

@testable import cuecoach

/// A workout at a glance.
@Suite struct ShowCommandTests {
  private let space = Workspace()

  private static let intervals = """
    name: Intervals
    blocks:
      - phases:
          - warmup: 2m
      - sets: 3
        phases:
          - high: 1m
            name: Hard
          - recovery: 30s
            last: skip
      - phases:
          - cooldown: 1m

    """

  /// Runs `show` with the width of a window, which is no terminal.
  private func show(
    columns: String?, _ arguments: String..., language: String = "C.UTF-8"
  ) async throws -> Outcome {
    let program = space.program.with("COLUMNS", columns).with("LANG", language)
    return try await program.run(["show"] + arguments)
  }

  @Test func sentenceComesFirstAndTheDrawingLast() async throws {
    try space.write(Self.intervals, to: "a.yaml")
    let outcome = try await show(columns: "42", "a.yaml")
    outcome.expectSuccess()
    #expect(
      outcome.lines == [
        "Intervals: 7:00, 7 phases, 3 sets, 32",
        "cues, 12 of them spoken.",
        "  Warm-up 2:00",
        "  3 times: Hard 1:00, Recovery 0:30,",
        "    without the last Recovery 0:30",
        "  Cool-down 1:00",
        "Warm-up    2:00  29 %  1 phase",
        "High       3:00  43 %  3 phases",
        "Recovery   1:00  14 %  2 phases",
        "Cool-down  1:00  14 %  1 phase",
        "",
        "            ██████   ██████   ██████",
        "            ██████   ██████   ██████",
        "            ██████   ██████   ██████",
        "██████████████████████████████████████████",
        "██████████████████████████████████████████",
        "0:00                                  7:00",
      ])
    let words = try await show(columns: "42", "a.yaml", "--words")
    #expect(words.lines == Array(outcome.lines.prefix(10)))
    let plain = try await show(columns: "42", "a.yaml", language: "C")
    #expect(plain.output.utf8.allSatisfy { $0 < 0x80 })
    #expect(plain.lines.contains("##########################################"))
  }

  @Test func totalsAsJSONAreOneObject() async throws {
    try space.write(Preset.open, to: "open.yaml")
    let outcome = try await space.run("show", "open.yaml", "--json")
    #expect(
      outcome.output
        == "{\"preset\":\"Open\",\"length\":null,\"phases\":3,\"sets\":0,\"cues\":9,\"spoken\":5,"
        + "\"kinds\":[{\"kind\":\"work\",\"phases\":2,\"length\":0,\"open\":2},"
        + "{\"kind\":\"rest\",\"phases\":1,\"length\":0,\"open\":1}]}\n")
  }

  @Test func totalsAreAboutRightWhereTheWorkoutSaysSo() async throws {
    let preset = """
      name: Swim
      blocks:
        - sets: 3
          phases: [{work: {until: next, about: 90s}}, {rest: {on: 2m}}]
        - phases: [{work: {until: next}}]

      """
    try space.write(preset, to: "swim.yaml")
    let lines = try await show(columns: "80", "swim.yaml", "--words").lines
    #expect(lines.contains("Work  about 4:30 and 1 open    4 phases"))
    #expect(lines.contains("Rest             about 1:30    3 phases"))
    let yasso = try await show(columns: "80", "yasso-800s", "--words").lines
    #expect(yasso.contains { $0.hasPrefix("Recovery") && $0.contains("at most 54:00") })
  }

  @Test func openPhasesAreShownAsSuch() async throws {
    try space.write(Preset.open, to: "open.yaml")
    let outcome = try await show(columns: "30", "open.yaml")
    #expect(outcome.lines.contains("Work  2 open    2 phases"))
    #expect(outcome.lines.contains("░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░"))
    #expect(outcome.output.contains("0:00" + String(repeating: " ", count: 25) + "?"))
    #expect(outcome.output.contains("░ lasts until something ends"))
    let plain = try await show(columns: "30", "open.yaml", language: "C")
    #expect(plain.lines.contains("??????????????????????????????"))
  }

  private static let names = [
    "🏊‍♀️ Schwimmen 高強度インターバル 🇩🇪", "سباحة سريعة جدا مع راحة قصيرة", "a<b>&\"c\"'d'",
    "Einsehrlangeswortohneleerzeichendasniemandliestundkeineraussprichtdennesistzulang",
  ]

  @Test(arguments: names, [10, 20, 33, 80, 200]) func nothingIsWiderThanTheWindow(
    name: String, columns: Int
  ) async throws {
    let phases = [
      Phase(.work, .fixed(.seconds(95)), name: name, intensity: name),
      Phase(.rest, .open(.untilNext, OpenBounds(atMost: .seconds(60)))),
      Phase(.low, .fixed(.milliseconds(1500))), Phase(.high, .open(.reps(12))),
    ]
    let steps = phases.map { Block.Step($0) }
    for sets in [1, 4, 25_000] {
      let workout = Workout(name: name, blocks: [Block(sets: sets, steps: steps)])
      guard let timeline = try? Timeline(workout) else {
        #expect(sets == 25_000)
        continue
      }
      let profile = WorkoutProfile(timeline, LaneStyle())
      let unicode = ProfileText(profile, ProfileText.Look(columns: columns)).lines
      let ascii = ProfileText(profile, ProfileText.Look(columns: columns, usesUnicode: false)).lines
      for line in unicode + ascii {
        #expect(Columns.width(line) <= columns, "\(line)")
        #expect(line == line.singleLine)
      }
      // However many phases there are.
      #expect(unicode.count < 500)
    }
  }

  @Test func hundredThousandPhasesAreAPicture() throws {
    let steps = [(PhaseKind.high, 200), (.rest, 100)].map { kind, milliseconds in
      Block.Step(Phase(kind, .fixed(.milliseconds(milliseconds))))
    }
    let timeline = try Timeline(Workout(name: "Many", blocks: [Block(sets: 50_000, steps: steps)]))
    let profile = WorkoutProfile(timeline, LaneStyle())
    let lines = ProfileText(profile, ProfileText.Look(columns: 80)).lines
    #expect(lines.first?.hasPrefix("Many: 4:10:00, 100000 phases, 50000 sets, ") == true)
    #expect(lines.contains("  50000 times: High 0:00.2, Rest 0:00.1"))
    // Two thirds of the time at 5, one at 1: 3 2/3 everywhere.
    #expect(lines.contains(String(repeating: "▅", count: 80)))
    #expect(ProfilePicture(profile).text.utf8.count < 200_000)
  }

  @Test func whatIsRepeatedIsSaidOnce() throws {
    func summary(_ lengths: [Int], sets: Int? = nil) throws -> [String] {
      let steps = lengths.map { Block.Step(Phase(.work, .fixed(.seconds($0)))) }
      let timeline = try Timeline(Workout(name: "A", blocks: [Block(sets: sets, steps: steps)]))
      return PhaseSummary(timeline, .english).lines
    }
    #expect(try summary([1, 1]) == ["Work 0:01, Work 0:01"])
    #expect(try summary([1, 1, 1]) == ["3 times: Work 0:01"])
    #expect(try summary([1, 2, 1, 2]) == ["2 times: Work 0:01, Work 0:02"])
    #expect(try summary([1, 2, 1]) == ["Work 0:01, Work 0:02, Work 0:01"])
    #expect(
      try summary([9, 1, 2, 1, 2, 1])
        == ["Work 0:09", "3 times: Work 0:01, Work 0:02, without the last Work 0:02"])
    #expect(
      try summary([1, 2, 1, 2, 3, 1, 2, 1, 2, 3])
        == ["2 times: 2 times (Work 0:01, Work 0:02), Work 0:03"])
    let ten = Array(repeating: 1, count: 10)
    #expect(try summary(ten + ten) == ["20 times: Work 0:01"])
    #expect(try summary(ten, sets: 8_000) == ["8000 times: 10 times (Work 0:01)"])
    #expect(
      try summary([1, 2, 1, 2], sets: 3) == ["3 times: 2 times (Work 0:01, Work 0:02)"])
    let long = try summary((1...410).map { $0 })
    #expect(long.count == PhaseSummary.maximumLines + 1)
    #expect(long.last == "and 10 more phases")
  }

  @Test func eachPhaseIsAsWideAsItIsLong() throws {
    let lengths = [120, 1, 60, 1, 58]
    let steps = lengths.map { Block.Step(Phase(.work, .fixed(.seconds($0)))) }
    let timeline = try Timeline(Workout(name: "A", blocks: [Block(steps: steps)]))
    #expect(ProfileBars(timeline, columns: 240).bars.map(\.columns) == lengths)
    #expect(ProfileBars(timeline, columns: 24).bars.map(\.columns) == [12, 1, 5, 1, 5])
    #expect(ProfileBars(timeline, columns: 10).bars.map(\.columns) == [5, 1, 2, 1, 1])
    let merged = ProfileBars(timeline, columns: 9).bars
    #expect(merged.map(\.columns) == Array(repeating: 1, count: 9))
    #expect(merged.allSatisfy { $0.height == 4 })
  }

  @Test func coloursAreOnATerminalAlone() async throws {
    try space.write(Self.intervals, to: "a.yaml")
    let piped = try await show(columns: "40", "a.yaml")
    #expect(!piped.output.contains("\u{1b}"))
    let settings: [(String, String?, Bool)] = [
      ("xterm", nil, true), ("xterm", "1", false), ("dumb", nil, false),
    ]
    for (kind, noColor, isColored) in settings {
      let terminal = try PseudoTerminal(columns: 50)
      let program = space.program.with("TERM", kind).with("NO_COLOR", noColor)
      let run = try await program.start(["show", "a.yaml"], on: terminal)
      #expect(await run.end().status == .exited(0))
      #expect(terminal.picture.hasColor == isColored)
      let lines = terminal.picture.printed.split(separator: "\n").map(String.init)
      #expect(lines.map { Columns.width($0) }.max() == 50)
    }
  }

  @Test func otherProgramsFilesAreShownToo() async throws {
    try space.write(
      "<workout_file><name>Ride</name><workout><SteadyState Duration=\"60\" Power=\"1\" Pace=\"1\"/>"
        + "</workout></workout_file>", to: "ride.zwo")
    let outcome = try await space.run("show", "ride.zwo").expect(0)
    #expect(outcome.lines.first?.hasPrefix("Ride: 1:00, 1 phase, ") == true)
  }

  // MARK: Pictures

  @Test(arguments: names) func pictureIsXMLWithATitleAndADescription(name: String) throws {
    let quoted = "'\(name.replacingOccurrences(of: "'", with: "''"))'"
    let preset = Self.intervals.replacingOccurrences(of: "Intervals", with: quoted)
      .replacingOccurrences(of: "Hard", with: quoted)
    let timeline = try Timeline(try PresetFile.parse(Array(preset.utf8), file: "a.yaml"))
    let text = ProfilePicture(WorkoutProfile(timeline, LaneStyle())).text
    let root = try XMLReader.root(of: text)
    #expect(root.name == "svg")
    #expect(root.attributes["role"] == "img")
    #expect(root.attributes["aria-labelledby"] == "title description")
    #expect(root.child("title")?.text == name.shownName)
    #expect(root.child("desc")?.text.contains("3 times: \(name.shownName) 1:00") == true)
    let bars = root.children.filter { $0.name == "rect" && $0.child("title") != nil }
    #expect(bars.count == 7)
  }

  @Test func namesOfControlCharactersAreNoXMLOfTheirOwn() throws {
    let name = "a\u{0}b\u{1b}[31m\u{202e}c\u{fffe}\n<x>]]>"
    let phase = Phase(.work, .fixed(.seconds(5)), name: name)
    let timeline = try Timeline(Workout(name, [phase]))
    let profile = WorkoutProfile(timeline, LaneStyle())
    let text = ProfilePicture(profile).text
    let scalars = text.unicodeScalars
    #expect(
      scalars.allSatisfy { (scalar: Unicode.Scalar) -> Bool in
        scalar == "\n" || scalar.isSafeOnOneLine && scalar != "\u{fffe}"
      })
    #expect(try XMLReader.root(of: text).child("title")?.text == "a b [31mc <x>]]>")
    let lines = ProfileText(profile, ProfileText.Look(columns: 80)).lines
    #expect(lines.allSatisfy { $0 == $0.singleLine })
  }

  @Test func existingFileIsReplacedByForceAlone() async throws {
    try space.write(Preset.tiny, to: "tiny.yaml")
    try space.write("precious\n", to: "a.svg")
    let refused = try await space.run("show", "tiny.yaml", "--svg", "a.svg").expect(2)
    #expect(
      refused.errors
        == "cuecoach: --svg a.svg: that file exists; expected another name, or --force\n")
    #expect(try space.text("a.svg") == "precious\n")
    try await space.run("show", "tiny.yaml", "--svg", "a.svg", "--force").expectSilentSuccess()
    let picture = try space.text("a.svg")
    #expect(picture.hasPrefix("<?xml"))
    #expect(try await space.run("show", "tiny.yaml", "--svg", "-").output == picture)
    try await space.run("show", "tiny.yaml", "--svg", "tiny.yaml", "--force").expect(2)
    try await space.run("show", "tiny.yaml", "--svg", "no/folder/a.svg").expect(1)
    for mistake in [["--force"], ["--svg", "b.svg", "--json"], ["--svg", "b.svg", "--words"]] {
      try await space.program.run(["show", "tiny.yaml"] + mistake).expectOneLine(2)
      #expect(!space.has("b.svg"))
    }
  }
}
