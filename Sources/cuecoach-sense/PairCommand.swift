import ArgumentParser
import IntervalTimeline
import Presets
import SurfaceProgram

/// - Parameter name: the value of `--as`.
func checkWorkout(_ name: String) throws {
  guard NameRule.lane.allows(name) else {
    throw ValidationError("--as \"\(name.prefix(60))\": expected \(NameRule.lane.expected)")
  }
}

struct PairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pair", abstract: "Write down whose sensor it is.")

  @Argument(help: "The sensor's address, or its name, which is looked for.")
  var sensor: String
  @Option(help: "The name of the workout to which its values go.")
  var `as`: String
  @Option(help: "For how many seconds a name is looked for, 1 to 60.") var seconds = 8
  @OptionGroup var config: ConfigOption

  func validate() throws {
    try checkWorkout(`as`)
    guard !`as`.contains("#") else {
      throw ValidationError(
        "--as \"\(`as`.prefix(60))\": expected a name without #, which begins a remark in the list")
    }
    guard (1...60).contains(seconds) else {
      throw ValidationError("--seconds \(seconds): expected 1 to 60")
    }
  }

  func run() throws {
    let path = config.pathToWrite
    // A mistake in it is said before the sensor is looked for.
    _ = try SensorsFile.read(path)
    let entry = try found()
    // It may have been written meanwhile.
    var file = try SensorsFile.read(path)
    let former = file.entries.first { $0.address == entry.address && $0.workout != `as` }
    try file.add(entry)
    try file.write(path)
    let instead = former.map { ", no longer in \"\($0.workout)\"" } ?? ""
    print(
      "\(entry.name ?? entry.address) is heard in the workout \"\(`as`)\"\(instead); written to \(path)"
    )
  }

  private func found() throws -> SensorsFile.Entry {
    if let address = SensorsFile.address(sensor) {
      return SensorsFile.Entry(address: address, workout: `as`)
    }
    let loop = SenseLoop(endSignals: EndSignals.descriptor())
    let all = try Finder(loop: loop).sensors(for: .seconds(seconds))
    let name = sensor.trimmed
    let some = all.filter { $0.name.map { $0 == name } ?? false }
    guard let one = some.first else {
      let names = all.compactMap(\.name)
      throw Complaint.failed(
        "no sensor \"\(sensor.prefix(60))\" was found"
          + (names.isEmpty ? "; wake it up" : "; there is \(names.joined(separator: ", "))"))
    }
    // The wrong one would be a neighbour's.
    guard some.count == 1 else {
      throw Complaint.failed(
        "\(some.count) sensors are called \"\(sensor.prefix(60))\"; take an address: "
          + some.map(\.address).joined(separator: ", "))
    }
    return SensorsFile.Entry(address: one.address, workout: `as`, name: one.name)
  }
}

struct UnpairCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unpair", abstract: "Take a sensor out of the list.")

  @Argument(help: "The sensor's address, or its name in the list.")
  var sensor: String
  @OptionGroup var config: ConfigOption

  func run() throws {
    let path = config.pathToWrite
    var file = try SensorsFile.read(path)
    let address = SensorsFile.address(sensor)
    let name = sensor.trimmed
    let some = file.entries.filter { entry in
      entry.address == address || entry.name.map { $0 == name } ?? false
    }
    guard some.count <= 1 else {
      throw Complaint.failed(
        "\(some.count) sensors are called \"\(sensor.prefix(60))\"; take an address: "
          + some.map(\.address).joined(separator: ", "))
    }
    guard let address = some.first?.address, file.remove(address) else {
      throw Complaint.failed("\(path) has no sensor \"\(sensor.prefix(60))\"")
    }
    try file.write(path)
    print("\(address) is not in the list any more")
  }
}

struct SensorsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sensors",
    abstract: "Show the list of sensors, and to which workouts their values go.")

  @OptionGroup var config: ConfigOption
  @Flag(help: "Print one JSON object a line.") var json = false

  func run() throws {
    let path = config.pathToRead
    let entries = try SensorsFile.read(path).entries
    if json { return try printJSON(entries) }
    guard !entries.isEmpty else {
      print("\(path) has no sensors; find them with: cuecoach-sense scan")
      return
    }
    let rows =
      [["Workout", "Address", "Name"]] + entries.map { [$0.workout, $0.address, $0.name ?? "-"] }
    for line in Table.lines(rows) { print(line) }
  }
}
