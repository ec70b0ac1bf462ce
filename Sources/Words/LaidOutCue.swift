import CueSound
import IntervalTimeline

/// A cue whose parts have their clips and their instants.
package struct LaidOutCue: Equatable, Sendable {
  package struct Part: Sendable {
    package let text: String
    package let due: BootInstant
    package let clip: PCMClip
    package var isSpeech: Bool
    /// Heard on its instant or not at all.
    package var isTimed: Bool

    package init(
      text: String, due: BootInstant, clip: PCMClip, isSpeech: Bool = false, isTimed: Bool = false
    ) {
      (self.text, self.due, self.clip) = (text, due, clip)
      (self.isSpeech, self.isTimed) = (isSpeech, isTimed)
    }
  }

  package var text: String
  package var parts: [Part] = []
  package var outcome = CueOutcome.played
  /// Its words that have to be rendered first; nothing is decided while there are any.
  var missing: [SpeechOrder] = []
  package var reason: String?
  /// When its words should have begun, where they were free to; nil: at the cue's instant. Of a count, when it was
  /// first to begin; nil: when it begins.
  package var planned: BootInstant?
  /// Who says its words, each once, where a voice of an engine has been chosen.
  package var voices: [String] = []

  package init(text: String) {
    self.text = text
  }

  /// Adds `reason` to the cue's reasons.
  mutating func shorten(_ reason: String) {
    outcome = .shortened
    add(reason)
  }

  mutating func add(_ reason: String) {
    self.reason = [self.reason, reason].compactMap { $0 }.joined(separator: ", ")
  }

  /// Notes who says some of its words, for the ledger.
  ///
  /// - Parameter reason: why a stand-in does; nil where the voice itself does.
  mutating func note(_ voice: SpeechVoice, standIn reason: String?) {
    guard voice.engine != nil || voice.refusal != nil else { return }
    let speaker = (reason == nil ? voice : voice.ofStandIn).chosenName ?? "another voice"
    let isNew = !voices.contains(speaker)
    if isNew { voices.append(speaker) }
    // A stand-in may say its parts for different reasons.
    let why = reason.map { "not by \(voice.name ?? ""): \($0)" } ?? (isNew ? voice.refusal : nil)
    if let why, self.reason?.contains(why) != true { add(why) }
  }

  /// The reason of words that are left out because they have not been rendered.
  static let notRendered = "not rendered in time"
  static let tooLong = "longer than the time there is for it"

  /// True where nothing of its words is heard.
  var isLoss: Bool { !parts.contains(where: \.isSpeech) }

  mutating func drop(_ reason: String) {
    outcome = .dropped
    self.reason = reason
    parts = []
  }
}

extension LaidOutCue.Part: Equatable {
  /// A clip is equal to itself alone.
  package static func == (one: Self, other: Self) -> Bool {
    one.text == other.text && one.due == other.due && one.clip === other.clip
  }
}

extension LaidOutCue {
  /// Listeners do not notice words that are moved by less.
  package static let noticed = Duration.milliseconds(250)

  /// Notes what was done to find room, for the ledger.
  mutating func note(
    _ placement: AnnouncementLayout.Placement, of lengths: [Duration], moved: Duration
  ) {
    var decisions: [String] = []
    if moved <= .zero - Self.noticed { decisions.append("\(Self.tenths(.zero - moved)) s earlier") }
    if moved >= Self.noticed { decisions.append("\(Self.tenths(moved)) s later") }
    let (length, room) = (
      lengths[placement.wording].wholeNanoseconds, placement.room.wholeNanoseconds
    )
    if room < length {
      decisions.append("\((length * 100 + room / 2) / room - 100) % faster")
    }
    if placement.wording > 0 {
      shorten((["no room for the full wording"] + decisions).joined(separator: ", "))
    } else if !decisions.isEmpty {
      reason = decisions.joined(separator: ", ")
    }
  }

  /// The ledger's reason for a late answer.
  static func late(by time: Duration, isReworded: Bool) -> String {
    "\(tenths(time)) s after it was asked for" + (isReworded ? ", as it is then" : "")
  }

  private static func tenths(_ duration: Duration) -> String {
    let tenths = max(1, (duration.wholeMilliseconds + 50) / 100)
    return "\(tenths / 10).\(tenths % 10)"
  }
}
