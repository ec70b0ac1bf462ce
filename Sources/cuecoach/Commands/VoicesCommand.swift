import ArgumentParser
import CueEngine
import CueSound
import EspeakSpeech
import InstalledFiles
import IntervalTimeline
import Presets
import RecordedSpeech
import WyomingSpeech

struct VoicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "voices",
    abstract: "List the voices that can speak, try them, have them prepared, or record one.",
    discussion: """
      A variant changes any voice of espeak-ng: --voice en-gb --variant f3. A voice with a colon is one of another \
      program: flite:slt, or wyoming:NAME of the server in config.yaml; or it is recorded: pack:NAME.

      Examples:
        cuecoach voices --variants
        cuecoach voices --try flite:slt en-gb
        cuecoach voices --prepare tabata norwegian-4x4 --voice flite:slt
        cuecoach voices --script en > takes/script.csv       what to record
        cuecoach voices --check takes                        what is wrong with the takes
        cuecoach voices --import takes --pack anna           the voice pack:anna
      """)

  @Argument(help: "The voices to try, or the presets to prepare or to record.")
  var names: [String] = []
  @Flag(help: "List the variants, which work with every voice of espeak-ng.") var variants = false
  @Flag(
    name: .customLong("try"),
    help:
      "Say a sentence and a count with each voice; without names, with the usual one, espeak-ng's, and those of other programs."
  )
  var tries = false
  @Flag(help: "Render the words of presets ahead, for a voice that is slow.") var prepare = false
  @OptionGroup var recording: RecordingOptions
  @Flag(help: "Print one JSON object per line.") var json = false
  @OptionGroup var output: OutputOptions
  @OptionGroup var speech: SpeechOptions

  func validate() throws {
    let modes = [
      variants, tries, prepare, recording.script != nil, recording.check != nil,
      recording.import != nil,
    ]
    if modes.count(where: { $0 }) > 1 {
      throw ValidationError(
        "--variants, --try, --prepare, --script, --check and --import exclude one another")
    }
    if !names.isEmpty, !tries, !prepare, recording.script == nil {
      throw ValidationError("\(names[0].singleLine): names go with --try, --prepare or --script")
    }
    if prepare, names.isEmpty { throw ValidationError("--prepare needs the names of presets") }
  }

  func run() throws {
    let installed = try context.installation(asksPrograms: tries || prepare)
    let engines = InstalledEngine.all(installed.configuration)
    if tries { return try tryVoices(installed, engines) }
    if prepare {
      return try VoicePreparation(names: names, style: speech.style(), installed: installed).run()
    }
    if let language = recording.script { return try printScript(in: language, installed) }
    if let folder = recording.check { return try checkTakes(in: folder) }
    if let folder = recording.import { return try importTakes(from: folder) }
    let synthesizer = EspeakSynthesizer()
    do throws(SpeechError) {
      guard !variants else {
        for variant in try synthesizer.variants() {
          var object = JSONObject()
          object.add("variant", variant)
          context.print(json ? object.text : variant)
        }
        return
      }
      for voice in try synthesizer.voices() {
        list(voice.language, name: voice.name, engine: "espeak-ng", languages: [voice.language])
      }
    } catch {
      throw UserError.failed("\(error.detail.singleLine); is espeak-ng-data installed?")
    }
    var isWhole = true
    for engine in engines {
      guard let voices = knownVoices(of: engine) else {
        isWhole = false
        continue
      }
      for voice in voices {
        list(
          "\(engine.name):\(voice.name)", name: nil, engine: engine.name,
          languages: voice.languages)
      }
    }
    for name in context.voicePacks.names {
      guard let pack = usablePack(name) else {
        isWhole = false
        continue
      }
      list(
        "\(VoicePacks.engine):\(name)".singleLine, name: pack.manifest.who,
        engine: VoicePacks.engine, languages: [pack.manifest.language],
        words:
          "recorded, \(pack.manifest.language), \(pack.manifest.who), \(pack.manifest.licence)")
    }
    for fault in installed.faultsOfOfferedVoices { context.complain(.file(fault.text)) }
    if !isWhole { throw ExitCode(1) }
  }

  /// Nil, with a line that says why, where it cannot be used.
  private func usablePack(_ name: String) -> VoicePack? {
    do throws(FileError) {
      return try context.voicePacks.pack(named: name)
    } catch {
      context.complain(.file(error.description))
      return nil
    }
  }

  /// As the program has them; nil, with a line that says why, where it does not answer. A name that cannot be typed is
  /// nobody's choice.
  private func knownVoices(of engine: InstalledEngine) -> [WyomingSynthesizer.Voice]? {
    do throws(SpeechError) {
      let server = WyomingSynthesizer(engine.server)
      let all = try context.patiently("waiting for \(engine.name)") { () throws(SpeechError) in
        try server.voices()
      }
      let voices = all.filter { NameRule.voice.allows($0.name) }.prefix(Self.mostVoices)
      if voices.count < all.count {
        context.complain(
          "\(all.count - voices.count) of \(all.count) voices of \(engine.name) are left out: their names are too "
            + "long or cannot be read, or they are too many")
      }
      return Array(voices)
    } catch {
      context.complain("the voices of \(engine.name) are not known: \(error.detail)")
      return nil
    }
  }

  /// Of one program.
  private static let mostVoices = 1000

  private func list(
    _ voice: String, name: String?, engine: String, languages: [String], words: String? = nil
  ) {
    var object = JSONObject()
    object.add("voice", voice)
    object.add("name", name)
    object.add("engine", engine)
    let languages = Array(languages.filter(NameRule.voice.allows).prefix(20))
    object.add("languages", languages)
    let words = words ?? name ?? "\(engine), \(languages.joined(separator: " "))"
    context.print(json ? object.text : "\(voice)  (\(words))".singleLine)
  }

  // MARK: To be heard

  private static let sentence = "Set 3 of 8. Next: Hard, 4 minutes."

  private func tryVoices(_ installed: Installation, _ engines: [InstalledEngine]) throws {
    context.patience = 1000
    let warn = { (message: String) in context.complain(message) }
    let test = SoundTest(try output.choice(installed.configuration, warn: warn))
    guard let library = SpeechEngine.library(installed.configuration, warn: warn) else {
      throw ExitCode(1)
    }
    var isWhole = true
    var voices: [String?] = names
    if voices.isEmpty {
      // The usual voice first; then espeak-ng's, if the usual one is another program's.
      voices = [nil]
      let usual = try installed.style(
        of: Workout(name: "", blocks: []), speech.style(), report: { _ in }
      ).voice
      if usual.engine != nil {
        voices.append(usual.ofStandIn.chosenName ?? EspeakSynthesizer.defaultVoice)
      }
      for engine in engines {
        let known = engine.voices ?? knownVoices(of: engine)?.map(\.name)
        isWhole = isWhole && known != nil
        voices += (known ?? []).map { "\(engine.name):\($0)" }
      }
      for name in context.voicePacks.names {
        let pack = usablePack(name)
        isWhole = isWhole && pack != nil
        if pack != nil { voices.append("\(VoicePacks.engine):\(name)") }
      }
      if usual.engine != nil { voices.removeAll { $0 == usual.name } }
    }
    for voice in voices {
      var style = try speech.style()
      if let voice { style.voice.name = voice }
      let lane = try installed.style(of: Workout(name: "", blocks: []), style) { warn($0.text) }
      let said = lane.voice.chosenName ?? EspeakSynthesizer.defaultVoice
      guard
        test.addCount(
          [Self.sentence, "3", "2", "1", "0"], name: "\(said)  (\(Self.sentence) 3, 2, 1, 0)",
          library,
          lane.voice)
      else {
        warn("the voice \(said) says nothing")
        isWhole = false
        continue
      }
    }
    let code = test.run()
    throw ExitCode(isWhole ? code : max(code, 1))
  }
}
