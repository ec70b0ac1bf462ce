import Foundation
import TestSupport

/// An emulated sound card for one test, used through the real libasound.
final class Card: Sendable {
  /// The commands of the card's control file; see EmulatedCard.h.
  enum Order: String {
    case run, stall, unplug, busy, denied
    case xrun = "xrun 1"
    case hangInWrite = "hang-write"
    case hangInClose = "hang-close"
  }

  /// The ALSA device.
  let device: String
  private let space = TestFolder()

  /// - Parameter arguments: further arguments of the PCM, such as "PPM=80".
  init(_ order: Order = .run, arguments: String = "") throws {
    try Self.configure.get()
    device = "card:DIR=\(space.folder)" + (arguments.isEmpty ? "" : ",\(arguments)")
    try tell(order)
  }

  func tell(_ order: Order) throws { try space.write(order.rawValue, to: "control") }

  /// The number of frames heard.
  func heardCount() throws -> Int {
    let file = space.path("capture")
    guard space.has("capture") else { return 0 }
    let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
    return (size ?? 0) / 4
  }

  /// Everything heard, as one channel.
  func heard() throws -> [Int16] {
    guard space.has("capture") else { return [] }
    let data = try Data(contentsOf: URL(fileURLWithPath: space.path("capture")))
    return data.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count / 4 * 4, by: 4).map {
        Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: Int16.self))
      }
    }
  }

  /// When the first audible sample was heard, in nanoseconds of CLOCK_MONOTONIC; the card must have
  /// been started exactly once.
  func instantOfFirstSound() throws -> Int {
    let log = try String(contentsOfFile: space.path("log"), encoding: .utf8)
    let start = log.split(separator: "\n").first { $0.hasPrefix("start ") }
    let words = start?.split(separator: " ") ?? []
    guard words.count == 3, let begin = Int(words[1]),
      let frame = try heard().firstIndex(where: { $0 != 0 })
    else { throw CocoaError(.fileReadCorruptFile) }
    return begin + frame * 1_000_000_000 / 48_000
  }

  /// The events in the card's log: "open", "start", "unplug", …
  func log() throws -> [String] {
    try String(contentsOfFile: space.path("log"), encoding: .utf8)
      .split(separator: "\n").compactMap { $0.split(separator: " ").first.map(String.init) }
  }

  /// Configures libasound for the card, once for the process and before its first use.
  private static let configure = Result<Void, any Error> {
    let library = try LoadedLibrary.emulatedCard.path()
    let folder = FileManager.default.temporaryDirectory
    let text = try SourceTree.text("Tests/EmulatedCard/card.conf.in")
      .replacingOccurrences(of: "@LIB@", with: library)
      .replacingOccurrences(of: "@DIR@", with: folder.path)
    let file = folder.appendingPathComponent(
      "cuecoach-card-\(ProcessInfo.processInfo.processIdentifier).conf")
    try (text + "\npcm.nothing { type null }\n").write(to: file, atomically: true, encoding: .utf8)
    setenv("ALSA_CONFIG_PATH", file.path, 1)
  }
}
