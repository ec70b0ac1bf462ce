import Foundation

/// A folder for one test, in which the program runs and leaves its files. It goes with the value.
final class Workspace: Sendable {
  let folder: String

  init() {
    folder =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("cuecoach-command-\(UUID().uuidString)").path
    // Where there is none, the test's own first use says so.
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { remove() }

  /// For a test that makes several, each of which goes where its scope ends.
  func remove() { try? FileManager.default.removeItem(atPath: folder) }

  var program: Program { Program(in: folder) }

  /// Runs the program to its end.
  func run(_ arguments: String...) async throws -> Outcome { try await program.run(arguments) }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// Writes a file, with its folders. Returns its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try write(Data(text.utf8), to: name)
  }

  @discardableResult
  func write(_ data: Data, to name: String) throws -> String {
    let url = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
    return url.path
  }

  /// The file of a `--ledger`.
  static let ledgerName = "ledger.jsonl"

  /// The ledger so far.
  var ledger: Ledger { Ledger(of: FileManager.default.contents(atPath: path(Self.ledgerName))) }

  func recording(_ name: String) throws -> Recording {
    try Recording(Data(contentsOf: URL(fileURLWithPath: path(name))))
  }
}
