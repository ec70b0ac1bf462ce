import CueSound
import IntervalTimeline

/// A cue whose parts have their clips and their instants.
struct LaidOutCue {
  struct Part {
    let text: String
    let due: BootInstant
    let clip: PCMClip
    var isSpeech = false
  }

  var text: String
  var parts: [Part] = []
  var outcome = LedgerEvent.Outcome.played
  /// Its words have not been rendered: nothing is decided.
  var isWaiting = false
  var reason: String?

  init(text: String) {
    self.text = text
  }

  mutating func shorten(_ reason: String) {
    outcome = .shortened
    self.reason = reason
  }

  mutating func drop(_ reason: String) {
    outcome = .dropped
    self.reason = reason
    parts = []
  }
}
