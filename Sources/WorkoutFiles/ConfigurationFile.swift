import FoundationEssentials
import Glibc
import IntervalTimeline

/// A user's settings, in YAML:
///
///     device: plughw:CARD=Headphones   # where the command names none
///     outputs:                         # by ALSA device, or by card
///       CARD=Headphones:
///         latency: 150                 # ms, -500 to 1000
///         keep-alive: dither           # off | silence | dither
///         warm-up: 2                   # s, 0 to 30
///         volume: 80                   # the highest, 0 to 100
///     speech: {language: de, voice: de, variant: f3, rate: 180, pitch: 50, volume: 100}
///     sounds: gym
///     density: full                    # quiet | counts | normal | full
///     countdown: 5                     # the seconds counted down to a boundary, 1 to 10
///     acknowledge: pause, resume       # pause, resume, next, back; or all or none
///     phrases: {halfway: Half of it}   # what is said instead of the catalogue's wordings
///     athletes:                        # by lane; default: all others
///       default: {ftp: 250, max-heart-rate: 186, threshold-pace: 4:30/km}
///     sessions:
///       resume: hold                   # ask | continue | hold | discard
///       greatest-age: 12h              # older ones are not resumed; at most 24h
///       sleep: pause                   # pause | go-on
///       inhibit: on                    # on | off
///
/// All of it is optional.
public enum ConfigurationFile {
  private static let keys = [
    "device", "outputs", "speech", "sounds", "density", "countdown", "acknowledge", "phrases",
    "athletes", "sessions",
  ]

  /// Reads the file at `path`, of at most 1 MB. A missing file sets nothing. Blocks only on the
  /// disk. A pipe, a device, or a file that this user may not read is an error.
  public static func read(path: String) throws(FileError) -> Configuration {
    guard exists(path) else { return Configuration() }
    do throws(FileFault) {
      return try configuration(
        FileBytes.contents(ofFile: path, expected: "a configuration file"))
    } catch {
      throw FileError(error, file: path)
    }
  }

  private static func exists(_ path: String) -> Bool {
    var status = stat()
    // lstat, because a dangling link is an error.
    if lstat(path, &status) == 0 { return true }
    guard errno == EACCES else { return errno != ENOENT && errno != ENOTDIR }
    // A home that this user cannot enter, as with many services, has no settings for it.
    return lstat(URL(fileURLWithPath: path).deletingLastPathComponent().path, &status) == 0
  }

  /// Parses at most 1 MB of UTF-8; `file` names it in errors.
  public static func parse(_ bytes: [UInt8], file: String) throws(FileError) -> Configuration {
    do throws(FileFault) {
      return try configuration(bytes)
    } catch {
      throw FileError(error, file: file)
    }
  }

  private static func configuration(_ bytes: [UInt8]) throws(FileFault) -> Configuration {
    guard let root = try YamlTree.root(of: bytes) else { return Configuration() }
    guard let map = YamlMap(root) else {
      throw FileFault(
        line: root.line, "a configuration that is \(root.found)",
        expected: "one or more of \(keys.joined(separator: ", "))")
    }
    try map.checkKeys(keys, of: "the configuration")
    var configuration = Configuration(
      device: try map["device"]?.name(), outputs: try map["outputs"]?.outputs() ?? [:],
      sounds: try map["sounds"]?.folderName(), density: try map["density"]?.density(),
      acknowledge: try map["acknowledge"]?.acknowledgements())
    configuration.countdown = try map["countdown"]?.count(in: AnnouncementStyle.countdownRange)
    if let entry = map["phrases"] { configuration.phrases = try entry.phrases() }
    for entry in map["outputs"].flatMap({ YamlMap($0.value) })?.entries ?? [] {
      configuration.outputLines[entry.key] = entry.line
    }
    if let athletes = try map["athletes"]?.athletes() { configuration.athletes = athletes }
    if let sessions = try map["sessions"]?.sessions() { configuration.sessions = sessions }
    if let speech = try map["speech"]?.speech() {
      configuration.language = try speech["language"]?.language()
      configuration.speech = try speech.voiceSettings(volume: "volume")
    }
    return configuration
  }
}

