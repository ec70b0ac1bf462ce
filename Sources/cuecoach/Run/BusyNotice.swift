import IntervalTimeline

/// Messages about a machine that is too slow or too busy.
enum BusyNotice {
  static func stumble(_ phrases: PhraseCatalogue = .english) -> String {
    phrases.screen(.stumbled)
  }

  static let all = [stumble(), DeviceAdvice.realtime()]
}
