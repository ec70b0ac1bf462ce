import Testing

/// Errors in a command: one line that says what to do next, and an exit code.
@Suite struct UsageTests {
  private let space = Workspace()

  struct Mistake: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    /// A part of the message.
    let says: String
    var code: Int32 = 2

    init(_ arguments: String, _ says: String, code: Int32 = 2) {
      self.arguments = arguments.split(separator: " ").map(String.init)
      self.says = says
      self.code = code
    }

    var testDescription: String { arguments.joined(separator: " ") }
  }

  private static let noFolder = "there is no folder no; expected one that exists"
  private static let isFolder = "that is a folder; expected the name of a file"

  @Test(arguments: [
    Mistake("frobnicate", "frobnicate"),
    Mistake("--frobnicate", "--frobnicate"),
    Mistake("run", "<presets>"),
    Mistake("run tiny.yaml --frobnicate", "--frobnicate"),
    Mistake("run tiny.yaml --volume 101", "--volume 101: expected a number from 0 to 100"),
    Mistake("run tiny.yaml --volume=-1", "--volume -1: expected a number from 0 to 100"),
    Mistake("run tiny.yaml --volume loud", "'loud' is invalid for '--volume"),
    Mistake("run tiny.yaml --volume 9999999999999999999999", "--volume"),
    Mistake("run tiny.yaml --volume", "--volume"),
    Mistake("run tiny.yaml --latency 1001", "--latency 1001: expected a number from -500 to 1000"),
    Mistake("run tiny.yaml --latency -500.5", "--latency -500.5: expected a number from -500"),
    Mistake("run tiny.yaml --latency nan", "--latency nan: expected a number from -500 to 1000"),
    Mistake("run tiny.yaml --latency 1e300", "--latency 1e+300: expected a number from -500"),
    Mistake("run tiny.yaml --latency soon", "'soon' is invalid for '--latency"),
    Mistake("run tiny.yaml --warm-up -1", "--warm-up -1: expected a number from 0 to 30"),
    Mistake("run tiny.yaml --warm-up 31 --no-sound", "--warm-up 31: expected a number from 0"),
    Mistake("run tiny.yaml --keep-alive on", "'off', 'silence' or 'dither'"),
    Mistake("run tiny.yaml --voice klingon-x", "there is no voice \"klingon-x\""),
    Mistake("run tiny.yaml --voice en-gv", "the nearest are"),
    Mistake("run tabatta", "there is no preset \"tabatta\"; did you mean \"tabata\"?"),
    Mistake("run anna=tabatta", "there is no preset \"tabatta\"; did you mean \"tabata\"?"),
    Mistake("run nothing-like-it", "there is no preset \"nothing-like-it\"; cuecoach presets"),
    Mistake("run anna=", "there is no preset \"\"; cuecoach presets lists them"),
    Mistake("run =tiny.yaml", "characters on one line, not all of them invisible, before \"=\""),
    Mistake("run \u{200b}=tiny.yaml", "not all of them invisible, before \"=\""),
    Mistake("run \u{2060}\u{301}=tiny.yaml", "not all of them invisible, before \"=\""),
    Mistake("run anna=tiny.yaml anna=tiny.yaml", "\"anna\" is given twice"),
    Mistake("run tiny.yaml tiny=tiny.yaml", "\"tiny\" is given twice"),
    Mistake(
      "run" + String(repeating: " tiny.yaml", count: 10), "10 presets: expected at most 9 at once"),
    Mistake("timeline", "<presets> ..."),
    Mistake("timeline a=tiny.yaml a=tiny.yaml", "\"a\" is given twice"),
    Mistake("timeline tabatta", "did you mean \"tabata\"?"),
    Mistake("render tiny.yaml", "--output"),
    Mistake("render tabatta --output x.wav", "did you mean \"tabata\"?"),
    Mistake("render tiny.yaml --output x.wav --voice klingon-x", "there is no voice \"klingon-x\""),
    Mistake("check", "<presets>"),
    Mistake("check tabatta", "there is no preset \"tabatta\"; did you mean \"tabata\"?"),
    Mistake("tabata", "\"tabata\" is a preset, not a command; try cuecoach run tabata"),
    Mistake("./tiny.yaml", "try cuecoach run ./tiny.yaml"),
    Mistake("anna=tabata ben=emom", "try cuecoach run anna=tabata"),
    Mistake("Tabata", "\"Tabata\" is a preset, not a command; try cuecoach run Tabata"),
    Mistake("anna=TABATA", "try cuecoach run anna=TABATA"),
    Mistake("tabata --volume 80", "try cuecoach run tabata"),
    Mistake("devices --frobnicate", "--frobnicate"),
    Mistake("history --json --csv", "--csv cannot be combined with --json"),
    Mistake("history more", "Unexpected argument 'more'"),
    Mistake("history show", "<id>"),
    Mistake("history --frobnicate", "--frobnicate"),
    Mistake("export more", "Unexpected argument 'more'"),
    Mistake("import-history", "<file>"),
    Mistake("test-sound more", "Unexpected argument 'more'"),
    Mistake("test-sound --volume 101", "--volume 101: expected a number from 0 to 100"),
    Mistake("test-sound --voice klingon-x", "there is no voice \"klingon-x\""),
    Mistake("voices --frobnicate", "--frobnicate"),
    Mistake("sounds --output", "--output"),
    Mistake("render tiny.yaml --output x.mp3", ".mp3 is not written; expected .wav, .flac,"),
    Mistake("render tiny.yaml --output x.wav --music no.ogg", "--music no.ogg: No such file"),
    Mistake("render tiny.yaml --output x.wav --music tiny.yaml", "expected a sound file, such as"),
    Mistake("sounds --pack low", "--pack needs --output"),
    Mistake("sounds --output x --json", "--json cannot be combined with --output"),
    Mistake("sounds --output x --pack lo", "'default', 'low' or 'gym'"),
  ])
  func mistakeInTheCommandIsOneLineAndExitCodeTwo(mistake: Mistake) async throws {
    try await expectOneLine(mistake)
  }

  private static let unwritable = [
    Mistake(
      "run tiny.yaml --no-sound --record no/x.wav", "--record no/x.wav: \(noFolder)", code: 1),
    Mistake("run tiny.yaml --no-sound --record .", "--record .: \(isFolder)", code: 1),
    Mistake("run tiny.yaml --no-sound --record tiny.yaml/x", "(Not a directory)", code: 1),
    Mistake("convert tiny.yaml --output .", "--output .: \(isFolder)", code: 1),
    Mistake("convert tiny.yaml --output no/x", "--output no/x: \(noFolder)", code: 1),
    Mistake("show tiny.yaml --svg .", "--svg .: \(isFolder)", code: 1),
    Mistake("show tiny.yaml --svg no/x", "--svg no/x: \(noFolder)", code: 1),
    Mistake("run tiny.yaml --no-sound --ledger no/x", "--ledger no/x: \(noFolder)", code: 1),
    Mistake("run tiny.yaml --no-sound --ledger .", "--ledger .: \(isFolder)", code: 1),
    Mistake("render tiny.yaml --output no/x.wav", "--output no/x.wav: \(noFolder)", code: 1),
    Mistake("render tiny.yaml --output .", "--output .: \(isFolder)", code: 1),
    Mistake("render tiny.yaml --output . --split", "--output .: \(isFolder)", code: 1),
    Mistake(
      "render tiny.yaml --output no/x.wav --split", "--output no/x-01.wav: \(noFolder)", code: 1),
    Mistake("render tiny.yaml --output /dev/full", "/dev/full cannot be written", code: 1),
    Mistake(
      "render tiny.yaml --output x --cue-sheet no/x", "--cue-sheet no/x: \(noFolder)", code: 1),
    Mistake("sounds --output tiny.yaml/x", "tiny.yaml/x: it cannot be made (", code: 1),
    Mistake("sounds --output tiny.yaml", "--output tiny.yaml: that is no folder;", code: 1),
  ]

  @Test(arguments: unwritable)
  func fileThatCannotBeWrittenIsOneLineAndExitCodeOne(mistake: Mistake) async throws {
    try await expectOneLine(mistake)
  }

  private func expectOneLine(_ mistake: Mistake) async throws {
    try space.write(Preset.tiny, to: "tiny.yaml")
    let outcome = try await space.program.run(mistake.arguments, isRefused: true)
      .expectOneLine(mistake.code)
    #expect(outcome.errors.hasPrefix("cuecoach: "))
    #expect(outcome.errors.contains(mistake.says), "\(outcome.errors)")
    #expect(outcome.errors.hasSuffix("\n"))
  }

  /// As text it would be another name, and a file of that one would not be found.
  @Test(arguments: ["check", "run tiny.yaml --no-sound --record"])
  func whatIsNotUTF8IsSaidToBe(command: String) async throws {
    try space.write(Preset.tiny, to: "tiny.yaml")
    var program = space.program
    program.setUp =
      #"set -- "$@" "$(printf 'caf\351.yaml')" && cp tiny.yaml "$(printf 'caf\351.yaml')""#
    let outcome = try await program.run(command.split(separator: " ").map(String.init)).expect(2)
    #expect(outcome.output == "")
    #expect(
      outcome.errors
        == "cuecoach: \"caf\u{fffd}.yaml\" is not UTF-8; expected UTF-8, which for a file means "
        + "another name\n")
  }
}
