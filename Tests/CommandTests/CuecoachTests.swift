import Foundation
import Testing

/// Help, version and the command list.
@Suite struct CuecoachTests {
  private let space = Workspace()

  static let commands = [
    "run", "timeline", "render", "check", "presets", "devices", "test-sound", "voices",
    "sounds",
  ]

  @Test(arguments: ["--help", "-h", "help"])
  func helpNamesEveryCommandAndShowsExamples(argument: String) async throws {
    let outcome = try await space.run(argument).expectSuccess()
    #expect(outcome.output.contains("Examples:"))
    #expect(outcome.output.contains("Exit codes: 0 done, 1 failed, 2"))
    for command in Self.commands {
      #expect(outcome.lines.contains { $0.hasPrefix("  \(command) ") }, "\(command)")
    }
  }

  @Test(arguments: ["run", "timeline", "render", "check"])
  func everyCommandOfPresetsExplainsItself(command: String) throws {
    let tree = try #require(try CommandTree.ofProgram().all.first { $0.commandName == command })
    #expect(tree.discussion?.contains("Example") == true)
  }

  /// The tests are built as a release, in which the parser does not look.
  @Test func declarationsOfOptionsAreRight() throws {
    for tree in try CommandTree.ofPrograms().values {
      // The parser's own.
      let commands = tree.all.filter { $0.commandName != "help" }
      #expect(commands.flatMap(\.mistakes) == [])
    }
    let wrong = #"""
      {"commandName": "wrong", "arguments": [
        {"kind": "positional", "isRepeating": true, "valueName": "files"},
        {"kind": "positional", "isRepeating": false, "valueName": "last"},
        {"kind": "option", "isRepeating": false, "names": [{"name": "to"}]},
        {"kind": "flag", "isRepeating": false, "names": [{"name": "t"}, {"name": "to"}]}]}
      """#
    let tree = try JSONDecoder().decode(CommandTree.self, from: Data(wrong.utf8))
    #expect(
      tree.mistakes == ["wrong has two options to", "wrong has an argument after <files>"])
  }

  @Test func withoutACommandTheHelpIsShown() async throws {
    let outcome = try await space.run().expect(0)
    #expect(outcome.output.contains("USAGE: cuecoach <subcommand>"))
  }

  @Test func versionIsThreeNumbers() async throws {
    let outcome = try await space.run("--version").expectSuccess()
    let numbers = outcome.lines.first?.split(separator: ".").compactMap { Int($0) }
    #expect(outcome.lines.count == 1)
    #expect(numbers?.count == 3)
  }
}
