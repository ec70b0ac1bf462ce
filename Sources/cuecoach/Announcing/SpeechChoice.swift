import CueEngine
import CueSound
import IntervalTimeline
import WorkoutFiles

/// How workouts are announced: what the options say before what a preset and the configuration say.
struct SpeechChoice {
  let language: String?
  let voice: VoiceSettings
  let density: Density?
  let countdown: Int?
  let sounds: String?
  let acknowledged: Set<Acknowledgement>?
  let configuration: Configuration

  /// - Parameter style: what was chosen for the run.
  init(_ style: AnnouncementStyle, _ configuration: Configuration) {
    language = style.language
    voice = style.voice
    density = style.density
    countdown = style.countdown
    sounds = style.sounds
    acknowledged = style.acknowledge
    self.configuration = configuration
  }

  init(_ options: SpeechOptions, _ configuration: Configuration) throws(UserError) {
    self.init(try options.style(), configuration)
  }

  /// How `workout` is announced. What an option names must exist; what else does not is passed over
  /// with a warning.
  func style(of workout: Workout, warn: (String) -> Void) throws(UserError) -> LaneStyle {
    let style = workout.style
    var phrases = try phrases(of: workout, warn: warn)
    var preset = style.voice
    var configured = configuration.speech
    // A voice belongs to the language it was chosen for.
    let presetLanguage = style.language ?? configuration.language
    if let language, language != presetLanguage ?? Catalogues.defaultLanguage {
      (preset.name, preset.variant) = (nil, nil)
    }
    let spoken = language ?? presetLanguage ?? Catalogues.defaultLanguage
    if spoken == configuration.language ?? Catalogues.defaultLanguage {
      phrases.phrases.merge(configuration.phrases) { $1 }
    } else {
      (configured.name, configured.variant) = (nil, nil)
    }
    phrases.phrases.merge(style.phrases) { $1 }
    let hasOwnDensity = style.density != nil || !style.densities.isEmpty
    return LaneStyle(
      voice: try Speech.voice(
        option: voice, preset: preset, configured: configured, catalogueVoice: phrases.voice,
        warn: warn),
      phrases: phrases,
      density: density ?? style.density
        ?? (hasOwnDensity ? .normal : configuration.density ?? .normal),
      densities: density == nil ? style.densities : [:],
      countdown: countdown ?? style.countdown ?? configuration.countdown,
      acknowledged: acknowledged ?? style.acknowledge ?? configuration.acknowledge
        ?? Set(Acknowledgement.allCases))
  }

  /// The sounds of `workout`.
  func sounds(of workout: Workout, warn: (String) -> Void) throws(UserError) -> SoundPack {
    if let sounds { return try Sounds.pack(name: sounds, warn: warn) }
    guard let name = workout.style.sounds ?? configuration.sounds else {
      return Sounds.pack(warn: warn)
    }
    do throws(UserError) {
      return try Sounds.pack(name: name, warn: warn)
    } catch {
      warn("\(error.message); the default sounds are played")
      return Sounds.pack(warn: warn)
    }
  }

  /// The catalogue of the language in which `workout` is announced, before its own phrases.
  func phrases(
    of workout: Workout, warn: (String) -> Void
  ) throws(UserError) -> PhraseCatalogue {
    let known = Catalogues.languages
    if let language {
      if let catalogue = try Catalogues.load(language) { return catalogue }
      throw .usage(
        "there is no language \"\(language.singleLine)\"; there are \(known.joined(separator: ", "))"
      )
    }
    if let language = workout.style.language ?? configuration.language {
      if let catalogue = try Catalogues.load(language) { return catalogue }
      warn(
        "there is no language \"\(language.singleLine)\", so English is spoken; there are "
          + known.joined(separator: ", "))
    }
    return try Catalogues.load(Catalogues.defaultLanguage) ?? .english
  }
}
