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
    let outcome = try await space.run(argument)
    #expect(outcome.status == .exited(0))
    #expect(outcome.errors == "")
    #expect(outcome.output.contains("Examples:"))
    #expect(outcome.output.contains("Exit codes: 0 done, 1 failed, 2"))
    for command in Self.commands {
      #expect(outcome.lines.contains { $0.hasPrefix("  \(command) ") }, "\(command)")
    }
  }

  @Test(arguments: commands)
  func everyCommandExplainsItself(command: String) async throws {
    let outcome = try await space.run(command, "--help")
    #expect(outcome.status == .exited(0))
    #expect(outcome.errors == "")
    #expect(outcome.lines.contains { $0.hasPrefix("USAGE: cuecoach \(command)") })
    let takesFiles = ["run", "timeline", "render", "check"].contains(command)
    #expect(outcome.output.contains("Example") || !takesFiles)
  }

  @Test func withoutACommandTheHelpIsShown() async throws {
    let outcome = try await space.run()
    #expect(outcome.status == .exited(0))
    #expect(outcome.output.contains("USAGE: cuecoach <subcommand>"))
  }

  @Test func versionIsThreeNumbers() async throws {
    let outcome = try await space.run("--version")
    #expect(outcome.status == .exited(0))
    #expect(outcome.errors == "")
    let numbers = outcome.lines.first?.split(separator: ".").compactMap { Int($0) }
    #expect(outcome.lines.count == 1)
    #expect(numbers?.count == 3)
  }
}
