import CueSound
import IntervalTimeline
import Phrases

extension Cue.Content {
  /// The sound that is heard; nil for words.
  var sound: SoundRole? {
    switch self {
    case .countdown: .count
    case .transition(.effort): .highBegins
    case .transition(.rest): .restBegins
    case .transition(.ease): .lowBegins
    case .transition(.change): .change
    case .transition(.setEnd): .setEnds
    case .transition(.finish): .finish
    case .signal(.pause): .paused
    case .signal: .resumed
    default: nil
    }
  }
}
