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
