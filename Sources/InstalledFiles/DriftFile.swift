import CueSound
import FoundationEssentials
import Glibc
import SystemIO

/// The measured drift of the sound cards' clocks, kept between runs: a line for each card with its
/// drift in parts per million and its name, the latest first.
///
/// It is optional: a file that cannot be read counts as empty, and a drift that cannot be written is lost.
package struct DriftFile: Sendable {
  /// The most cards that are remembered: 100.
  package static let maxCount = 100
  /// No crystal is off by more: 300 parts per million.
  package static let maxDrift = 300.0
  /// The most bytes that are read: far more than so many lines need.
  private static let maxSize = 64 * 1024

  private struct Line {
    let drift: Double
    let card: String

    /// Nil for a line that is damaged or absurd.
    init?(_ text: some StringProtocol) {
      let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      // The comparison is false for NaN.
      guard parts.count == 2, let drift = Double(parts[0]),
        drift.magnitude <= DriftFile.maxDrift, !parts[1].isEmpty
      else { return nil }
      self.drift = drift
      card = String(parts[1])
    }
  }

  private let path: String

  /// - Parameter folder: created if it is missing.
  package init(in folder: String) { path = "\(folder)/card-clocks" }

  /// A memory that keeps the drift in `folder`; nil: nowhere.
  package static func memory(in folder: String?) -> DriftMemory {
    guard let folder else { return .none }
    let file = DriftFile(in: folder)
    return DriftMemory(
      recall: { file.drift(of: $0) }, keep: { file.keep($1, of: $0) })
  }

  /// The drift of a card, in parts per million; nil for one that is not in the file. Blocks on the disk.
  package func drift(of card: String) -> Double? {
    lines().first { $0.card == card.singleLine }?.drift
  }

  /// Keeps the drift of a card, in parts per million, as the latest. One above `maxDrift` is ignored.
  /// Blocks on the disk.
  package func keep(_ drift: Double, of card: String) {
    guard let line = Line("\(drift) \(card.singleLine)") else { return }
    let others = lines().filter { $0.card != line.card }
    let text = ([line] + others).prefix(Self.maxCount).map { "\($0.drift) \($0.card)\n" }
    let file = URL(fileURLWithPath: path)
    try? FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    guard let new = AtomicFile(path, mode: 0o666) else { return }
    if new.write(text.joined().utf8) { _ = new.commit() }
  }

  /// The valid lines. A file that was edited may have several for a card: the first counts.
  private func lines() -> [Line] {
    var info = stat()
    // A pipe under that name must not hold up the sound.
    guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG,
      info.st_size <= Self.maxSize, let data = FileManager.default.contents(atPath: path)
    else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { Line($0) }
  }
}
