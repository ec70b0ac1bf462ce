import Foundation

/// Where the program's own files are.
enum Installation {
  /// The folder that holds Sounds/ and Presets/: beside the sources for a program that was built
  /// there, `share/cuecoach` beside `bin` for an installed one. Nil when neither is there.
  static let data: String? = {
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    guard let program else { return nil }
    var folder = URL(fileURLWithPath: program).deletingLastPathComponent()
    let installed = folder.deletingLastPathComponent().appendingPathComponent("share/cuecoach")
    if isData(installed.path) { return installed.path }
    for _ in 0..<5 {
      if isData(folder.path) { return folder.path }
      folder.deleteLastPathComponent()
    }
    return nil
  }()

  private static func isData(_ folder: String) -> Bool {
    ["Sounds", "Presets"].allSatisfy { isFolder("\(folder)/\($0)") }
  }

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  /// `$XDG_CONFIG_HOME/cuecoach`, or `~/.config/cuecoach`; nil without a home.
  static var configuration: String? {
    let environment = ProcessInfo.processInfo.environment
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      return "\(folder)/cuecoach"
    }
    return environment["HOME"].map { "\($0)/.config/cuecoach" }
  }
}
