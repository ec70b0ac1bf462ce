import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import cuecoach

/// A command line of the documentation, and how it is checked.
struct DocumentedLine: Sendable, CustomTestStringConvertible {
  enum Kind: Equatable, Sendable {
    /// Ends without playing: it is run unchanged.
    case answers
    /// Plays: it is run with presets of half a second with the same names.
    case plays
    /// Continues a session: it is run after an interruption, and then ended.
    case resumes
    /// Needs a device: it is run without one and must report that.
    case testsDevice
    /// Controls a coach: it is run with one.
    case controls
    /// Waits for clients, or is of the page's server: parsed by its program, and not run here.
    case serves
    /// Asks on a terminal: parsed, and not run here.
    case asks
    /// Builds or measures: checked against the Makefile's targets and variables.
    case makes
    /// Needs root or a microphone, or makes a certificate: checked by name, not run.
    case administers
  }

  struct Unfit: Error, CustomStringConvertible {
    let description: String
  }

  let place: String
  let text: String

  var testDescription: String { "\(place) \(text)" }

  /// Every line of every block of a shell's language.
  static let all: [DocumentedLine] = DocumentationPage.all.flatMap(\.blocks)
    .filter { $0.language == "sh" || $0.language == "console" }
    .flatMap { block in
      block.lines.filter { !$0.hasPrefix("#") }.map { DocumentedLine(place: block.place, text: $0) }
    }

  /// Each text once, at its first place.
  static let distinct: [DocumentedLine] = {
    var seen: Set<String> = []
    return all.filter { seen.insert($0.text).inserted }
  }()

  /// The kind of each line, determined once: parsing a command takes time.
  static let kinds = Dictionary(
    uniqueKeysWithValues: distinct.map { line in (line.text, Result { try line.kind() }) })

  /// Throws for a command of an unknown kind, and for one that the program does not accept.
  func kind() throws -> Kind {
    let kinds = try ShellWords(text).commands.map { try Self.kind(ofCommand: $0) }
    guard let first = kinds.first else { throw Unfit(description: "\(place): no command") }
    guard kinds.count == 1 || kinds.allSatisfy({ $0 == .answers }) else {
      throw Unfit(description: "\(place): only commands that answer may share a line: \(text)")
    }
    return first
  }

  private static func kind(ofCommand words: [String]) throws -> Kind {
    if let program = words.first.flatMap(CommandTree.surface) {
      do {
        _ = try program.parseAsRoot(Array(words.dropFirst()))
      } catch {
        throw Unfit(description: "\(words): \(program.message(for: error))")
      }
      return .serves
    }
    switch words.first {
    case "cuecoach": return try kind(ofArguments: Array(words.dropFirst()))
    case "ssh" where words.count > 2: return try kind(ofCommand: Array(words.dropFirst(2)))
    case "ssh", "exit": return .administers
    case "make":
      try Makefile.check(Array(words.dropFirst()))
      return .makes
    case "sudo" where words.dropFirst().first == "make":
      return try kind(ofCommand: Array(words.dropFirst()))
    case "sudo" where words.dropFirst().first?.hasPrefix("cuecoach-") == true:
      return try kind(ofCommand: Array(words.dropFirst()))
    // A microphone; a certificate.
    case "arecord", "mkdir", "openssl": return .administers
    case "sudo" where ["usermod", "loginctl", "apt", "install"].contains(words.dropFirst().first):
      return .administers
    case "systemctl", "journalctl":
      try Self.checkUnits(words)
      return .administers
    case "sudo" where words.dropFirst().first == "systemctl":
      return try kind(ofCommand: Array(words.dropFirst()))
    default: throw Unfit(description: "a command of no known kind: \(words)")
    }
  }

  /// Throws where the words of a systemctl or journalctl name a unit that there is not.
  private static func checkUnits(_ words: [String]) throws {
    let folder = SourceTree.path(
      "Packaging/systemd/" + (words.contains("--user") ? "user" : "system"))
    let units = try FileManager.default.contentsOfDirectory(atPath: folder)
    for word in words where word.hasPrefix("cuecoach") {
      guard units.contains("\(word).service") || units.contains(word) else {
        throw Unfit(description: "\(words): there is no unit \(word)")
      }
    }
  }

  /// - Parameter arguments: the arguments of cuecoach, checked against its subcommands, options and
  ///   values.
  static func kind(ofArguments arguments: [String]) throws -> Kind {
    if arguments.first == "help" { return .answers }
    let command: any ParsableCommand
    do {
      command = try Cuecoach.parseAsRoot(arguments)
    } catch {
      throw Unfit(description: "\(arguments): \(Cuecoach.message(for: error))")
    }
    switch command {
    case is RunCommand: return .plays
    case is ResumeCommand: return .resumes
    case is TestSoundCommand: return .testsDevice
    case let voices as VoicesCommand where voices.tries: return .testsDevice
    case is ServeCommand: return .serves
    case is NewCommand: return .asks
    case is CtlStartCommand, is any CtlLaneCommand, is CtlVolumeCommand, is CtlSayCommand,
      is CtlValueCommand, is CtlQuickCommand, is CtlScheduleCommand, is CtlSchedulesCommand,
      is CtlUnscheduleCommand, is CtlOutputCommand, is CtlDiscardCommand, is CtlSignalCommand,
      is CtlStatusCommand, is CtlPresetsCommand, is CtlSessionsCommand, is CtlHistoryCommand:
      return .controls
    case is CheckCommand, is ConvertCommand, is TimelineCommand, is RenderCommand,
      is PresetsCommand, is ShowCommand,
      is DevicesCommand, is VoicesCommand, is SoundsCommand, is ExportCommand,
      is ImportHistoryCommand, is HistoryListCommand, is HistoryShowCommand,
      is HistoryDeleteCommand, is SessionsCommand.List, is SessionsCommand.Discard:
      return .answers
    default: throw Unfit(description: "\(arguments): a command of no known kind")
    }
  }
}

/// The targets and variables of the Makefile.
enum Makefile {
  private static let text = (try? SourceTree.text("Makefile")) ?? ""

  static func check(_ words: [String]) throws {
    for word in words {
      let name = word.prefix { $0 != "=" }
      let beginning = name.count < word.count ? "\(name) ?=" : "\(name):"
      guard text.split(separator: "\n").contains(where: { $0.hasPrefix(beginning) }) else {
        throw DocumentedLine.Unfit(description: "the Makefile has no \(name)")
      }
    }
  }
}
