import Foundation
import Presets
import Testing

@testable import cuecoach

/// A preset made by answering questions.
@Suite struct NewCommandTests {
  private let space = Workspace()

  /// The folder of the user's own presets.
  private static let folder = ".config/cuecoach/presets"

  private struct Interview {
    let space: Workspace
    let terminal: PseudoTerminal
    let run: RunningProgram

    init(_ space: Workspace, _ arguments: String..., columns: UInt16 = 200) async throws {
      self.space = space
      terminal = try PseudoTerminal(columns: columns)
      run = try await space.program.start(["new"] + arguments, on: terminal)
    }

    /// Waits until a question or an objection is shown so often, then answers.
    func answer(_ answer: String, to question: String, times: Int = 1) async throws {
      let terminal = terminal
      try await run.until("it asks \(question)") {
        terminal.picture.printed.components(separatedBy: question).count > times
      }
      terminal.type(answer)
    }

    /// Takes what is proposed.
    func acceptAll(_ questions: ArraySlice<PresetDraft.Question>) async throws {
      for question in questions { try await answer("\n", to: question.text) }
    }
  }

  private var files: [String] {
    let all = try? FileManager.default.contentsOfDirectory(atPath: space.path(Self.folder))
    return (all ?? []).sorted()
  }

  @Test func fiveAnswersMakeAPresetThatIsRightAndFound() async throws {
    let interview = try await Interview(space)
    try await interview.answer("Rows: 6 x 'fast'\n", to: "What is the workout called? ")
    try await interview.answer("6\n", to: "How many sets? [8] ")
    try await interview.answer("12 reps\n", to: "or 12 reps [30s] ")
    try await interview.answer("\n", to: "until n is pressed [30s] ")
    try await interview.answer("none\n", to: "or none [10s] ")
    let outcome = await interview.run.end().expect(0)
    #expect(files == ["rows-6-x-fast.yaml"])
    #expect(outcome.output.contains("rows-6-x-fast.yaml is written."))
    #expect(outcome.output.contains("Run it: cuecoach run rows-6-x-fast"))
    try await space.run("check", "rows-6-x-fast", "--density", "normal").expect(0)
    let workout = try PresetFile.read(path: space.path("\(Self.folder)/rows-6-x-fast.yaml"))
    #expect(workout.name == "Rows: 6 x 'fast'")
    #expect(workout.blocks.map(\.sets) == [6])
    #expect(
      workout.blocks[0].steps.map(\.phase.length) == [.open(.reps(12)), .fixed(.seconds(30))])
    #expect(workout.blocks[0].steps.map(\.skippedInLastSet) == [false, true])
  }

  @Test func eachAnswerIsCheckedAtOnceAndAskedAgain() async throws {
    let interview = try await Interview(space, "mine")
    try await interview.answer("a\u{202e}b\n", to: "called? [mine] ")
    try await interview.answer("\n", to: "called? [mine] ", times: 2)
    try await interview.answer("many\n", to: "How many sets? [8] ")
    try await interview.answer("10001\n", to: "\"many\" is no number of sets, expected 1 to 10000")
    try await interview.answer("3\n", to: "sets is \"10001\", expected ")
    try await interview.answer("soon\n", to: "or 12 reps [30s] ")
    try await interview.answer("-5\n", to: "\"soon\" is not a length, expected a length such as 90")
    try await interview.answer("9h\n", to: "\"-5\" is negative, expected ")
    try await interview.answer("1:30\n", to: ", expected at most 24", times: 1)
    try await interview.answer("3 reps\n", to: "until n is pressed [30s] ")
    try await interview.answer("next\n", to: "\"3 reps\" ")
    try await interview.answer("#\n", to: "or none [10s] ")
    try await interview.answer("5\n", to: "\"#\" is not a length")
    #expect(await interview.run.end().status == .exited(0))
    let workout = try PresetFile.read(path: space.path("\(Self.folder)/mine.yaml"))
    #expect(workout.name == "mine")
    #expect(workout.blocks.map(\.sets) == [nil, 3])
    #expect(
      workout.blocks[1].steps.map(\.phase.length) == [.fixed(.seconds(90)), .open(.untilNext)])
    #expect(workout.blocks[0].steps.map(\.phase.length) == [.fixed(.seconds(5))])
  }

  @Test func questionsBreakBetweenWords() async throws {
    let interview = try await Interview(space, "mine", columns: 40)
    for end in [
      "What is the workout called? [mine] ", "How many sets? [8] ",
      "of each set? A\n  length such as 40s or 1m30s, or 12\n  reps [30s] ",
      "A length,\n  none, or next: it lasts until n is\n  pressed [30s] ",
      "before the first\n  set? A length, or none [10s] ",
    ] {
      try await interview.answer("\n", to: end)
    }
    #expect(await interview.run.end().status == .exited(0))
  }

  /// The shell has written below it.
  @Test func questionIsShownAgainAfterAStop() async throws {
    let interview = try await Interview(space, "mine")
    let (run, terminal) = (interview.run, interview.terminal)
    try await interview.answer("\n", to: "called? [mine] ")
    try await interview.answer("", to: "sets? [8] ")
    for times in 2...3 {
      run.send(signal: SIGSTOP)
      try await run.until("it stands still") { run.isStopped }
      run.send(signal: SIGCONT)
      try await run.until("it asks again") {
        terminal.picture.printed.components(separatedBy: "How many sets? [8] ").count == times + 1
      }
    }
    try await interview.answer("3\n", to: "sets? [8] ", times: 3)
    try await interview.acceptAll(PresetDraft.Question.allCases.dropFirst(2))
    #expect(await run.end().status == .exited(0))
    let workout = try PresetFile.read(path: space.path("\(Self.folder)/mine.yaml"))
    #expect(workout.blocks.map(\.sets) == [nil, 3])
  }

  @Test func questionIsShownAgainWhenItsJobComesBackToTheForeground() async throws {
    let terminal = try PseudoTerminal(columns: 200)
    let shell = try await space.program.startShell(
      """
      "$0" "$@"; echo "stopped: $?"; bg; read -r line; fg; echo "ended: $?"
      """, ["new", "mine"], on: terminal)
    let first = PresetDraft.Question.allCases[0].text
    try await shell.until("it asks") { terminal.text.contains(first) }
    terminal.type("\u{1a}")
    try await shell.until("it is stopped") { terminal.text.contains("stopped: ") }
    terminal.type("\n")
    try await shell.until("it asks again") {
      terminal.text.components(separatedBy: first).count > 2
    }
    terminal.type("\n")
    for question in PresetDraft.Question.allCases.dropFirst() {
      try await shell.until("it asks \(question.text)") { terminal.text.contains(question.text) }
      terminal.type("\n")
    }
    try await shell.until("it is over") { terminal.text.contains("ended: 0") }
    #expect(files == ["mine.yaml"])
    _ = await shell.end()
  }

  @Test func itsCommentsMayBecomeLinesByTakingTheMarkAway() throws {
    let lines = PresetDraft().text.split(separator: "\n", omittingEmptySubsequences: false)
    let edited = lines.dropFirst().map { $0.hasPrefix("#") ? String($0.dropFirst()) : String($0) }
    let workout = try PresetFile.parse(Array(edited.joined(separator: "\n").utf8), file: "new")
    #expect(workout.blocks.last?.steps.map(\.phase.kind) == [.cooldown])
    #expect(workout.blocks.dropLast().last?.steps.first?.phase.name == "Squats")
  }

  @Test(arguments: [0, 4]) func withoutTheLastAnswerNothingIsWritten(answers: Int) async throws {
    for (isInterrupted, status) in [
      (true, Outcome.Status.killed(SIGINT)), (false, .exited(1)),
    ] {
      let space = Workspace()
      defer { space.remove() }
      let interview = try await Interview(space, "mine")
      try await interview.acceptAll(PresetDraft.Question.allCases.prefix(answers))
      let question = PresetDraft.Question.allCases[answers].text
      // Control-D at the start of a line ends the input.
      try await interview.answer(isInterrupted ? "" : "\u{4}", to: question)
      if isInterrupted { interview.run.send(signal: SIGINT) }
      let outcome = await interview.run.end()
      #expect(outcome.status == status)
      if !isInterrupted {
        #expect(outcome.output.contains("cuecoach: there was no answer; nothing is written"))
      }
      #expect(!space.has(Self.folder))
    }
  }

  @Test func noPresetIsReplacedOrHidden() async throws {
    try space.write(Preset.tiny, to: "\(Self.folder)/mine.yaml")
    for name in ["mine", "MINE", "tabata"] {
      let terminal = try PseudoTerminal(columns: 200)
      let outcome = try await space.program.start(["new", name], on: terminal).end().expect(2)
      #expect(outcome.output.contains("cuecoach: there is a preset \"\(name)\" already, "))
    }
    let interview = try await Interview(space)
    try await interview.answer("Tabata!\n", to: "called? ")
    try await interview.answer("Mine\n", to: "there is a preset \"tabata\" already, ")
    try await interview.answer("My own\n", to: "there is a preset \"mine\" already, ")
    try await interview.acceptAll(PresetDraft.Question.allCases.dropFirst())
    #expect(await interview.run.end().status == .exited(0))
    #expect(files == ["mine.yaml", "my-own.yaml"])
    #expect(try space.text("\(Self.folder)/mine.yaml") == Preset.tiny)
  }

  @Test func fileThatAppearsMeanwhileStaysAsItIs() async throws {
    let interview = try await Interview(space, "mine")
    try await interview.acceptAll(PresetDraft.Question.allCases.dropLast())
    try await interview.answer("", to: PresetDraft.Question.prepare.text)
    try space.write("precious\n", to: "\(Self.folder)/mine.yaml")
    interview.terminal.type("\n")
    let outcome = await interview.run.end().expect(1)
    #expect(outcome.output.contains("mine.yaml cannot be written: it exists"))
    #expect(files == ["mine.yaml"])
    #expect(try space.text("\(Self.folder)/mine.yaml") == "precious\n")
  }

  @Test func withoutATerminalItIsOneLine() async throws {
    let outcome = try await space.run("new", "mine").expect(2)
    #expect(
      outcome.errors
        == "cuecoach: new asks on a terminal, and standard input is none; cuecoach convert tabata "
        + "prints a preset to begin with\n")
    #expect(!space.has(Self.folder))
  }

  @Test(arguments: ["a/b", ".a", "a.yaml", "ride.zwo", "", "\u{200b}"])
  func whatIsNoNameIsOneLine(name: String) async throws {
    try await space.run("new", name).expectOneLine(
      2, "cannot be a preset's name; expected a name of 1 to 40")
  }

  @Test(arguments: [
    ("Rows 6 x 250 m", "rows-6-x-250-m"), ("Übung 高強度", "übung-高強度"), ("../../etc", "etc"),
    ("🏊", "workout"), (" . ", "workout"),
  ])
  func workoutsNameMakesTheFilesName(name: String, file: String) {
    #expect(PresetDraft.fileName(of: name) == file)
  }

  @Test func everyDraftIsRightWhateverIsAnswered() throws {
    for effort in ["30s", "1:30", "12 reps", "0.5s", "90"] {
      for rest in ["none", "0", "next", "10s"] {
        for sets in ["1", "2", "100"] {
          var draft = PresetDraft()
          try draft.take("a'b: #{x}", to: .name)
          try draft.take(sets, to: .sets)
          try draft.take(effort, to: .effort)
          try draft.take(rest, to: .rest)
          try draft.take("none", to: .prepare)
          let workout = try PresetFile.parse(Array(draft.text.utf8), file: "a.yaml")
          #expect(workout.name == "a'b: #{x}")
          let isWithoutRest = ["none", "0"].contains(rest)
          #expect(workout.blocks[0].steps.count == (isWithoutRest ? 1 : 2))
        }
      }
    }
  }
}
