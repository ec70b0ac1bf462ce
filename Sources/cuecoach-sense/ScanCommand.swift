import ArgumentParser
import ControlProtocol
import Glibc
import IntervalTimeline
import SensorFormats
import SurfaceProgram
import SystemIO

/// What is in reach, found by a scan.
struct Finder {
  let loop: SenseLoop

  /// Scans for so long.
  func sensors(for time: Duration) throws(Complaint) -> [Found] {
    let bus = BlueZBus()
    if let reason = bus.open() { throw .failed("no Bluetooth: \(reason)") }
    let end = BootInstant.now + time
    func call(_ number: Int, _ call: LinkCall) throws(Complaint) -> LinkAnswer {
      bus.perform(number, call)
      while case let now = BootInstant.now, now < end + .seconds(30) {
        for case .answered(number, let answer) in bus.takeEvents() { return answer }
        if loop.wait(for: bus, nil, until: now + .seconds(1)) { throw .failed("interrupted") }
        if let reason = bus.process() { throw .failed("no Bluetooth: \(reason)") }
      }
      throw .failed("BlueZ does not answer")
    }
    guard case .objects(let objects) = try call(1, .list) else {
      throw .failed("no Bluetooth: BlueZ does not run; install bluez")
    }
    let adapters = objects.compactMap { if case .adapter(let path, _) = $0 { path } else { nil } }
    guard let adapter = adapters.first else { throw .failed("there is no Bluetooth adapter") }
    for (number, action) in [
      LinkCall.power(adapter: adapter, true), .filter(adapter: adapter),
      .startDiscovery(adapter: adapter),
    ].enumerated() {
      if case .failed(let reason) = try call(2 + number, action) {
        throw .failed("scanning failed: \(reason)")
      }
    }
    while case let now = BootInstant.now, now < end {
      if loop.wait(for: bus, nil, until: end) { throw .failed("interrupted") }
      if let reason = bus.process() { throw .failed("no Bluetooth: \(reason)") }
      _ = bus.takeEvents()
    }
    _ = try call(8, .list)
    let found = bus.listing.sensors.map {
      Found(address: $0.address, name: $0.name, strength: $0.strength, measures: $0.measures)
    }
    // Its answer is not waited for: what was found is there.
    bus.perform(9, .stopDiscovery(adapter: adapter))
    return found.sorted { ($0.strength ?? .min, $1.address) > ($1.strength ?? .min, $0.address) }
  }
}

/// A sensor in reach.
struct Found: Encodable {
  let address: String
  let name: String?
  /// In dBm; nil for one that is known and not in reach.
  let strength: Int?
  let measures: [String]
}

/// One object a line.
func printJSON(_ values: [some Encodable]) throws {
  for value in values {
    print(String(decoding: try ControlCoding.line(value).dropLast(), as: UTF8.self))
  }
}

struct ScanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan", abstract: "List the sensors that are in reach.")

  @Option(help: "For how many seconds, 1 to 60.") var seconds = 8
  @Flag(help: "Print one JSON object a line.") var json = false

  func validate() throws {
    guard (1...60).contains(seconds) else {
      throw ValidationError("--seconds \(seconds): expected 1 to 60")
    }
  }

  func run() throws {
    let loop = SenseLoop(endSignals: EndSignals.descriptor())
    let found = try Finder(loop: loop).sensors(for: .seconds(seconds))
    if json { return try printJSON(found) }
    guard !found.isEmpty else {
      print("no sensor was found; wake it up: put the strap on, turn the crank")
      return
    }
    let rows =
      [["Name", "Address", "Signal", "Measures"]]
      + found.map {
        [
          $0.name ?? "-", $0.address, $0.strength.map { "\($0) dBm" } ?? "known",
          $0.measures.joined(separator: ", "),
        ]
      }
    for line in Table.lines(rows) { print(line) }
  }
}
