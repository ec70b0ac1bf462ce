import CueSound
import IntervalTimeline
import Presets

/// Selects the voice of a workout among those that exist.
package struct VoiceSelection: Sendable {
  /// Words a minute. With the English catalogue's voice, a speech recogniser understands every number at
  /// this rate (`make listen`).
  package static let defaultRate = 150

  private let voices: (any VoiceList)?

  /// - Parameter voices: those that exist; nil without speech, when every voice is accepted.
  package init(among voices: (any VoiceList)?) { self.voices = voices }

  /// The voice to use. A request overrides the preset, which overrides the configuration and the
  /// catalogue. A voice or variant that was requested must exist; another that does not is skipped
  /// with a warning.
  ///
  /// A voice of an engine has the voice that would speak without it as its stand-in, which speaks alone in a language that
  /// the engine has not.
  ///
  /// - Parameter language: in which is spoken; nil: in one that every voice has.
  package func voice(
    requested: VoiceSettings, preset: VoiceSettings = VoiceSettings(),
    configured: VoiceSettings = VoiceSettings(),
    catalogueVoice: String, language: String? = nil, warn: (Sentence) -> Void
  ) throws(InstallationError) -> SpeechVoice {
    let wishes = [requested, preset, configured, VoiceSettings(name: catalogueVoice)]
    let wish = requested.or(preset).or(configured)
    var voice = SpeechVoice(rate: wish.rate ?? Self.defaultRate)
    if let pitch = wish.pitch { voice.pitch = pitch }
    if let volume = wish.volume { voice.gain = Float(volume * volume) / 10_000 }

    var variants = wishes.enumerated().map { (place: $0, name: $1.variant) }
    var engineVoice: String?
    var refused: Set<String> = []
    for (place, wish) in wishes.enumerated() {
      let wished = Self.voice(named: wish.name)
      if let name = wish.name, wished.engine != nil {
        guard engineVoice == nil, !refused.contains(name) else { continue }
        guard try exists(wished, isRequired: place == 0, warn: warn) else {
          refused.insert(name)
          voice.refusal = voice.refusal ?? "not by \(name): there is no such voice"
          continue
        }
        if let language, let languages = voices?.languages(of: wished),
          !languages.contains(where: { Self.isSame($0, language) })
        {
          refused.insert(name)
          let known = languages.joined(separator: ", ")
          warn("\(name) speaks \(known) and not \(language), so another voice speaks")
          voice.refusal =
            voice.refusal ?? "not by \(name): it speaks \(known) and not \(language)"
        } else {
          engineVoice = name
        }
        continue
      }
      guard let name = wished.name,
        try exists(SpeechVoice(name: name), isRequired: place == 0, warn: warn)
      else { continue }
      voice.name = name
      if let variant = wished.variant { variants.append((place, variant)) }
      break
    }
    // A variant in a voice's name ranks with that voice, after a variant set beside it.
    for variant in variants.sorted(by: { $0.place < $1.place }) {
      guard let name = variant.name else { continue }
      let choice = SpeechVoice(name: voice.name, variant: name)
      if try exists(choice, isRequired: variant.place == 0, warn: warn) {
        voice.variant = name
        break
      }
    }
    if let engineVoice {
      voice.standIn = voice.name
      (voice.name, voice.refusal) = (engineVoice, nil)
    }
    return voice
  }

  /// Whether there is a voice of that name. True without a speech engine.
  package func has(_ name: String) -> Bool { fault(of: name) == nil }

  /// Why there is no voice of that name; nil where there is one.
  package func fault(of name: String) -> Sentence? {
    do throws(InstallationError) {
      _ = try exists(Self.voice(named: name), isRequired: true) { _ in }
      return nil
    } catch {
      return error.sentence
    }
  }

  /// The voice of that name. "en+f3" is a voice with a variant, which goes with it, unless an engine has it.
  private static func voice(named name: String?) -> SpeechVoice {
    let whole = SpeechVoice(name: name)
    let parts = name?.split(separator: "+", maxSplits: 1).map(String.init) ?? []
    guard whole.engine == nil, parts.count == 2 else { return whole }
    return SpeechVoice(name: parts[0], variant: parts[1])
  }

  /// Whether "en_US" or "en-gb" is the language "en".
  private static func isSame(_ one: String, _ other: String) -> Bool {
    func language(_ name: String) -> String { name.lowercased().prefix { $0.isLetter }.description }
    return language(one) == language(other)
  }

  /// Whether a voice exists. One that does not is an error if it is required, else a warning. True without
  /// a speech engine, whose absence is reported elsewhere.
  private func exists(
    _ voice: SpeechVoice, isRequired: Bool, warn: (Sentence) -> Void
  ) throws(InstallationError) -> Bool {
    guard let voices else { return true }
    do throws(SpeechError) {
      try voices.check(voice)
      return true
    } catch {
      let usual: Sentence =
        error.kind == .unknownVariant
        ? "there is no variant \"\(voice.variant ?? "")\""
        : "there is no voice \"\(voice.name ?? "")\""
      // An engine may know more.
      let detail =
        error.detail == usual.text ? usual : Sentence(verbatim: error.detail.singleLine)
      switch error.kind {
      case .unavailable: return true
      case .unknownVariant:
        let advice = Self.nearest(
          to: voice.variant ?? "", among: (try? voices.variants()) ?? [],
          list: "voices --variants")
        if isRequired { throw InstallationError(.voice, "\(detail); \(advice)") }
        warn("\(detail), so the voice speaks without one; \(advice)")
      default:
        let advice = Self.nearest(
          to: voice.name ?? "", among: (try? voices.languages()) ?? [], list: "voices")
        if isRequired { throw InstallationError(.voice, "\(detail); \(advice)") }
        warn("\(detail), so another voice speaks; \(advice)")
      }
      return false
    }
  }

  private static func nearest(to name: String, among names: [String], list: String) -> Sentence {
    var near = Nearest.names(to: name, among: names, atMost: 3)
    if near.isEmpty {
      // "de-de" is no typing mistake: German is meant.
      let language = name.lowercased().prefix { $0.isLetter }
      near = names.filter {
        $0.lowercased().prefix { $0.isLetter } == language && !language.isEmpty
      }
      // Any of the many voices of a program is not near.
      let isAny = SpeechVoice(name: name).engine != nil && near.count > 3
      near = isAny ? [] : Array(near.prefix(3))
    }
    switch near.count {
    case 0: return "cuecoach \(list) lists them"
    case 1: return "the nearest is \(near[0])"
    default: return "the nearest are \(near.joined(separator: ", "))"
    }
  }
}
