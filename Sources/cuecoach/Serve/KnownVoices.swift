import CueSound
import Synchronization

/// A list of voices that asks for each but once: to find one takes the speech engine some milliseconds, by
/// which the first sound of a start would come later.
final class KnownVoices: VoiceList {
  private struct Name: Hashable {
    let voice: String?
    let variant: String?
  }

  private let voices: any VoiceList
  /// Protects the names of voices that exist.
  private let known = Mutex<Set<Name>>([])

  init(_ voices: any VoiceList) { self.voices = voices }

  func check(_ voice: SpeechVoice) throws(SpeechError) {
    let name = Name(voice: voice.name, variant: voice.variant)
    guard !known.withLock({ $0.contains(name) }) else { return }
    try voices.check(voice)
    known.withLock { _ = $0.insert(name) }
  }

  func languages() throws(SpeechError) -> [String] { try voices.languages() }
  func variants() throws(SpeechError) -> [String] { try voices.variants() }
  func languages(of voice: SpeechVoice) -> [String]? { voices.languages(of: voice) }
}
