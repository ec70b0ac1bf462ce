import CueSound
import IntervalTimeline

/// A cue whose parts have their clips and their instants.
struct LaidOutCue {
  struct Part {
    let text: String
    let due: BootInstant
    let clip: PCMClip
    let gain: Float
  }

  /// Words and, where they can be spoken, their clip.
  typealias Words = (text: String, clip: PCMClip?)

  var text: String
  var parts: [Part] = []
  var outcome = LedgerEvent.Outcome.played
  var reason: String?

  init(text: String) {
    self.text = text
  }

  /// One announcement in one of its wordings, the fullest that fits.
  mutating func layOut(
    _ wordings: [Words], of handOff: HandOff, in layout: inout AnnouncementLayout, gain: Float
  ) {
    let speakable = wordings.compactMap { words in words.clip.map { (words.text, $0) } }
    guard !speakable.isEmpty else { return drop("it cannot be spoken") }
    guard
      let placement = layout.place(
        speakable.map { $0.1.nanoseconds }, due: handOff.due.nanoseconds,
        limit: handOff.limit?.nanoseconds)
    else { return drop("no room before what follows") }
    let (text, clip) = speakable[placement.part]
    self.text = text
    parts = [
      Part(text: text, due: BootInstant(nanoseconds: placement.due), clip: clip, gain: gain)
    ]
    if placement.part > 0 {
      outcome = .shortened
      reason = "no room for the full wording"
    }
  }

  /// A lead-in and count words, each word on its second before `handOff.until`.
  mutating func layOut(
    leadIn: Words, words: [Words], of handOff: HandOff, in layout: inout AnnouncementLayout,
    gain: Float
  ) {
    let counts = words.enumerated().map { index, word in
      (
        due: (handOff.until - .seconds(words.count - 1 - index)).nanoseconds,
        length: word.clip?.nanoseconds ?? 0
      )
    }
    let placements = layout.placeCount(
      leadIn: leadIn.clip?.nanoseconds, counts: counts, earliest: handOff.earliest.nanoseconds)
    for placement in placements {
      let part = placement.part == 0 ? leadIn : words[placement.part - 1]
      guard let clip = part.clip else { continue }
      parts.append(
        Part(
          text: part.text, due: BootInstant(nanoseconds: placement.due), clip: clip, gain: gain))
    }
    guard !parts.isEmpty else {
      return drop(
        words.contains { $0.clip != nil } ? "other words are being said" : "it cannot be spoken")
    }
    if parts.count < words.count + 1 {
      outcome = .shortened
      reason = "no room for \(placements.first?.part == 0 ? "every number" : "the words before it")"
    }
  }

  private mutating func drop(_ reason: String) {
    outcome = .dropped
    self.reason = reason
  }
}
