import IntervalTimeline
import Words

/// Words that will be heard, for displays that show them meanwhile.
package struct SpokenText: Hashable, Sendable {
  /// The names of the lanes for which they are said.
  package let lanes: [String]
  /// All that is said at once: the numbers of a count as well as what leads to them.
  package let text: String
  /// When their first sample is heard.
  package let from: BootInstant
  /// When their last sample is heard.
  package let until: BootInstant
  /// They will not be heard, or not to their end.
  package var isWithdrawn = false
}

/// The words that have been sent to the mixer and are not over, and what is to be told of them.
struct SpokenTexts {
  private struct Sent {
    let words: SpokenText
    /// Said for several lanes: no single one takes them back.
    let isShared: Bool
  }

  private var sent: [AnnouncementID: Sent] = [:]
  private var news: [SpokenText] = []

  /// Takes what has been noted since the last call, in order.
  mutating func take() -> [SpokenText] {
    guard !news.isEmpty else { return [] }
    defer { news = [] }
    return news
  }

  /// Words have been sent. Those of which beeps alone are heard are none.
  mutating func send(
    _ entry: LedgerEvent.CueEntry, _ parts: [LaidOutCue.Part], as id: AnnouncementID,
    with others: [SharedEntry]
  ) {
    guard let first = parts.first, let last = parts.last, parts.contains(where: \.isSpeech) else {
      return
    }
    let words = SpokenText(
      lanes: [entry.lane] + others.map(\.entry.lane), text: entry.text, from: first.due,
      until: last.due + last.clip.length)
    sent[id] = Sent(words: words, isShared: !others.isEmpty)
    news.append(words)
  }

  /// These will not be heard to their end.
  mutating func withdraw(_ ids: [AnnouncementID]) {
    for id in ids {
      guard var words = sent.removeValue(forKey: id)?.words else { continue }
      words.isWithdrawn = true
      news.append(words)
    }
  }

  /// Nothing more of a lane's own words is heard.
  mutating func withdraw(_ lane: LaneID, at now: BootInstant) {
    withdraw(
      sent.filter { $0.key.lane == lane && !$0.value.isShared && $0.value.words.until > now }
        .keys.sorted { $0.handOff < $1.handOff })
  }

  /// An announcement has been heard, or not; nothing follows.
  mutating func end(_ id: AnnouncementID) { sent[id] = nil }
}
