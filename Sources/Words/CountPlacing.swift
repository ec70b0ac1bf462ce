import CueSound
import IntervalTimeline

/// The placing of one count: its numbers on their seconds, then the words that lead up to them.
///
/// A number without room becomes a beep; so do all numbers where nothing can be spoken. The words before a
/// count are placed only where its numbers are.
struct CountPlacing {
  private let request: AnnouncementRequest
  private let words: SpeakableWords
  private let wording: CueWording
  private let leadIns: [String]
  /// The lane's, which is said alone where no lead-in has room.
  private let name: String?
  private let numbers: [String]
  /// All of them are said by one voice.
  private let countVoice: SpeechVoice
  /// The numbers still to come on their instants, with their lengths: none where one cannot be said.
  private let counts: [AnnouncementLayout.Count]
  /// The numbers that can be said, on their instants.
  private var placed: [(count: AnnouncementLayout.Count, fate: AnnouncementLayout.CountFate)] = []
  private var opening = Opening.none

  /// What is said before the numbers.
  private enum Opening {
    case none
    /// It has a place, and has to be rendered.
    case missing(SpeechOrder)
    case said(LeadIn, PCMClip)
  }

  /// The words before a count, and how long each of their wordings is.
  private struct LeadIn {
    let text: String
    let placement: AnnouncementLayout.Placement
    let lengths: [Duration]
  }

  /// Nil if it is no count.
  init?(_ request: AnnouncementRequest, _ words: SpeakableWords) {
    guard request.isCount else { return nil }
    wording = request.wording(at: request.handOff.due)
    guard case .count(let leadIns, let name, let numbers) = wording else { return nil }
    (self.request, self.words) = (request, words)
    (self.leadIns, self.name, self.numbers) = (leadIns, name, numbers)
    let voice = words.countVoice(numbers, request.voice)
    let handOff = request.handOff
    countVoice = voice
    counts = numbers.enumerated().compactMap { index, word in
      let due = handOff.until - .seconds(numbers.count - 1 - index)
      guard due >= handOff.earliest else { return nil }
      return .init(word: word, due: due, length: words.numberLength(word, voice))
    }
  }

  private var voice: SpeechVoice { request.voice }
  private var handOff: HandOff { request.handOff }

  // MARK: Before it is placed

  /// What has to be measured so that room can be kept for its numbers.
  var unmeasured: [SpeechOrder] { words.unmeasured(numbers, countVoice) }

  /// The cue of a count that takes no place: its words are missing, or it is only beeped.
  var unplaced: LaidOutCue? {
    var cue = LaidOutCue(text: wording.text)
    if !words.isReady(wording, voice) {
      cue.missing = words.orders(for: wording, voice)
    } else if words.mayWait {
      cue.missing = numbers.filter { clip($0).isMissing }.map {
        SpeechOrder(
          text: $0, voice: countVoice, purpose: .fitting(AnnouncementLayout.longestCount))
      }
    }
    guard cue.missing.isEmpty else { return cue }
    return counts.contains { $0.length > .zero } ? nil : beeps
  }

  /// A beep for each number but 0: the boundary has a sound of its own.
  private var beeps: LaidOutCue {
    let reason = words.reasonWithoutWords(numbers, countVoice)
    var cue = LaidOutCue(text: numbers.joined(separator: ", "))
    cue.parts = counts.dropLast().map {
      .init(text: $0.word, due: $0.due, clip: request.lane.beep, isTimed: true)
    }
    guard !cue.parts.isEmpty else {
      cue.drop(reason)
      return cue
    }
    cue.text = cue.parts.map(\.text).joined(separator: ", ")
    cue.shorten("\(reason), beeps instead")
    return cue
  }

  private func clip(_ number: String) -> Spoken<PCMClip> {
    words.clip(number, countVoice, within: AnnouncementLayout.longestCount)
  }

  // MARK: Numbers

  /// Puts the numbers that can be spoken on their instants.
  mutating func placeNumbers(in layout: inout AnnouncementLayout) {
    let counts = counts.filter { $0.length > .zero }
    placed = zip(counts, layout.place(counts, lane: request.place, owner: handOff.id))
      .map { (count: $0, fate: $1) }
  }

  private var isShared: Bool { placed.contains { $0.fate == .shared } }

  /// The numbers as they are heard: said, or beeped where another lane says the same, where there is no
  /// room, or where they cannot be said.
  private var numberParts: [LaidOutCue.Part] {
    counts.compactMap { count -> LaidOutCue.Part? in
      let (word, due) = (count.word, count.due)
      if placed.contains(where: { $0.count.due == due && $0.fate == .said }),
        case .there(let clip) = clip(word)
      {
        return .init(text: word, due: due, clip: clip, isSpeech: true, isTimed: true)
      }
      // The other lane may be paused, so this one beeps. The boundary has a sound of its own.
      guard due < handOff.until else { return nil }
      return .init(text: word, due: due, clip: request.lane.beep, isTimed: true)
    }
  }

  // MARK: The words before them

