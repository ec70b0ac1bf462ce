import EspeakSpeech
import Glibc
import InstalledFiles
import RecordedSpeech
import SystemIO

extension CommandContext {
  /// What is there. Throws where the configuration has a mistake.
  ///
  /// - Parameters:
  ///   - remembersVoices: for a program that starts many workouts.
  ///   - asksPrograms: whether a voice of a program has to be one that the program lists. It is waited for.
  func installation(
    remembersVoices: Bool = false, asksPrograms: Bool = false
  ) throws(InstallationError) -> Installation {
    try Installation(folders) { configuration in
      let voices = InstalledVoices(
        usual: EspeakSynthesizer(), engines: InstalledEngine.all(configuration),
        packs: voicePacks, asked: asksPrograms ? AskedPrograms(self) : nil)
      return remembersVoices ? KnownVoices(voices) : voices
    }
  }

  /// Those in the folders of this program and of its user.
  var voicePacks: VoicePacks { VoicePacks(in: folders.voices) }
}

/// Where the files of the program and of the user who runs it are, by its own path and an environment.
extension InstalledFolders {
  init(of environment: [String: String]) {
    /// `$XDG_CONFIG_HOME/cuecoach`, say, or `~/.config/cuecoach`; nil without a home.
    func folder(_ variable: String, _ inHome: String) -> String? {
      if let folder = environment[variable], folder.hasPrefix("/") { return "\(folder)/cuecoach" }
      return environment["HOME"].map { "\($0)/\(inHome)/cuecoach" }
    }
    /// What systemd makes for a service, which may have several, with colons between them.
    func ofService(_ variable: String) -> String? {
      let given = environment[variable]?.split(separator: ":").first
      return given.flatMap { $0.hasPrefix("/") ? String($0) : nil }
    }
    self.init(
      nearPresets: "Presets", data: Self.ownData,
      configuration: folder("XDG_CONFIG_HOME", ".config"),
      state: ofService("STATE_DIRECTORY") ?? folder("XDG_STATE_HOME", ".local/state"),
      cache: ofService("CACHE_DIRECTORY") ?? folder("XDG_CACHE_HOME", ".cache"),
      runtime: Self.ofBoot(environment["XDG_RUNTIME_DIR"]))
  }

  /// The folder that holds Sounds/ and Presets/: beside the sources for a program that was built
  /// there, `share/cuecoach` beside `bin` for an installed one. Nil when neither is there.
  private static var ownData: String? {
    Programs.homes.map(\.folder).first { folder in
      ["Sounds", "Presets"].allSatisfy { isFolder("\(folder)/\($0)") }
    }
  }

  /// For what lives as long as the boot: `$XDG_RUNTIME_DIR/cuecoach`, or a folder of this user's in
  /// /dev/shm; nil without either.
  private static func ofBoot(_ given: String?) -> String? {
    if let given, given.hasPrefix("/"), isFolder(given) { return "\(given)/cuecoach" }
    return isFolder("/dev/shm") ? "/dev/shm/cuecoach-\(getuid())" : nil
  }
}
