import CueSound
import FoundationEssentials
import Glibc

/// What was learned of the cards' clocks, kept between runs: a line for each card, its drift in
/// parts per million and its name, the card met last first.
///
/// Only a help: what cannot be read is nothing, and what cannot be written is not kept.
struct DriftFile {
  /// The most cards that are remembered.
  static let greatestCount = 100
  /// More than any crystal is off, parts per million.
  static let greatestDrift = 300.0
  /// Far more than so many lines need.
  private static let greatestSize = 64 * 1024

  private struct Line {
    let drift: Double
    let card: String

    /// Nil for a line that is damaged or absurd.
    init?(_ text: some StringProtocol) {
      let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      // What is no number has a magnitude that compares as false.
      guard parts.count == 2, let drift = Double(parts[0]),
        drift.magnitude <= DriftFile.greatestDrift, !parts[1].isEmpty
      else { return nil }
      self.drift = drift
      card = String(parts[1])
    }
  }

  private let path: String

  /// - Parameter folder: made where it is missing.
  init(in folder: String) { path = "\(folder)/card-clocks" }

  /// The file of this user; remembers nothing where there is no folder for it.
  static var memory: DriftMemory {
    guard let folder = Installation.state else { return .none }
    let file = DriftFile(in: folder)
    return DriftMemory(
      recall: { file.drift(of: $0) }, keep: { file.keep($1, of: $0) })
  }

  func drift(of card: String) -> Double? {
    lines().first { $0.card == card.singleLine }?.drift
  }

  func keep(_ drift: Double, of card: String) {
    guard let line = Line("\(drift) \(card.singleLine)") else { return }
    let others = lines().filter { $0.card != line.card }
    let text = ([line] + others).prefix(Self.greatestCount).map { "\($0.drift) \($0.card)\n" }
    let file = URL(fileURLWithPath: path)
    try? FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    // Renamed into place: whoever reads meanwhile finds the old file or the new one.
    try? Data(text.joined().utf8).write(to: file, options: .atomic)
  }

  /// Those that are whole; of several for one card the first.
  private func lines() -> [Line] {
    var info = stat()
    // A pipe under that name must not hold up the sound.
    guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG,
      info.st_size <= Self.greatestSize, let data = FileManager.default.contents(atPath: path)
    else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { Line($0) }
  }
}
