import ArgumentParser
import Foundation

@testable import cuecoach
@testable import struct cuecoach_buttons.CuecoachButtons
@testable import struct cuecoach_desktop.CuecoachDesktop
@testable import struct cuecoach_mqtt.CuecoachMQTT
@testable import struct cuecoach_notify.CuecoachNotify
@testable import struct cuecoach_sense.CuecoachSense
@testable import struct cuecoach_web.CuecoachWeb

/// The program's subcommands and options, as its argument parser describes itself.
struct CommandTree: Decodable {
  struct Argument: Decodable {
    struct Name: Decodable { let name: String }
    let names: [Name]?
    /// "positional", "option" or "flag".
    let kind: String
    let isRepeating: Bool
    let valueName: String?
  }

  private struct Tool: Decodable { let command: CommandTree }

  let commandName: String
  let discussion: String?
  let arguments: [Argument]?
  let subcommands: [CommandTree]?

  static func ofProgram() throws -> CommandTree { try of(Cuecoach.self) }

  /// Those of all programs, by their names.
  static func ofPrograms() throws -> [String: CommandTree] {
    var trees = ["cuecoach": try ofProgram()]
    for name in [
      "cuecoach-web", "cuecoach-mqtt", "cuecoach-sense", "cuecoach-buttons", "cuecoach-notify",
      "cuecoach-desktop",
    ] {
      trees[name] = try surface(name).map(of)
    }
    return trees
  }

  /// A program of its own that talks to the coach's sockets.
  static func surface(_ name: String) -> (any ParsableCommand.Type)? {
    switch name {
    case "cuecoach-web": CuecoachWeb.self
    case "cuecoach-mqtt": CuecoachMQTT.self
    case "cuecoach-sense": CuecoachSense.self
    case "cuecoach-buttons": CuecoachButtons.self
    case "cuecoach-notify": CuecoachNotify.self
    case "cuecoach-desktop": CuecoachDesktop.self
    default: nil
    }
  }

  static func of(_ program: any ParsableCommand.Type) throws -> CommandTree {
    try JSONDecoder().decode(Tool.self, from: Data(program._dumpHelp().utf8)).command
  }

  /// Its own options, without dashes.
  var options: Set<String> {
    Set((arguments ?? []).flatMap { $0.names ?? [] }.map(\.name))
  }

  /// What the parser checks in a debug build alone: no two options have one name, and nothing follows an argument that
  /// takes all that are left.
  var mistakes: [String] {
    let names = (arguments ?? []).flatMap { $0.names ?? [] }.map(\.name)
    let double = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    let positional = (arguments ?? []).filter { $0.kind == "positional" }
    let greedy = positional.dropLast().filter(\.isRepeating).map { $0.valueName ?? "" }
    return double.map { "\(commandName) has two options \($0)" }
      + greedy.map { "\(commandName) has an argument after <\($0)>" }
  }

  var all: [CommandTree] { [self] + (subcommands ?? []).flatMap(\.all) }

  /// The parser's own option is not among those that it describes.
  func has(option: String) -> Bool {
    option == "generate-completion-script" || all.contains { $0.options.contains(option) }
  }

  /// The error in a command, whose arguments may be placeholders; nil if it is valid.
  ///
  /// - Parameter words: the words after the program's name.
  func fault(in words: [String]) -> String? {
    var command = self
    var words = words[...]
    if words.first == "help" { words = words.dropFirst() }
    while let first = words.first, !first.hasPrefix("-"), let own = command.subcommands,
      !own.isEmpty
    {
      guard let next = own.first(where: { $0.commandName == first }) else {
        // "history ID": the default subcommand takes no argument, so this is an error too.
        return "\(command.commandName) has no subcommand \(first)"
      }
      (command, words) = (next, words.dropFirst())
    }
    for word in words where word.hasPrefix("--") {
      let option = String(word.dropFirst(2).prefix { $0 != "=" })
      guard command.has(option: option) else { return "\(command.commandName) has no --\(option)" }
    }
    return nil
  }
}