extension YamlEntry {
  fileprivate func speech() throws(FileFault) -> YamlMap {
    let keys = ["language", "voice", "variant", "rate", "pitch", "volume"]
    guard let map = YamlMap(value), !map.entries.isEmpty else {
      throw fault(expected: "one or more of \(keys.joined(separator: ", "))")
    }
    try map.checkKeys(keys, of: "speech")
    return map
  }

  fileprivate func sessions() throws(FileFault) -> SessionSettings {
    let keys = ["resume", "greatest-age", "sleep", "inhibit"]
    guard let map = YamlMap(value), !map.entries.isEmpty else {
      throw fault(expected: "one or more of \(keys.joined(separator: ", "))")
    }
    try map.checkKeys(keys, of: "sessions")
    var settings = SessionSettings()
    let policy = try map["resume"]?.word("ask", "continue", "hold", "discard")
    settings.resume = policy.flatMap { ResumePolicy(rawValue: $0) }
    if let entry = map["greatest-age"], let age = try entry.fixedLength() {
      settings.maximumAge = age
    }
    settings.pausesForSleep = try map["sleep"]?.word("pause", "go-on") != "go-on"
    settings.inhibitsSleep = try map["inhibit"]?.word("on", "off") != "off"
    return settings
  }

  fileprivate func athletes() throws(FileFault) -> [String: Athlete] {
    guard let map = YamlMap(value), !map.entries.isEmpty else {
      throw fault(expected: "\(Configuration.defaultAthlete), or the names of lanes")
    }
    var athletes: [String: Athlete] = [:]
    for entry in map.entries {
      guard NameRule.lane.allows(entry.key) else {
        throw FileFault(
          line: entry.line, "the athlete \(quoted(entry.key))", expected: NameRule.lane.expected)
      }
      athletes[entry.key] = try entry.athlete()
    }
    return athletes
  }

  private func athlete() throws(FileFault) -> Athlete {
    let keys = ["ftp", "max-heart-rate", "threshold-pace"]
    guard let map = YamlMap(value), !map.entries.isEmpty else {
      throw FileFault(
        line: line, "the athlete \(quoted(key)) is \(value.found)",
        expected: "one or more of \(keys.joined(separator: ", "))")
    }
    try map.checkKeys(keys, of: "an athlete")
    let power = try map["ftp"]?.count(in: Athlete.thresholdPowers)
    let rate = try map["max-heart-rate"]?.count(in: Athlete.maximumHeartRates)
    var athlete = Athlete(
      thresholdPower: power.map(Double.init), maximumHeartRate: rate.map(Double.init))
    if let entry = map["threshold-pace"] {
      guard let pace = Athlete.pace(try entry.name(expected: Athlete.expectedPace)) else {
        throw entry.fault(expected: Athlete.expectedPace)
      }
      athlete.thresholdPace = pace
    }
    return athlete
  }

  fileprivate func outputs() throws(FileFault) -> [String: OutputSettings] {
    guard let map = YamlMap(value), !map.entries.isEmpty else {
      throw fault(expected: "devices or cards, each with what is set for it")
    }
    var outputs: [String: OutputSettings] = [:]
    for entry in map.entries {
      guard !entry.key.trimmed.isEmpty else {
        throw FileFault(
          line: entry.line, "an output without a name",
          expected: "an ALSA device or a card, such as CARD=Headphones")
      }
      outputs[entry.key] = try entry.output()
    }
    return outputs
  }

  private func output() throws(FileFault) -> OutputSettings {
    let keys = ["latency", "keep-alive", "warm-up", "volume"]
    guard let map = YamlMap(value), !map.entries.isEmpty else {
      throw FileFault(
        line: line, "the output \(quoted(key)) is \(value.found)",
        expected: "one or more of \(keys.joined(separator: ", "))")
    }
    try map.checkKeys(keys, of: "an output")
    let latency = try map["latency"]?.number(in: OutputSettings.latencies, of: "milliseconds")
    let warmUp = try map["warm-up"]?.number(in: OutputSettings.warmUps, of: "seconds")
    let word = try map["keep-alive"]?.word("off", "silence", "dither")
    return OutputSettings(
      latency: latency.map { .milliseconds($0) },
      keepAlive: word.flatMap { OutputSettings.KeepAlive(rawValue: $0) },
      warmUp: warmUp.map { .seconds($0) },
      volume: try map["volume"]?.count(in: OutputSettings.volumes))
  }
}
