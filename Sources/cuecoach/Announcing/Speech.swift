import CueEngine
import CueSound
import EspeakSpeech
import IntervalTimeline
import SoundFiles
import WorkoutFiles

/// The voice of a run, from what was asked for and what is installed.
enum Speech {
  /// Words a minute, as the English catalogue's voice is understood best: of the voices tried the
  /// one whose every number a recogniser understands (`make listen`).
  static let defaultRate = 150

  /// The words of `lanes` workouts, or nil with a warning where there is no speech engine.
  ///
  /// - Parameter isHeard: false where lengths alone matter.
  static func library(
    lanes: Int = 1, isHeard: Bool = true, warn: (String) -> Void
  ) -> SpeechLibrary? {
    let synthesizer = EspeakSynthesizer()
    do throws(SpeechError) {
      try synthesizer.check(EspeakSynthesizer.defaultVoice)
    } catch {
      warn("nothing will be spoken: \(error.detail.singleLine); is espeak-ng-data installed?")
      return nil
    }
    return SpeechLibrary(
      synthesizer, converter: SampleRateLibrary(.speech), rate: Sounds.rate, capacity: lanes << 19,
      cache: cache(of: synthesizer), isHeard: isHeard, level: { Loudness.gain(of: $0) })
  }

  /// Raised with every change to how words are trimmed, converted or levelled.
  private static let generation = 1

  /// What was rendered before on this machine; nil without a home.
  private static func cache(of synthesizer: EspeakSynthesizer) -> SpeechCacheFile? {
    guard let folder = Installation.cache, let identity = try? synthesizer.identity() else {
      return nil
    }
    let maker = "\(generation) \(Loudness.target) \(Loudness.greatestPeak) \(identity)"
    return SpeechCacheFile(folder: folder, maker: maker, rate: Sounds.rate)
  }

  /// The voice to use: what the option says before what the preset says, the configuration, and
  /// the catalogue.
  ///
  /// The option's voice and variant must exist; others that do not are passed over with a warning.
  static func voice(
    option: VoiceSettings, preset: VoiceSettings = VoiceSettings(),
    configured: VoiceSettings = VoiceSettings(),
    catalogueVoice: String, warn: (String) -> Void
  ) throws(UserError) -> SpeechVoice {
    let wishes = [option, preset, configured, VoiceSettings(name: catalogueVoice)]
    let wish = option.or(preset).or(configured)
    var voice = SpeechVoice(rate: wish.rate ?? defaultRate)
    if let pitch = wish.pitch { voice.pitch = pitch }
    if let volume = wish.volume { voice.gain = Float(volume * volume) / 10_000 }

    var variants = wishes.enumerated().map { (place: $0, name: $1.variant) }
    for (place, wish) in wishes.enumerated() {
      // "en+f3" is a voice with a variant, which goes with it.
      guard let parts = wish.name?.split(separator: "+", maxSplits: 1).map(String.init),
        let name = parts.first,
        try isThere(SpeechVoice(name: name), isMust: place == 0, warn: warn)
      else { continue }
      voice.name = name
      if parts.count > 1 { variants.append((place, parts[1])) }
      break
    }
    // What comes with a voice is chosen where the voice is, and gives way to one chosen there.
    for variant in variants.sorted(by: { $0.place < $1.place }) {
      guard let name = variant.name else { continue }
      let choice = SpeechVoice(name: voice.name, variant: name)
      if try isThere(choice, isMust: variant.place == 0, warn: warn) {
        voice.variant = name
        break
      }
    }
    return voice
  }

  /// Without an engine everything is, for nothing speaks at all, which is told once and elsewhere.
  private static func isThere(
    _ voice: SpeechVoice, isMust: Bool, warn: (String) -> Void
  ) throws(UserError) -> Bool {
    do throws(SpeechError) {
      try EspeakSynthesizer().check(voice)
      return true
    } catch {
      let detail = error.detail.singleLine
      switch error.kind {
      case .unavailable: return true
      case .unknownVariant:
        let advice = nearest(to: voice.variant ?? "", among: variants, list: "voices --variants")
        if isMust { throw .usage("\(detail); \(advice)") }
        warn("\(detail), so the voice speaks without one; \(advice)")
      default:
        let advice = nearest(to: voice.name ?? "", among: languages, list: "voices")
        if isMust { throw .usage("\(detail); \(advice)") }
        warn("\(detail), so another voice speaks; \(advice)")
      }
      return false
    }
  }

  private static var languages: [String] {
    Set((try? EspeakSynthesizer().voices().map(\.language)) ?? []).sorted()
  }

  private static var variants: [String] { (try? EspeakSynthesizer().variants()) ?? [] }

  private static func nearest(to name: String, among names: [String], list: String) -> String {
    var near = Nearest.names(to: name, among: names, atMost: 3)
    if near.isEmpty {
      // "de-de" is no slip of the fingers, and German is meant.
      let language = name.lowercased().prefix { $0.isLetter }
      near = Array(
        names.filter { $0.lowercased().prefix { $0.isLetter } == language && !language.isEmpty }
          .prefix(3))
    }
    switch near.count {
    case 0: return "cuecoach \(list) lists them"
    case 1: return "the nearest is \(near[0])"
    default: return "the nearest are \(near.joined(separator: ", "))"
    }
  }
}
