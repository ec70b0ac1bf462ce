import Foundation

/// The files of the repository.
package enum SourceTree {
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  package static func url(_ name: String) -> URL { root.appendingPathComponent(name) }

  package static func path(_ name: String) -> String { url(name).path }

  package static func text(_ name: String) throws -> String {
    try String(contentsOf: url(name), encoding: .utf8)
  }
}

/// The presets in the repository's folder.
package enum ShippedPresets {
  package static let folder = SourceTree.url("Presets")

  /// Their paths in the folder.
  package static func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".yaml") }.sorted()
  }

  package static func path(_ file: String) -> String { folder.appendingPathComponent(file).path }
}
