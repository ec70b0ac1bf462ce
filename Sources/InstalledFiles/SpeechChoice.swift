import CueEngine
import CueSound
import IntervalTimeline
import Presets

/// How workouts are announced. What was requested for the run overrides the preset, which overrides
/// the configuration.
struct SpeechChoice {
  var requested: AnnouncementStyle
  private let installation: Installation
  private var configuration: Configuration { installation.configuration }

  init(_ requested: AnnouncementStyle, _ installation: Installation) {
    self.requested = requested
    self.installation = installation
  }

  /// The style of `workout`. What was requested must exist; anything else that is missing is left out
  /// with a warning.
  func style(of workout: Workout, warn: (Sentence) -> Void) throws(InstallationError) -> LaneStyle {
    let style = workout.style
    var phrases = try phrases(of: workout, warn: warn)
    var preset = style.voice
    var configured = configuration.speech
    if configuration.speechServer != nil {
      // A name may have a colon of its own.
      let engine = SpeechVoice(name: configured.name).engine
      if !Configuration.engineNames.contains(engine ?? "") {
        configured.name = "\(Configuration.speechServerName):\(configured.name ?? "")"
      }
    }
    // A voice belongs to the language it was chosen for: in another language it does not count.
    let usualLanguage =
      style.language ?? configuration.language ?? Catalogues.defaultLanguage
    if let language = requested.language, language != usualLanguage {
      (preset.name, preset.variant) = (nil, nil)
    }
    let spoken = requested.language ?? usualLanguage
    if spoken == configuration.language ?? Catalogues.defaultLanguage {
      phrases.phrases.merge(configuration.phrases) { $1 }
    } else {
      if !knowsLanguages(configured) { configured.name = nil }
      configured.variant = nil
    }
    phrases.phrases.merge(
      style.phrases.mapValues { Phrase($0.wordings.map(phrases.translated)) }
    ) { $1 }
    let hasOwnDensity = style.density != nil || !style.densities.isEmpty
    var lane = LaneStyle(
      voice: try installation.voices.voice(
        requested: requested.voice, preset: preset, configured: configured,
        catalogueVoice: phrases.voice, language: spoken, warn: warn),
      phrases: phrases,
      density: requested.density ?? style.density
        ?? (hasOwnDensity ? .normal : configuration.density ?? .normal),
      densities: requested.density == nil ? style.densities : [:],
      countdown: requested.countdown ?? style.countdown ?? configuration.countdown,
      acknowledged: requested.acknowledge ?? style.acknowledge ?? configuration.acknowledge
        ?? Set(Acknowledgement.allCases))
    if requested.countdown == nil { lane.countdowns = style.countdowns ?? [:] }
    return lane
  }

  /// Whether the voice's engine says which languages it speaks: it is asked for in each then, and refuses the others.
  private func knowsLanguages(_ voice: VoiceSettings) -> Bool {
    switch SpeechVoice(name: voice.name).engine {
    case nil: false
    case Configuration.speechServerName: configuration.speechServer?.languages != nil
    default: true
    }
  }

  /// The sounds of `workout`.
  func sounds(of workout: Workout, warn: (Sentence) -> Void) throws(InstallationError) -> SoundPack
  {
    let library = installation.sounds
    if let sounds = requested.sounds { return try library.read(named: sounds, report: warn) }
    guard let name = workout.style.sounds ?? configuration.sounds else {
      return library.read(report: warn)
    }
    do throws(InstallationError) {
      return try library.read(named: name, report: warn)
    } catch {
      warn("\(error); the default sounds are played")
      return library.read(report: warn)
    }
  }

  /// The catalogue of the workout's language, without the workout's own phrases.
  func phrases(
    of workout: Workout, warn: (Sentence) -> Void
  ) throws(InstallationError) -> PhraseCatalogue {
    let catalogues = installation.catalogues
    let list = catalogues.languages.joined(separator: ", ")
    if let language = requested.language {
      if let catalogue = try catalogues.load(language) { return catalogue }
      throw InstallationError(
        .language,
        "there is no language \"\(language.singleLine)\"; there are \(list)")
    }
    if let language = workout.style.language ?? configuration.language {
      if let catalogue = try catalogues.load(language) { return catalogue }
      warn(
        "there is no language \"\(language.singleLine)\", so English is spoken; there are \(list)")
    }
    return try catalogues.load(Catalogues.defaultLanguage) ?? .english
  }
}
