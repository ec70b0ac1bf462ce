import FoundationEssentials

/// The folders of the program's files and of the user's. A folder that is nil or missing counts as
/// empty.
public struct InstalledFolders: Hashable, Sendable {
  /// A folder of presets that take precedence over all others. May be relative.
  public var nearPresets: String?
  /// Holds `Sounds` (packs, and catalogues in `phrases`), `Presets` and `Voices`.
  public var data: String?
  /// Holds the user's own files: `config.yaml`, `presets`, `sounds`, `voices` and `phrases`.
  public var configuration: String?
  /// Holds sessions, the history, `presets` of the page and the measured drift of sound cards.
  public var state: String?
  /// Holds rendered words.
  public var cache: String?
  /// Holds files that last until the machine is shut down.
  public var runtime: String?

  /// The paths are taken as they are; none has to exist.
  public init(
    nearPresets: String? = nil, data: String? = nil, configuration: String? = nil,
    state: String? = nil, cache: String? = nil, runtime: String? = nil
  ) {
    self.nearPresets = nearPresets
    self.data = data
    self.configuration = configuration
    self.state = state
    self.cache = cache
    self.runtime = runtime
  }

  /// `config.yaml` in `configuration`, whether it exists or not; nil without such a folder.
  package var configurationFile: String? { configuration.map { "\($0)/config.yaml" } }

  /// The user's own presets; nil without `configuration`.
  package var ownPresets: String? { configuration.map { "\($0)/presets" } }

  /// The presets that people have made on the page; nil without `state`.
  package var surfacePresets: String? { state.map { "\($0)/presets" } }

  /// In the order of precedence.
  var presets: [String] {
    [nearPresets, surfacePresets, ownPresets, data.map { "\($0)/Presets" }]
      .compactMap { $0 }
  }

  /// In the order of precedence.
  var sounds: [String] {
    [configuration.map { "\($0)/sounds" }, data.map { "\($0)/Sounds" }].compactMap { $0 }
  }

  /// Packs of recorded voices, in the order of precedence.
  package var voices: [String] {
    [ownVoices, data.map { "\($0)/Voices" }].compactMap { $0 }
  }

  /// The user's own packs; nil without `configuration`.
  package var ownVoices: String? { configuration.map { "\($0)/voices" } }

  package static func isFolder(_ path: String) -> Bool {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
  }
}
