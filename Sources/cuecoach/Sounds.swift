import CueEngine
import CueSound
import EspeakSpeech
import SoundFiles
import WorkoutFiles

/// The sounds and the voice of a run, from the installed files and libraries.
enum Sounds {
  static let rate = 48_000

  /// The default pack.
  static func pack(warn: (String) -> Void) -> SoundPack {
    // Without a name nothing can be unknown.
    (try? pack(name: nil, warn: warn)) ?? SoundPack(rate: rate)
  }

  /// The pack of that name or in that folder (with a "/"); nil for the default. What it lacks
  /// comes from the default pack, and then from the built-in sounds. A damaged file is told and
  /// replaced too: a beep of another colour beats no beep.
  static func pack(name: String?, warn: (String) -> Void) throws(UserError) -> SoundPack {
    let standard = SoundFolder.folders(of: SoundFolder.standardName)
    let folders = try name.map { name throws(UserError) in [try SoundFolder.find(name)] + standard }
    var clips: [SoundMeaning: PCMClip] = [:]
    var read: Set<String> = []
    for folder in folders ?? standard {
      for (meaning, path) in folder.files where clips[meaning] == nil && read.insert(path).inserted
      {
        do throws(SoundFileError) {
          clips[meaning] = try SoundFile.read(path, rate: rate)
        } catch {
          warn("\(path.singleLine) is not used: \(error.detail.singleLine)")
        }
      }
    }
    return SoundPack(rate: rate, replacing: clips)
  }

  /// The speech, or nil with a warning where there is no speech engine.
  static func speech(lanes: Int = 1, warn: (String) -> Void) -> SpeechLibrary? {
    let synthesizer = EspeakSynthesizer()
    do throws(SpeechError) {
      try synthesizer.check(EspeakSynthesizer.defaultVoice)
    } catch {
      warn("nothing will be spoken: \(error.detail.singleLine); is espeak-ng-data installed?")
      return nil
    }
    return SpeechLibrary(
      synthesizer, converter: SampleRateLibrary(), rate: rate, capacity: lanes << 18)
  }

  /// The voice to use: the one of the option, which must exist, else the one of the preset, which
  /// is passed over with a warning where it is not installed.
  static func voice(
    option: String?, preset: String?, warn: (String) -> Void
  ) throws(UserError) -> String? {
    let synthesizer = EspeakSynthesizer()
    if let option {
      do throws(SpeechError) {
        try synthesizer.check(option)
        return option
      } catch {
        if error.kind == .unavailable { return nil }
        throw .usage("\(error.detail.singleLine); \(nearest(to: option, synthesizer))")
      }
    }
    guard let preset else { return nil }
    do throws(SpeechError) {
      try synthesizer.check(preset)
      return preset
    } catch {
      // Without an engine nothing speaks at all, which is told once and elsewhere.
      if error.kind == .unavailable { return nil }
      warn(
        "\(error.detail.singleLine), the default voice speaks; \(nearest(to: preset, synthesizer))")
      return EspeakSynthesizer.defaultVoice
    }
  }

  private static func nearest(to voice: String, _ synthesizer: EspeakSynthesizer) -> String {
    let languages = (try? synthesizer.voices().map(\.language)) ?? []
    let near = Nearest.names(to: voice, among: Array(Set(languages)), atMost: 3)
    return near.isEmpty
      ? "cuecoach voices lists them" : "the nearest are \(near.joined(separator: ", "))"
  }
}
