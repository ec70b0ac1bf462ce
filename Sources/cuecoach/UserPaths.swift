import EspeakSpeech
import FoundationEssentials
import Glibc
import InstalledFiles
import RecordedSpeech
import SystemIO

/// Where the files of the program and of the user who runs it are, by its own path and its
/// environment.
enum UserPaths {
  static let folders = InstalledFolders(
    nearPresets: "Presets", data: data, configuration: folder("XDG_CONFIG_HOME", ".config"),
    state: state, cache: cache, runtime: runtime)

  /// What is there. Throws where the configuration has a mistake.
  ///
  /// - Parameters:
  ///   - remembersVoices: for a program that starts many workouts.
  ///   - asksPrograms: whether a voice of a program has to be one that the program lists. It is waited for.
  static func installation(
    remembersVoices: Bool = false, asksPrograms: Bool = false
  ) throws(InstallationError) -> Installation {
    try Installation(folders) { configuration in
      let voices = InstalledVoices(
        usual: EspeakSynthesizer(), engines: InstalledEngine.all(configuration),
        packs: .installed, asked: asksPrograms ? AskedPrograms() : nil)
      return remembersVoices ? KnownVoices(voices) : voices
    }
  }

  /// The folder that holds Sounds/ and Presets/: beside the sources for a program that was built
  /// there, `share/cuecoach` beside `bin` for an installed one. Nil when neither is there.
  private static var data: String? {
    Programs.homes.map(\.folder).first { folder in
      ["Sounds", "Presets"].allSatisfy { InstalledFolders.isFolder("\(folder)/\($0)") }
    }
  }

  /// `$STATE_DIRECTORY`, which systemd makes for a service; else `$XDG_STATE_HOME/cuecoach`, or
  /// `~/.local/state/cuecoach`; nil without a home.
  private static var state: String? {
    ofService("STATE_DIRECTORY") ?? folder("XDG_STATE_HOME", ".local/state")
  }

  /// `$CACHE_DIRECTORY`, which systemd makes for a service; else `$XDG_CACHE_HOME/cuecoach`, or
  /// `~/.cache/cuecoach`; nil without a home.
  private static var cache: String? {
    ofService("CACHE_DIRECTORY") ?? folder("XDG_CACHE_HOME", ".cache")
  }

  private static func ofService(_ variable: String) -> String? {
    // A service may have several, with colons between them.
    let given = ProcessInfo.processInfo.environment[variable]?.split(separator: ":").first
    return given.flatMap { $0.hasPrefix("/") ? String($0) : nil }
  }

  /// For what lives as long as the boot: `$XDG_RUNTIME_DIR/cuecoach`, or a folder of this user's in
  /// /dev/shm; nil without either.
  private static var runtime: String? {
    let given = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"]
    if let given, given.hasPrefix("/"), InstalledFolders.isFolder(given) {
      return "\(given)/cuecoach"
    }
    return InstalledFolders.isFolder("/dev/shm") ? "/dev/shm/cuecoach-\(getuid())" : nil
  }

  /// `$XDG_CONFIG_HOME/cuecoach`, say, or `~/.config/cuecoach`; nil without a home.
  private static func folder(_ variable: String, _ inHome: String) -> String? {
    let environment = ProcessInfo.processInfo.environment
    if let folder = environment[variable], folder.hasPrefix("/") { return "\(folder)/cuecoach" }
    return environment["HOME"].map { "\($0)/\(inHome)/cuecoach" }
  }
}
