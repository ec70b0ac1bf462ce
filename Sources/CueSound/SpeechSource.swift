/// What is known of words.
package enum Spoken<Value: Sendable>: Sendable {
  case there(Value)
  /// They have not been rendered.
  case missing
  /// They cannot be spoken so.
  case impossible

  package var isMissing: Bool { if case .missing = self { true } else { false } }
}

/// Provides words: their lengths, and the clips themselves.
package protocol SpeechSource: Sendable {
  /// Whether those clips are ready and those lengths known. Returns at once.
  func isReady(_ texts: [String], lengthsOf others: [String], voice: SpeechVoice) -> Bool

  /// How long the words take.
  func length(of text: String, voice: SpeechVoice) -> Spoken<Duration>

  /// The words in at most `longest`, spoken faster if necessary; impossible if that would be too fast.
  func clip(
    _ text: String, voice: SpeechVoice, within longest: Duration
  ) -> Spoken<PCMClip>

  /// The voice of all numbers of a count: that of a stand-in where the voice itself cannot say each of them. The voice
  /// itself where a source has no engines.
  func countVoice(_ numbers: [String], _ voice: SpeechVoice) -> SpeechVoice

  /// Why another voice speaks a text; nil where the voice itself does.
  func reasonForStandIn(_ text: String, _ voice: SpeechVoice) -> String?
}

extension SpeechSource {
  package func countVoice(_ numbers: [String], _ voice: SpeechVoice) -> SpeechVoice { voice }
  package func reasonForStandIn(_ text: String, _ voice: SpeechVoice) -> String? { nil }
}

/// A text to be rendered.
package struct SpeechOrder: Hashable, Sendable {
  package enum Purpose: Hashable, Sendable {
    /// To know how long it takes.
    case length
    case clip
    /// To be said in at most this time, faster if necessary.
    case fitting(Duration)
  }

  package let text: String
  package let voice: SpeechVoice
  package let purpose: Purpose

  package init(text: String, voice: SpeechVoice, purpose: Purpose) {
    (self.text, self.voice, self.purpose) = (text, voice, purpose)
  }
}

/// How soon an announcement's words are to be rendered. The more urgent is the less.
package struct SpeechUrgency: Comparable, Sendable {
  /// However much there is of a later rank, an earlier one is rendered in time.
  package enum Rank: Int {
    /// Counts, which cannot be moved, and answers, which somebody waits for.
    case first
    /// The other words of the workouts.
    case planned
    /// Texts that clients send.
    case client
  }

  package var rank = Rank.planned
  /// When the announcement is to begin.
  package var by: BootInstant
  /// How long an engine may take before its stand-in speaks; nil: until it has spoken or failed.
  package var patience: Duration?

  package init(rank: Rank = .planned, by: BootInstant, patience: Duration? = nil) {
    (self.rank, self.by, self.patience) = (rank, by, patience)
  }

  package static func < (one: SpeechUrgency, other: SpeechUrgency) -> Bool {
    (one.rank.rawValue, one.by) < (other.rank.rawValue, other.by)
  }
}
