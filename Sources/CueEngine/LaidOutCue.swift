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

  /// A lead-in and count words, each word on its second before `handOff.until`. Where nothing can
  /// be spoken `beep` stands for each number but the 0.
  mutating func layOut(
    leadIns: [Words], words: [Words], beep: PCMClip, of handOff: HandOff,
    in layout: inout AnnouncementLayout,
    gain: Float
  ) {
    guard words.contains(where: { $0.clip != nil }) else {
      return layOutBeeps(words, beep, of: handOff)
    }
    let speakable = leadIns.compactMap { words in words.clip.map { (words.text, $0) } }
    let counts = words.enumerated().map { index, word in
      (
        due: (handOff.until - .seconds(words.count - 1 - index)).nanoseconds,
        length: word.clip?.nanoseconds ?? 0
      )
    }
    let placements = layout.placeCount(
      leadIns: speakable.map { $0.1.nanoseconds }, counts: counts,
      earliest: handOff.earliest.nanoseconds)
    for placement in placements {
      let part: Words =
        placement.part < 0 ? speakable[-1 - placement.part] : words[placement.part - 1]
      guard let clip = part.clip else { continue }
      parts.append(
        Part(
          text: part.text, due: BootInstant(nanoseconds: placement.due), clip: clip, gain: gain))
    }
    guard !parts.isEmpty else { return drop("other words are being said") }
    if let leadIn = parts.first, placements.first?.part ?? 0 < 0 {
      text = "\(leadIn.text) \(parts.dropFirst().map(\.text).joined(separator: ", "))"
    } else {
      text = parts.map(\.text).joined(separator: ", ")
    }
    if placements.first?.part != -1 || parts.count < words.count + 1 {
      outcome = .shortened
      reason = "no room for all of it"
    }
  }

  private mutating func layOutBeeps(_ words: [Words], _ beep: PCMClip, of handOff: HandOff) {
    for (index, word) in words.dropLast().enumerated() {
      let due = handOff.until - .seconds(words.count - 1 - index)
      guard due >= handOff.earliest else { continue }
      parts.append(Part(text: word.text, due: due, clip: beep, gain: 1))
    }
    guard !parts.isEmpty else { return drop("it cannot be spoken") }
    text = parts.map(\.text).joined(separator: ", ")
    outcome = .shortened
    reason = "it cannot be spoken, beeps instead"
  }

  private mutating func drop(_ reason: String) {
    outcome = .dropped
    self.reason = reason
  }
}
