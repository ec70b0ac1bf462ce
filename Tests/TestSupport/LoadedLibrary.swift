import Foundation

/// A C library for tests, which the program or libasound loads by path.
///
/// The Makefile builds it if its sources are newer. It is not a product of the package, so that
/// dependants do not see it.
package enum LoadedLibrary: String, Sendable {
  case emulatedCard = "emulated-card"
  case allocationWatch = "allocation-watch"

  /// The library's path. Builds it once for the process.
  package func path() throws -> String {
    switch self {
    case .emulatedCard: try Self.builtCard.get()
    case .allocationWatch: try Self.builtWatch.get()
    }
  }

  private static let builtCard = Result { try LoadedLibrary.emulatedCard.build() }
  private static let builtWatch = Result { try LoadedLibrary.allocationWatch.build() }

  private func build() throws -> String {
    let target = ".build/\(rawValue).so"
    // Without the job server of a make that runs the tests.
    let make = try shell(
      "env -u MAKEFLAGS -u MAKELEVEL -u MAKEOVERRIDES -u MFLAGS"
        + " make --silent -C \(SourceTree.root.path.shellWord) \(target)")
    guard make.code == 0 else { throw Failure(target: target) }
    return SourceTree.path(target)
  }

  package struct Failure: Error { public let target: String }
}
