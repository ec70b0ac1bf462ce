import FoundationEssentials

/// The history as a file: a header, then one line of JSON for each entry.
///
/// Times and lengths are whole nanoseconds, so every figure survives a round trip. Keys are sorted:
/// equal histories give equal bytes. The format does not follow `HistoryEntry`, because `Duration`
/// encodes itself as two halves of 128 bits, which other programs misread.
package enum HistoryFile {
  /// The largest file that is read: 64 MB, some 150 000 sessions.
  package static let maximumSize = 64_000_000
  static let version = 1
  /// Far more than any workout has, and small enough that sums cannot overflow.
  static let maximumCount = 1_000_000_000

  private struct Header: Encodable {
    var cuecoach: String
    var version: Int
  }

  package static func bytes(of entries: [HistoryEntry]) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    func line(_ value: some Encodable) -> [UInt8] {
      guard let data = try? encoder.encode(value) else {
        fatalError("a \(type(of: value)) cannot be encoded")
      }
      return data + [UInt8(ascii: "\n")]
    }
    var bytes = line(Header(cuecoach: "history", version: version))
    for entry in entries { bytes += line(HistoryLine(entry)) }
    return bytes
  }

  /// Every entry of a file, in order. Duplicates with the same figures are returned twice.
  package static func entries(in bytes: [UInt8]) throws(HistoryFileError) -> [HistoryEntry] {
    guard let json = try? FlatJSON() else {
      throw HistoryFileError(line: 1, "unreadable", expected: "an SQLite with JSON")
    }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    try checkHeader(lines[0], json)
    var entries: [HistoryEntry] = []
    var places: [String: (line: Int, index: Int)] = [:]
    for (number, bytes) in zip(1..., lines).dropFirst() where !isBlank(bytes) {
      let entry = try HistoryLine.read(bytes, number: number, json).entry(number: number)
      if let place = places[entry.id] {
        guard entries[place.index] == entry else {
          throw HistoryFileError(
            line: number, "a session of line \(place.line) with other figures",
            expected: "each session once")
        }
      } else {
        places[entry.id] = (number, entries.count)
      }
      entries.append(entry)
    }
    return entries
  }

  private static func checkHeader(
    _ bytes: ArraySlice<UInt8>, _ json: FlatJSON
  ) throws(HistoryFileError) {
    guard let header = json.object(bytes), header["cuecoach"] == .text("history"),
      case .int(let version) = header["version"]
    else {
      throw HistoryFileError(
        line: 1, "no history", expected: "the first line that cuecoach export writes")
    }
    guard version == Self.version else {
      throw HistoryFileError(
        line: 1, "version \(version)",
        expected: "version \(Self.version), which this cuecoach reads")
    }
  }

  private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
    line.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }
  }
}

/// Why a file is not a history. The whole file is refused.
package struct HistoryFileError: Error, Hashable, Sendable {
  /// From 1.
  package let line: Int
  /// What is wrong; may quote the file.
  package let problem: String
  /// What was expected instead.
  package let expected: String

  init(line: Int, _ problem: String, expected: String) {
    self.line = line
    self.problem = problem
    self.expected = expected
  }
}
