import Foundation
import TestSupport

/// A folder for one test, in which the program runs and leaves its files.
typealias Workspace = TestFolder

extension Workspace {
  var program: Program { Program(in: folder) }

  /// Runs the program to its end.
  func run(_ arguments: String...) async throws -> Outcome { try await program.run(arguments) }

  /// The file of a `--ledger`.
  static let ledgerName = "ledger.jsonl"

  /// The ledger so far.
  var ledger: Ledger { Ledger(of: FileManager.default.contents(atPath: path(Self.ledgerName))) }

  func recording(_ name: String) throws -> Recording {
    try Recording(Data(contentsOf: URL(fileURLWithPath: path(name))))
  }
}
