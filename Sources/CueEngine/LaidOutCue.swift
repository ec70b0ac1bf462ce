import CueSound
import IntervalTimeline

/// A cue whose parts have their clips and their instants.
struct LaidOutCue {
  struct Part {
    let text: String
    let due: BootInstant
    let clip: PCMClip
    var isSpeech = false
    /// Heard on its instant or not at all.
    var isTimed = false
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

  /// `reason` is told behind what has been told of it already.
  mutating func shorten(_ reason: String) {
    outcome = .shortened
    self.reason = [self.reason, reason].compactMap { $0 }.joined(separator: ", ")
  }

  mutating func drop(_ reason: String) {
    outcome = .dropped
    self.reason = reason
    parts = []
  }
}
