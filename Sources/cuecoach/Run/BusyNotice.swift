import IntervalTimeline

/// Messages about a machine that is too slow or too busy.
enum BusyNotice {
  static func stumble(_ phrases: PhraseCatalogue = .english) -> String {
    phrases.screen(.xrun)
  }

  static let all = [stumble(), DeviceAdvice.realtime()]
}
