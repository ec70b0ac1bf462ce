import Glibc
import IntervalTimeline
import Presets
import SensorFormats
import SurfaceProgram
import SystemIO

/// Who wears what: a line for each sensor, "C0:F1:F2:F3:F4:F5 = anna  # Strap 42". The first of several that measure
/// the same counts while it is alive.
struct SensorsFile {
  struct Entry: Hashable, Encodable {
    let address: String
    /// The name of the workout to which its values go.
    let workout: String
    /// What the sensor calls itself.
    var name: String?
  }

  /// All lines, those of remarks as well.
  private var lines: [String] = []
  private(set) var entries: [Entry] = []

  private static let maxCount = 16

  /// A file that is not there has no sensors.
  static func read(_ path: String) throws(Complaint) -> SensorsFile {
    var file = SensorsFile()
    guard access(path, F_OK) == 0 || errno != ENOENT else { return file }
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileBytes.contents(ofFile: path, expected: "a list of sensors")
    } catch {
      throw .failed(error.description)
    }
    try file.parse(String(decoding: bytes, as: UTF8.self), path)
    return file
  }

  mutating func parse(_ text: String, _ path: String) throws(Complaint) {
    // Those of Windows as well, whose two characters are one.
    lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(String.init)
    if lines.last == "" { lines.removeLast() }
    for (index, line) in lines.enumerated() {
      let parts = line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let rule = parts[0].trimmed
      if rule.isEmpty { continue }
      func fault(_ what: String, _ expected: String) -> Complaint {
        .failed("\(path):\(index + 1): \(what), expected \(expected)")
      }
      let sides = rule.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map { String($0.trimmed) }
      guard sides.count == 2, let address = Self.address(sides[0]) else {
        throw fault(
          "\"\(rule.prefix(60))\"", "an address and a workout, such as C0:F1:F2:F3:F4:F5 = anna")
      }
      guard NameRule.lane.allows(sides[1]) else {
        throw fault("the workout \"\(sides[1].prefix(60))\"", NameRule.lane.expected.text)
      }
      guard !entries.contains(where: { $0.address == address }) else {
        throw fault("\(address) twice", "each sensor once")
      }
      guard entries.count < Self.maxCount else {
        throw fault("more sensors", "at most \(Self.maxCount)")
      }
      let name = parts.count > 1 ? String(parts[1].trimmed) : nil
      entries.append(
        Entry(address: address, workout: sides[1], name: name?.isEmpty == true ? nil : name))
    }
  }

  /// In capitals; nil for what is none.
  static func address(_ text: String) -> String? {
    let bytes = text.split(separator: ":", omittingEmptySubsequences: false)
    guard bytes.count == 6,
      bytes.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isHexDigit) && $0.utf8.count == 2 })
    else {
      return nil
    }
    return text.uppercased()
  }

  /// Adds a sensor behind the others; one that is there goes to another workout.
  mutating func add(_ entry: Entry) throws(Complaint) {
    var entry = entry
    entry.name = entry.name ?? entries.first { $0.address == entry.address }?.name
    remove(entry.address)
    guard entries.count < Self.maxCount else {
      throw .failed(
        "more than \(Self.maxCount) sensors; take one away with: cuecoach-sense unpair")
    }
    entries.append(entry)
    let name = entry.name.map { "  # " + $0 } ?? ""
    lines.append("\(entry.address) = \(entry.workout)\(name)")
  }

  /// False where it is not there.
  @discardableResult
  mutating func remove(_ address: String) -> Bool {
    let count = entries.count
    entries.removeAll { $0.address == address }
    lines.removeAll {
      $0.split(separator: "=").first.map { Self.address(String($0.trimmed)) == address } ?? false
    }
    return entries.count < count
  }

  /// What root writes is for the service too.
  private static func share(_ file: AtomicFile) -> Bool {
    guard geteuid() == 0, let group = getgrnam("cuecoach-sense") else { return true }
    return fchown(file.descriptor, 0, group.pointee.gr_gid) == 0
      && fchmod(file.descriptor, 0o640) == 0
  }

  /// Where the list is to which the path may be a link: there it stays.
  static func target(of path: String) -> String {
    guard let place = realpath(path, nil) else { return path }
    defer { free(place) }
    return String(cString: place)
  }

  func write(_ path: String) throws(Complaint) {
    let target = Self.target(of: path)
    AtomicFile.makeFolders(for: target, mode: 0o755)
    let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
    guard let file = AtomicFile(target), file.write(bytes), Self.share(file), file.commit() else {
      throw .failed("\(path) cannot be written: \(String(cString: strerror(errno)))")
    }
  }
}
