import CueSound
import IntervalTimeline

/// Gives words their place among everything that all lanes have to say.
///
/// An announcement is laid out when it is handed off. What comes before it in priority and is
/// still to come keeps its room: the session tells of it ahead, and the lengths are known.
struct Announcer {
  private var layout = AnnouncementLayout()
  private let speech: SpeechLibrary?

  init(speech: SpeechLibrary?) {
    self.speech = speech
  }

  mutating func forget(before now: BootInstant) { layout.forget(before: now.nanoseconds) }

  mutating func withdraw(lane: LaneID, at now: BootInstant) {
    layout.withdraw(lane: lane.serial, at: now.nanoseconds)
  }

  /// A cue's words have been taken back.
  mutating func takeBack(_ id: Int, lane: LaneID) { layout.takeBack(lane: lane.serial, owner: id) }

  /// Until when something else has to be known for `request` to be laid out.
  static func windowEnd(of request: AnnouncementRequest) -> BootInstant {
    let handOff = request.handOff
    let longest = Duration.seconds(10)
    return min(handOff.limit ?? .never, (handOff.latest ?? handOff.due) + longest)
  }

  /// Finds the cue's words their place. `others`: what is still to be handed off, in any order.
  ///
  /// - Parameter mayWait: words that have not been rendered are left undecided.
  mutating func layOut(
    _ request: AnnouncementRequest, among others: [AnnouncementRequest], mayWait: Bool
  ) -> LaidOutCue {
    let words = WordPlacing(speech: speech, mayWait: mayWait)
    let before = others.filter { $0.order < request.order }
    let counts = request.handOff.goesBeforeCounts ? [] : others.filter(\.isCount)
    if request.isCount { return layOutCount(request, before: before, counts: counts, words) }
    guard case .speech(let wordings) = request.wording(at: request.due) else {
      preconditionFailure("\(request.handOff.cue.content.name) is not made of words")
    }
    guard !wordings.isEmpty else {
      var cue = LaidOutCue(text: request.template ?? "")
      cue.drop(
        request.template == nil
          ? "no words, by wish" : "what stands in braces has no value here")
      return cue
    }
    return layout.place(
      { words.placeWords(request, in: &$0) },
      beside: { words.reserve(counts, before, in: &$0) })
  }

  /// The count, and what leads up to it. A beep stands for a number that has no room, and for all
  /// where nothing can be spoken.
  private mutating func layOutCount(
    _ request: AnnouncementRequest, before: [AnnouncementRequest],
    counts others: [AnnouncementRequest], _ words: WordPlacing
  ) -> LaidOutCue {
    let handOff = request.handOff
    let voice = request.manner.voice
    let wording = request.wording(at: handOff.due)
    guard case .count(let leadIns, let name, let numbers) = wording else {
      return LaidOutCue(text: "")
    }
    var cue = LaidOutCue(text: wording.text)
    guard words.isReady(wording, voice) else {
      cue.isWaiting = true
      return cue
    }
    guard words.counts(request).contains(where: { $0.length > 0 }) else {
      return words.layOutBeeps(numbers, request.beep, of: handOff)
    }
    let earlier = others.filter { $0.order < request.order }
    let placed = layout.place(
      { words.placeCounts(request, in: &$0) },
      beside: { layout in
        for other in earlier { _ = words.placeCounts(other, in: &layout) }
      })
    var said: [LaidOutCue.Part] = []
    var isShared = false
    for (count, fate) in placed {
      let due = BootInstant(nanoseconds: count.due)
      switch fate {
      case .said:
        guard
          let clip = words.speech?.clip(
            count.word, voice: voice, within: AnnouncementLayout.longestCount)
        else { fallthrough }
        said.append(.init(text: count.word, due: due, clip: clip, isSpeech: true, isTimed: true))
      case .shared, .noRoom:
        // Not left to the other lane: that one may be paused.
        isShared = isShared || fate == .shared
        guard due < handOff.until else { continue }
        said.append(.init(text: count.word, due: due, clip: request.beep, isTimed: true))
      }
    }
    // The words before a count are said only where its first word is to come.
    var leadIn: LaidOutCue.Part?
    let isWhole = placed.count == numbers.count
    let place = layout.place(
      { layout -> WordPlacing.LeadIn? in
        if isWhole, let whole = words.placeLeadIn(request, in: &layout) { return whole }
        // A count that another lane says is that one's, by its name.
        guard let first = placed.first, !isShared else { return nil }
        return words.placeName(request, before: first.0.due, in: &layout)
      },
      beside: { words.reserve(others, before, in: &$0) })
    if let place,
      let clip = words.speech?.clip(place.text, voice: voice, within: place.placement.room)
    {
      let due = BootInstant(nanoseconds: place.placement.due)
      leadIn = .init(text: place.text, due: due, clip: clip, isSpeech: true)
      cue.note(place.placement, of: place.lengths, moved: .zero)
    }
    cue.parts = (leadIn.map { [$0] } ?? []) + said
    guard !cue.parts.isEmpty else {
      cue.drop(isShared ? "another workout says the same count" : "other words are being said")
      return cue
    }
    let saidNumbers = said.map(\.text).joined(separator: ", ")
    cue.text = [leadIn?.text, saidNumbers.isEmpty ? nil : saidNumbers].compactMap { $0 }
      .joined(separator: " ")
    var reasons: [String] = []
    if isShared { reasons.append("another workout says the same count") }
    let isNamed = leadIn != nil && leadIn?.text == name
    if isNamed { reasons.append("no room for more than the name") }
    if !isShared, (leadIn == nil && !leadIns.isEmpty) || said.count < numbers.count {
      reasons.append("no room for all of it")
    }
    if said.contains(where: { !$0.isSpeech }) { reasons.append("beeps instead of numbers") }
    if !reasons.isEmpty { cue.shorten(reasons.joined(separator: ", ")) }
    return cue
  }
}
