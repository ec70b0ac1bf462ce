import Foundation

/// A C library for tests that the program or libasound loads by its path.
///
/// The Makefile's rule builds it, when its sources are newer: as a product of the package it would be
/// offered to everybody who depends on the package.
public enum LoadedLibrary: String, Sendable {
  case emulatedCard = "emulated-card"
  case allocationWatch = "allocation-watch"

  /// The library's path. Builds it once for the process.
  public func path() throws -> String {
    switch self {
    case .emulatedCard: try Self.builtCard.get()
    case .allocationWatch: try Self.builtWatch.get()
    }
  }

  private static let builtCard = Result { try LoadedLibrary.emulatedCard.build() }
  private static let builtWatch = Result { try LoadedLibrary.allocationWatch.build() }

  private func build() throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let target = ".build/\(rawValue).so"
    let make = Process()
    make.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    make.arguments = ["make", "--silent", "-C", root.path, target]
    // Not that of a make that runs the tests: it would be asked for its job server.
    make.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("MAKE") }
    try make.run()
    make.waitUntilExit()
    guard make.terminationStatus == 0 else { throw Failure(target: target) }
    return root.appendingPathComponent(target).path
  }

  public struct Failure: Error { public let target: String }
}
