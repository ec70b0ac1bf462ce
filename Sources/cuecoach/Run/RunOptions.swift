import ArgumentParser
import CoachHost
import ForeignWorkouts
import Glibc
import InstalledFiles
import IntervalTimeline
import Presets

/// The validated options of a run.
struct RunOptions {
  var lanes: [OpenedWorkout]
  var installed: Installation
  var output: OutputChoice
  var files: RunFiles
  /// The paths of the files that were read.
  var inputs: [String] = []
  var sessions: SessionSettings
  /// Where its sessions are stored; nil: nowhere.
  var repository: SessionRepository?
  /// Whether it opens the control socket.
  var hasControl = false
  /// What the recorded sensors of each lane say; empty: there are none.
  var readings: [RecordedReadings] = []
}

/// The files that a run writes, and whether it is heard.
struct RunFiles: ParsableArguments {
  @Option(help: "Record what is heard in this WAV file; an existing WAV file is replaced.")
  var record: String?
  @Option(
    help:
      "Write what happens to this file, one JSON object per line; - for standard output. An existing ledger is replaced; appended to when resuming."
  )
  var ledger: String?
  @Flag(help: "Replace a file of another kind, too.") var force = false
  @Flag(help: "Do not play on any device.") var noSound = false

  /// Keeps the first part of a recording when a session is resumed: the rest gets the next free
  /// name, such as `rows-2.wav`.
  mutating func keepRecording() {
    var info = stat()
    guard let path = record, stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
      return
    }
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let dot = path[name...].lastIndex(of: ".") ?? path.endIndex
    record = (2...).lazy.map { "\(path[..<dot])-\($0)\(path[dot...])" }
      .first { access($0, F_OK) != 0 }
  }

  func claim(by files: OutputFiles) throws(UserError) {
    if let record {
      try files.claim(record, for: "--record", as: .sound(.wav), force: force)
      if let line = WrittenKind.unsaidWAV(record, for: "--record") { context.complain(line) }
    }
    if let ledger {
      try files.claim(ledger, for: "--ledger", as: .ledger, force: force, takesOutput: true)
    }
  }
}

/// One workout of a run and its name.
struct LaneArgument {
  /// The most lanes of a run: there is one key for each.
  static let maximumCount = 9

  let name: String
  let requested: RequestedWorkout

  /// Parses `NAME=PRESET` or `PRESET`; the default name is the preset's.
  static func parse(
    _ arguments: [String], _ style: AnnouncementStyle, _ installed: Installation,
    variant: (Int) -> WorkoutVariant = { _ in .today() }
  ) throws -> [LaneArgument] {
    guard arguments.count <= maximumCount else {
      throw UserError.usage("\(arguments.count) presets: expected at most \(maximumCount) at once")
    }
    var lanes: [LaneArgument] = []
    for (index, argument) in arguments.enumerated() {
      let (given, preset) = split(argument)
      let requested = try installed.requested(
        preset, style, variant: variant(index), lane: given)
      let name =
        given ?? free(NameRule.lane.fitted(requested.name), among: lanes.map(\.name))
      guard NameRule.lane.allows(name) else {
        throw UserError.usage(
          "\"\(argument.shownName)\": expected \(NameRule.lane.expected), before \"=\"")
      }
      guard !lanes.contains(where: { $0.name == name }) else {
        throw UserError.usage(
          "\"\(name)\" is given twice: expected a name of its own for each workout")
      }
      lanes.append(LaneArgument(name: name, requested: requested))
    }
    return lanes
  }

  /// Splits at the first "=", unless that is within a path.
  static func split(_ argument: String) -> (name: String?, preset: String) {
    guard let equals = argument.firstIndex(of: "="), !argument[..<equals].contains("/") else {
      return (nil, argument)
    }
    return (String(argument[..<equals]), String(argument[argument.index(after: equals)...]))
  }

  private static func free(_ name: String, among names: [String]) -> String {
    guard names.contains(name) else { return name }
    return (2...).lazy.map { "\(name) \($0)" }.first { !names.contains($0) } ?? name
  }
}
