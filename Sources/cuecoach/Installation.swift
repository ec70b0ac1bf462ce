import FoundationEssentials
import Glibc

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
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder
  }

  /// `$XDG_CONFIG_HOME/cuecoach`, or `~/.config/cuecoach`; nil without a home.
  static var configuration: String? { folder("XDG_CONFIG_HOME", ".config") }

  /// `$STATE_DIRECTORY`, which systemd makes for a service; else `$XDG_STATE_HOME/cuecoach`, or
  /// `~/.local/state/cuecoach`; nil without a home.
  static var state: String? {
    ofService("STATE_DIRECTORY") ?? folder("XDG_STATE_HOME", ".local/state")
  }

  /// `$CACHE_DIRECTORY`, which systemd makes for a service; else `$XDG_CACHE_HOME/cuecoach`, or
  /// `~/.cache/cuecoach`; nil without a home.
  static var cache: String? {
    ofService("CACHE_DIRECTORY") ?? folder("XDG_CACHE_HOME", ".cache")
  }

  private static func ofService(_ variable: String) -> String? {
    // A service may have several, with colons between them.
    let given = ProcessInfo.processInfo.environment[variable]?.split(separator: ":").first
    return given.flatMap { $0.hasPrefix("/") ? String($0) : nil }
  }

  /// For what lives as long as the boot: `$XDG_RUNTIME_DIR/cuecoach`, or a folder of this user's in
  /// /dev/shm; nil without either.
  static var runtime: String? {
    let given = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"]
    if let given, given.hasPrefix("/"), isFolder(given) { return "\(given)/cuecoach" }
    return isFolder("/dev/shm") ? "/dev/shm/cuecoach-\(getuid())" : nil
  }

  private static func folder(_ variable: String, _ inHome: String) -> String? {
    let environment = ProcessInfo.processInfo.environment
    if let folder = environment[variable], folder.hasPrefix("/") { return "\(folder)/cuecoach" }
    return environment["HOME"].map { "\($0)/\(inHome)/cuecoach" }
  }
}
