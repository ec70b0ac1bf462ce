import Foundation

/// The presets in the repository's folder.
package enum ShippedPresets {
  package static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Presets")

  /// Their paths in the folder.
  package static func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".yaml") }.sorted()
  }

  package static func path(_ file: String) -> String { folder.appendingPathComponent(file).path }
}
