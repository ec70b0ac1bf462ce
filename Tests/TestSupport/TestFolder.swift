import Foundation

/// A folder of a test's own, which goes with the value.
public final class TestFolder: Sendable {
  public let folder: String

  public init() {
    folder =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("cuecoach-test-\(UUID().uuidString)").path
    // Where there is none, the test's own first use says so.
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { remove() }

  /// For a test that makes several, each of which goes where its scope ends.
  public func remove() { try? FileManager.default.removeItem(atPath: folder) }

  public func path(_ name: String) -> String { "\(folder)/\(name)" }

  public func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

  /// What is in it, in order.
  public var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }
  }

  public func data(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path(name)))
  }

  public func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  /// Makes a folder, with those around it. Returns its path.
  @discardableResult
  public func makeFolder(_ name: String) throws -> String {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: true)
    return path(name)
  }

  /// Makes a symbolic link.
  public func link(_ name: String, to destination: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: path(name), withDestinationPath: destination)
  }

  /// Writes a file, with its folders. Returns its path.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try write(Data(text.utf8), to: name)
  }

  @discardableResult
  public func write(_ data: Data, to name: String) throws -> String {
    let url = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
    return url.path
  }
}
