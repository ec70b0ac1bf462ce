import ArgumentParser
import Glibc
import InstalledFiles
import IntervalTimeline

struct NewCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Make a preset by answering five questions.",
    discussion: """
      Asks on a terminal, and writes a preset with comments to $XDG_CONFIG_HOME/cuecoach/presets, \
      where run finds it by its name. Enter alone takes the answer in brackets. An existing preset is \
      never replaced, and before the last answer nothing is written.

      Example:
        cuecoach new rows
      """)

  @Argument(help: "The name of the preset; otherwise it is made of the workout's name.")
  var name: String?

  func run() throws {
    let library = PresetLibrary(in: context.folders)
    if let name { try Self.check(name, library) }
    guard context.canAsk else {
      throw UserError.usage(
        "new asks on a terminal, and standard input is none; cuecoach convert tabata prints a "
          + "preset to begin with")
    }
    // A missing folder is reported before the questions.
    _ = try NewPresetFile(name ?? "workout", in: context.folders)
    let questions = PresetQuestions(name: name) { draft in
      guard name == nil else { return nil }
      return Self.taken(draft.fileName, library)
    }
    let draft = try questions.ask()
    let fileName = name ?? draft.fileName
    let file = try NewPresetFile(fileName, in: context.folders)
    try file.write(draft.text)
    context.printSentences([
      "\(file.path) is written.", "Run it: cuecoach run \(fileName.shellArgument)",
    ])
  }

  /// Throws where the name that was given can be that of no new preset.
  private static func check(_ name: String, _ library: PresetLibrary) throws(UserError) {
    if let fault = PresetName.fault(of: name) { throw .usage(fault.text) }
    if let taken = taken(name, library) { throw .usage(taken) }
  }

  /// Another preset of the name would be hidden, or hide the new one.
  private static func taken(_ name: String, _ library: PresetLibrary) -> String? {
    guard let path = try? library.path(ofName: name) else { return nil }
    return "there is a preset \(name.quotedName) already, \(path.singleLine); expected another name"
  }
}
