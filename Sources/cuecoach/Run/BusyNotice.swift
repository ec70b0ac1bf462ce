import IntervalTimeline
import Phrases

/// Messages about a machine that is too slow or too busy.
enum BusyNotice {
  static func xrun(_ phrases: PhraseCatalogue = .english) -> String {
    phrases.screen(.xrun)
  }

  static let all = [xrun(), DeviceAdvice.realtime()]
}
