import CueSound
import IntervalTimeline
import Phrases

/// What is heard of a reading: a sound, words, or a sound that comes before the words.
struct CoachingPrompt: Equatable {
  let text: CoachingText
  private(set) var sound: SoundRole?
  /// Nil where the catalogue has no words for it.
  private(set) var message: Message?

  /// - Parameters:
  ///   - density: the phase's. In a quiet one a sound stands for a correction; where only counts are said, nothing but an
  ///     alarm is heard.
  ///   - hasAlarm: whether the athlete has a heart rate alarm. The loss of its sensor is then announced at every density.
  init(_ text: CoachingText, density: Density, hasAlarm: Bool, _ phrases: PhraseCatalogue) {
    self.text = text
    if text.isAlarm {
      sound = .alarm
    } else if density < .normal, !(hasAlarm && text.isOfHeartSensor) {
      if density == .quiet { sound = text.sound }
      return
    }
    guard !phrases.words(of: text).isEmpty else { return }
    message = Message(coaching: text, templates: text.wordings.map(phrases.template))
  }
}

extension CoachingText {
  /// The sensor of the heart rate is lost or back.
  fileprivate var isOfHeartSensor: Bool {
    switch self {
    case .lost(.heartRate), .back(.heartRate, _): true
    default: false
    }
  }

  /// What is heard in place of its words; nil where nothing is.
  fileprivate var sound: SoundRole? {
    switch self {
    case .low: .tooLow
    case .high: .tooHigh
    case .onTarget, .lost, .back, .value, .alarm: nil
    }
  }
}
