import ArgumentParser
import CGlibc
import Glibc
import InstalledFiles

@main
struct Cuecoach: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cuecoach",
    abstract: "An interval-training audio coach: every cue on its sample.",
    discussion: """
      Examples:
        cuecoach run demo                         a minute of everything
        cuecoach run tabata --record tabata.wav   and record what is heard
        cuecoach run anna=tabata ben=./rows.yaml  two people, one speaker
        cuecoach timeline norwegian-4x4           what will be said, and when
        cuecoach render peakrush --output p.wav   the whole workout as a sound file

      Exit codes: 0 done, 1 failed, 2 a mistake in the command, a preset or config.yaml.
      """,
    version: "0.1.0",
    subcommands: [
      RunCommand.self, ResumeCommand.self, ServeCommand.self, CtlCommand.self,
      SessionsCommand.self, ShowCommand.self, TimelineCommand.self, RenderCommand.self,
      CheckCommand.self, ConvertCommand.self, NewCommand.self, PresetsCommand.self,
      DevicesCommand.self, TestSoundCommand.self, VoicesCommand.self,
      SoundsCommand.self, HistoryCommand.self, ExportCommand.self, ImportHistoryCommand.self,
    ])

  static func main() {
    if CommandLine.arguments.dropFirst().first == ServeCommand.name { ServeSignals.hold() }
    // To keep memory small for hours: one arena, and large blocks such as clips go back to the
    // system when freed. Nothing waits for the arena, because the sound thread does not allocate
    // while it plays.
    mallopt(M_ARENA_MAX, 1)
    mallopt(M_MMAP_THRESHOLD, 65_536)
    // libdispatch asks for a raised priority for the thread of its timers, and reports in the system's log
    // that an ordinary user may not have it. Otherwise it reports only faults of its own there.
    setenv("LIBDISPATCH_LOG", "NO", 0)
    // Opens the standard streams that are closed, before anything else is opened.
    let context = CommandContext.current
    ResourceLimits.check()
    do throws(UserError) {
      try checkArguments()
    } catch {
      context.complain(error)
      Glibc.exit(context.exitCode(error.code))
    }
    Glibc.exit(run(Array(CommandLine.arguments.dropFirst()), in: context))
  }

  /// Runs a command to its end. Returns its exit code.
  ///
  /// - Parameter arguments: without the program's name.
  static func run(_ arguments: [String], in context: CommandContext) -> Int32 {
    CommandContext.$current.withValue(context) { context.exitCode(end(of: arguments)) }
  }

  /// Runs a command, and says what is wrong. Returns its exit code.
  private static func end(of arguments: [String]) -> Int32 {
    do {
      var command = try parseAsRoot(withNumbersLast(arguments))
      try command.run()
      return 0
    } catch let code as ExitCode {
      return code.rawValue
    } catch let error as UserError {
      context.complain(error)
      return error.code
    } catch let error as InstallationError {
      context.complain(UserError(error))
      return UserError(error).code
    } catch {
      let code = exitCode(for: error)
      if code == .validationFailure {
        context.complain(
          presetInsteadOfCommand(arguments)
            ?? "\(message(for: error).singleLine); see cuecoach --help")
        return 2
      }
      // Help, the version and completions are results, not errors.
      if code == .success {
        context.write(fullMessage(for: error, columns: context.width) + "\n")
      }
      return code.rawValue
    }
  }

  /// Refuses an argument that is not UTF-8: as text it is another one, and a file of that name is not found.
  private static func checkArguments() throws(UserError) {
    for (index, argument) in CommandLine.arguments.enumerated() {
      guard let bytes = CommandLine.unsafeArgv[index], String(validatingCString: bytes) == nil
      else { continue }
      throw .usage(
        "\(argument.quotedName) is not UTF-8; expected UTF-8, which for a file means another name")
    }
  }

  /// The arguments as they are, but with negative numbers behind "--": the parser takes "-5" for an option otherwise. A
  /// number after an option is that option's.
  static func withNumbersLast(_ arguments: some Sequence<String>) -> [String] {
    let arguments = Array(arguments)
    guard !arguments.contains("--") else { return arguments }
    let isNumber = arguments.indices.map { index in
      arguments[index].hasPrefix("-") && Double(arguments[index]) != nil
        && index > 0 && !arguments[index - 1].hasPrefix("-")
    }
    let numbers = zip(arguments, isNumber).filter(\.1).map(\.0)
    guard !numbers.isEmpty else { return arguments }
    return zip(arguments, isNumber).filter { !$0.1 }.map(\.0) + ["--"] + numbers
  }

  /// What to do if the first word is not a command but a preset.
  private static func presetInsteadOfCommand(_ arguments: [String]) -> String? {
    guard let first = arguments.first, !first.hasPrefix("-"),
      !configuration.subcommands.contains(where: { $0.configuration.commandName == first })
    else { return nil }
    let preset = LaneArgument.split(first).preset
    guard PresetLibrary(in: context.folders).has(preset) else { return nil }
    return
      "\"\(first.singleLine)\" is a preset, not a command; try cuecoach run \(first.singleLine)"
  }
}
