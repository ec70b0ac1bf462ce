import CueSound
import InstalledFiles
import Presets
import RecordedSpeech
import SoundFiles
import Speech
import Synchronization
import SystemIO
import WyomingSpeech

/// A program with voices that is installed or configured.
struct InstalledEngine: Sendable {
  /// What its voices' names begin with.
  let name: String
  let server: WyomingSynthesizer.Server
  /// Its voices; nil where only the program knows them.
  var voices: [String]?
  /// What they speak; nil for anything.
  var languages: [String]?
  /// The most bytes of its words on the disk.
  var cacheSize = 64 << 20

  /// Looked for once: the words of a program that runs know none that is installed later.
  private static let flite = program("cuecoach-voice-flite").map {
    InstalledEngine(
      name: Configuration.fliteName, server: .command([$0]), voices: ["awb", "rms", "slt"],
      languages: ["en"])
  }

  /// All of them.
  static func all(_ configuration: Configuration) -> [InstalledEngine] {
    var engines = flite.map { [$0] } ?? []
    if let server = configuration.speechServer {
      let place: WyomingSynthesizer.Server =
        switch server.place {
        case .command(let command): .command(command)
        case .socket(let path): .socket(path)
        }
      engines.append(
        InstalledEngine(
          name: Configuration.speechServerName, server: place, languages: server.languages,
          cacheSize: server.cacheSize))
    }
    return engines
  }

  /// Beside this program, else as PATH finds it.
  private static func program(_ name: String) -> String? {
    Programs.own.flatMap { Programs.path(of: "\(Folder.of($0))/\(name)") }
      ?? Programs.path(of: name)
  }

  /// For a library of words.
  ///
  /// - Parameters:
  ///   - folder: of its cache; nil where nothing is kept.
  ///   - maker: identifies how words are trimmed, converted and levelled.
  ///   - use: of its words.
  ///   - keepsNothing: gets a line where the cache cannot be written.
  func engine(
    cacheFolder folder: String?, maker: String, use: Use,
    keepsNothing: @escaping @Sendable (String) -> Void,
    report: @escaping WyomingSynthesizer.Report
  ) -> VoiceEngine {
    let synthesizer = WyomingSynthesizer(server, report: report)
    var limits = SpeechCacheFile.Limits()
    limits.size = cacheSize
    // A slow voice is worth more writing than a flash card is spared elsewhere.
    limits.written = use == .toPrepare ? cacheSize : cacheSize / 2
    let cache = folder.map { folder in
      // With the program's arguments: they may choose another voice or another speed.
      SpeechCacheFile(
        folder: folder, name: "speech-\(name)", limits: limits, settings: "\(maker) even \(server)",
        report: keepsNothing
      ) { use == .kept ? nil : try? synthesizer.identity() }
    }
    return VoiceEngine(name, use == .kept ? NoSpeech() : synthesizer, cache: cache).even { line in
      report(line, nil)
    }
  }

  /// What its words are wanted for.
  enum Use {
    case toHear
    /// They may fill the whole cache.
    case toPrepare
    /// Those on the disk alone: the program is not asked.
    case kept
  }

  private struct NoSpeech: SpeechSynthesizer {
    func fastestRate(of voice: SpeechVoice) -> Int { WyomingSynthesizer.maxRate }

    func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
      throw SpeechError(kind: .unavailable, detail: "it is not kept on the disk")
    }
  }
}

extension VoicePacks {
  /// For a library of words. It needs no cache: reading a word takes no longer.
  func engine(warn: @escaping @Sendable (String) -> Void) -> VoiceEngine {
    VoiceEngine(Self.engine, RecordedSynthesizer(self, report: warn)).even(warn)
  }
}

extension VoiceEngine {
  /// Its words are as loud as each other.
  ///
  /// - Parameter report: gets a line where it does not count.
  fileprivate func even(_ report: @escaping @Sendable (String) -> Void) -> VoiceEngine {
    var engine = self
    engine.level = { Loudness.evenGain(of: $0) }
    engine.report = report
    return engine
  }
}

/// What programs say of their voices, each asked but once.
final class AskedPrograms: Sendable {
  /// By the names of engines; nil of one that did not answer.
  private let known = Mutex<[String: [String]?]>([:])
  /// Whose user waits.
  private let context: CommandContext

  init(_ context: CommandContext) { self.context = context }

  /// Waits for the program; nil where it does not say, or lists none.
  func voices(of engine: InstalledEngine) -> [String]? {
    if let voices = known.withLock({ $0[engine.name] }) { return voices }
    let listed = context.patiently("waiting for \(engine.name)") {
      try? WyomingSynthesizer(engine.server).voices().map(\.name)
    }
    let voices = listed.flatMap { $0.isEmpty ? nil : $0 }
    known.withLock { $0[engine.name] = .some(voices) }
    return voices
  }

  /// Those of a program that has been asked.
  func knownVoices(of engine: InstalledEngine) -> [String]? {
    known.withLock { $0[engine.name] ?? nil }
  }
}

/// The voices of the usual synthesizer, of the engines and of recorded packs.
struct InstalledVoices: VoiceList {
  let usual: any VoiceList
  let engines: [InstalledEngine]
  let packs: VoicePacks
  /// Nil where no program is waited for: a voice that it lacks is then found when it is to speak.
  let asked: AskedPrograms?

  func check(_ voice: SpeechVoice) throws(SpeechError) {
    guard let prefix = voice.engine else { return try usual.check(voice) }
    if prefix == VoicePacks.engine { return try checkPack(voice) }
    guard let engine = engines.first(where: { $0.name == prefix }) else {
      let remedy =
        prefix == Configuration.fliteName
        ? "the package cuecoach-voice-flite, which is not installed"
        : "an engine \"\(prefix)\"; \"speech\" in config.yaml can name one"
      throw SpeechError(
        kind: .unknownVoice, detail: "the voice \"\(voice.name ?? "")\" needs \(remedy)")
    }
    guard let name = voice.withinEngine.name,
      let voices = engine.voices ?? asked?.voices(of: engine), !voices.contains(name)
    else { return }
    throw SpeechError(
      kind: .unknownVoice,
      detail: "\(prefix) \(WyomingSynthesizer.lack(of: name, among: Set(voices)))")
  }

  private func checkPack(_ voice: SpeechVoice) throws(SpeechError) {
    var fault: String?
    do throws(FileError) {
      if try packs.pack(named: voice.withinEngine.name ?? "") != nil { return }
    } catch {
      fault = "\(voice.name ?? ""): \(error)"
    }
    throw SpeechError(
      kind: .unknownVoice,
      detail: fault ?? "there is no recorded voice \"\(voice.name ?? "")\"")
  }

  func languages() throws(SpeechError) -> [String] {
    let others = engines.flatMap { engine in
      (engine.voices ?? asked?.knownVoices(of: engine) ?? []).map { "\(engine.name):\($0)" }
    }
    // A pack that cannot be read is not suggested.
    let usable = packs.names.filter { name in
      let pack: VoicePack?? = try? packs.pack(named: name)
      return pack.flatMap { $0 } != nil
    }
    return try usual.languages() + others + usable.map { "\(VoicePacks.engine):\($0)" }
  }

  func variants() throws(SpeechError) -> [String] { try usual.variants() }

  func languages(of voice: SpeechVoice) -> [String]? {
    if voice.engine == VoicePacks.engine, let name = voice.withinEngine.name {
      let pack: VoicePack? = try? packs.pack(named: name)
      return pack.map { [$0.manifest.language] }
    }
    return engines.first { $0.name == voice.engine }?.languages
  }
}