  /// Places the whole lead-in, or else the name alone, once the numbers are placed.
  mutating func placeOpening(in layout: inout AnnouncementLayout) {
    let empty = layout
    for isNameAlone in [false, true] {
      var place: LeadIn?
      // The words before a count are said only if its first word is. A count that another lane says carries
      // that lane's name.
      if isNameAlone, !isShared, let first = placed.first?.count.due {
        place = placeName(before: first, in: &layout)
      } else if !isNameAlone, placed.count == numbers.count {
        place = placeLeadIn(in: &layout)
      }
      guard let place else { continue }
      let room = place.placement.room
      switch words.clip(place.text, voice, within: room) {
      case .there(let clip):
        opening = .said(place, clip)
        return
      case .missing where words.mayWait:
        opening = .missing(
          SpeechOrder(text: place.text, voice: voice, purpose: .fitting(room)))
        return
      case .missing, .impossible: layout = empty
      }
    }
  }

  /// Keeps room for the lead-in, or else for the name.
  func reserveOpening(in layout: inout AnnouncementLayout) {
    if placeLeadIn(in: &layout) == nil, let first = counts.first {
      _ = placeName(before: first.due, in: &layout)
    }
  }

  /// Puts the lead-in right before the first count word.
  private func placeLeadIn(in layout: inout AnnouncementLayout) -> LeadIn? {
    var (instant, wording) = (handOff.due, wording)
    let empty = layout
    // As with other words, the wording may depend on the instant.
    for _ in 1...4 {
      layout = empty
      guard case .count(let leadIns, _, let numbers) = wording, words.isMeasured(wording, voice)
      else { return nil }
      let first = handOff.until - .seconds(numbers.count - 1)
      var usable = words.usable(leadIns.prefix(1), voice)
      var wish = AnnouncementLayout.Wish(
        lane: request.place, owner: handOff.id, wordings: usable.map(\.length), due: first,
        earliest: request.earliest)
      var found = layout.placeLeadInUnhurried(wish, before: first)
      if found == nil {
        usable = words.usable(leadIns[...], voice)
        wish.wordings = usable.map(\.length)
        found = layout.placeLeadIn(wish, before: first)
      }
      guard let placement = found else { return nil }
      let place = placement.due
      let other = place == instant ? wording : request.wording(at: place)
      if other == wording {
        return LeadIn(
          text: usable[placement.wording].text, placement: placement, lengths: wish.wordings)
      }
      (instant, wording) = (place, other)
    }
    layout = empty
    return nil
  }

  /// The name alone, where there is no room for more: right before the first number, else right before
  /// other words.
  private func placeName(
    before first: BootInstant, in layout: inout AnnouncementLayout
  ) -> LeadIn? {
    guard let name, case .there(let length) = words.length(of: name, voice) else { return nil }
    var wish = AnnouncementLayout.Wish(
      lane: request.place, owner: handOff.id, wordings: [length],
      due: first - AnnouncementLayout.leadInGap - length,
      earliest: min(request.earliest, request.nameFrom ?? request.earliest))
    wish.latest = wish.due
    let placement = layout.placeLeadIn(wish, before: first) ?? layout.place(wish)
    return placement.map { LeadIn(text: name, placement: $0, lengths: [length]) }
  }

  // MARK: Once it is placed

  /// The count as it was placed, and for the ledger the reasons why any of it is missing.
  var cue: LaidOutCue {
    var cue = LaidOutCue(text: wording.text)
    var leadIn: LaidOutCue.Part?
    switch opening {
    case .said(let place, let clip):
      let due = place.placement.due
      leadIn = .init(text: place.text, due: due, clip: clip, isSpeech: true)
      cue.note(place.placement, of: place.lengths, moved: .zero)
    case .missing(let order):
      cue.missing = [order]
      return cue
    case .none: break
    }
    let numbers = numberParts
    let sharedReason = "another workout says the same count"
    cue.parts = (leadIn.map { [$0] } ?? []) + numbers
    guard !cue.parts.isEmpty else {
      cue.drop(isShared ? sharedReason : "other words are being said")
      return cue
    }
    let heard = numbers.map(\.text).joined(separator: ", ")
    noteVoices(of: leadIn, numbers, in: &cue)
    cue.text = [leadIn?.text, heard.isEmpty ? nil : heard].compactMap { $0 }
      .joined(separator: " ")
    var reasons: [String] = []
    if isShared { reasons.append(sharedReason) }
    if let leadIn, leadIn.text == name { reasons.append("no room for more than the name") }
    if words.isLate(Array(leadIns.prefix(1)), voice) || words.isLate(self.numbers, countVoice) {
      reasons.append(LaidOutCue.notRendered)
    } else if !isShared,
      (leadIn == nil && !leadIns.isEmpty) || numbers.count < self.numbers.count
    {
      reasons.append("no room for all of it")
    }
    if numbers.contains(where: { !$0.isSpeech }) { reasons.append("beeps instead of numbers") }
    if !reasons.isEmpty { cue.shorten(reasons.joined(separator: ", ")) }
    return cue
  }

  /// Who says the words before it and its numbers, where that is a voice of an engine.
  private func noteVoices(
    of leadIn: LaidOutCue.Part?, _ numbers: [LaidOutCue.Part], in cue: inout LaidOutCue
  ) {
    if let leadIn { cue.note(voice, standIn: words.reasonForStandIn(leadIn.text, voice)) }
    guard numbers.contains(where: \.isSpeech) else { return }
    let isStandIn = countVoice != voice
    cue.note(voice, standIn: isStandIn ? words.reasonForStandIns(self.numbers, voice) : nil)
  }
}
