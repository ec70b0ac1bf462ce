import CueSound
import IntervalTimeline

/// The counts: numbers on their seconds, and the words that lead up to them.
extension WordPlacing {
  /// The count, and what leads up to it. A number without room becomes a beep; so do all numbers where
  /// nothing can be spoken.
  func layOutCount(
    _ request: AnnouncementRequest, before: [AnnouncementRequest],
    counts others: [AnnouncementRequest], in layout: inout AnnouncementLayout
  ) -> LaidOutCue {
    let handOff = request.handOff
    let voice = request.voice
    let wording = request.wording(at: handOff.due)
    guard case .count(let leadIns, let name, let numbers) = wording else {
      return LaidOutCue(text: "")
    }
    var cue = LaidOutCue(text: wording.text)
    guard isReady(wording, voice) else {
      cue.isWaiting = true
      return cue
    }
    guard counts(request).contains(where: { $0.length > .zero }) else {
      return layOutBeeps(numbers, request.lane.beep, of: handOff)
    }
    let earlier = others.filter { $0.order < request.order }
    let placed = layout.place(
      { placeCounts(request, in: &$0) },
      beside: { layout in
        for other in earlier { _ = placeCounts(other, in: &layout) }
      })
    var said: [LaidOutCue.Part] = []
    var isShared = false
    for (count, fate) in placed {
      let due = BootInstant(count.due)
      switch fate {
      case .said:
        guard
          let clip = speech?.clip(
            count.word, voice: voice, within: AnnouncementLayout.longestCount)
        else { fallthrough }
        said.append(.init(text: count.word, due: due, clip: clip, isSpeech: true, isTimed: true))
      case .shared, .noRoom:
        // The other lane may be paused, so this one beeps.
        isShared = isShared || fate == .shared
        guard due < handOff.until else { continue }
        said.append(.init(text: count.word, due: due, clip: request.lane.beep, isTimed: true))
      }
    }
    // The words before a count are said only if its first word is.
    var leadIn: LaidOutCue.Part?
    let isWhole = placed.count == numbers.count
    let place = layout.place(
      { layout -> LeadIn? in
        if isWhole, let whole = placeLeadIn(request, in: &layout) { return whole }
        // A count that another lane says carries that lane's name.
        guard let first = placed.first, !isShared else { return nil }
        return placeName(request, before: first.0.due, in: &layout)
      },
      beside: { reserve(others, before, in: &$0) })
    if let place,
      let clip = speech?.clip(place.text, voice: voice, within: place.placement.room)
    {
      let due = BootInstant(place.placement.due)
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

  /// The count words still to come, each with its instant.
  func counts(_ request: AnnouncementRequest) -> [AnnouncementLayout.Count] {
    let handOff = request.handOff
    guard case .count(_, _, let words) = request.wording(at: handOff.due) else { return [] }
    return words.enumerated().compactMap { index, word in
      let due = handOff.until - .seconds(words.count - 1 - index)
      guard due >= handOff.earliest else { return nil }
      let length = speech?.length(of: word, voice: request.voice) ?? .zero
      return .init(
        word: word, due: SoundInstant(due), length: min(length, AnnouncementLayout.longestCount))
    }
  }

  func placeCounts(
    _ request: AnnouncementRequest, in layout: inout AnnouncementLayout
  ) -> [(AnnouncementLayout.Count, AnnouncementLayout.CountFate)] {
    let counts = counts(request).filter { $0.length > .zero }
    let fates = layout.place(counts, lane: request.lane.id.serial, owner: request.handOff.id)
    return Array(zip(counts, fates))
  }

  /// The words before a count, and how long each of their wordings is.
  struct LeadIn {
    let text: String
    let placement: AnnouncementLayout.Placement
    let lengths: [Nanoseconds]
  }

  func placeLeadIn(
    _ request: AnnouncementRequest, in layout: inout AnnouncementLayout
  ) -> LeadIn? {
    let handOff = request.handOff
    let voice = request.voice
    var instant = handOff.due
    let empty = layout
    // As with other words, the wording may depend on the instant.
    for _ in 1...4 {
      layout = empty
      let wording = request.wording(at: instant)
      guard case .count(let leadIns, _, let words) = wording, isMeasured(wording, voice) else {
        return nil
      }
      let first = handOff.until - .seconds(words.count - 1)
      var speakable = lengths(of: leadIns.prefix(1), voice)
      var wish = AnnouncementLayout.Wish(
        lane: request.lane.id.serial, owner: handOff.id, wordings: speakable.map(\.length),
        due: SoundInstant(first),
        earliest: SoundInstant(request.earliest))
      var found = layout.placeLeadInUnhurried(wish, before: SoundInstant(first))
      if found == nil {
        speakable = lengths(of: leadIns[...], voice)
        wish.wordings = speakable.map(\.length)
        found = layout.placeLeadIn(wish, before: SoundInstant(first))
      }
      guard let placement = found else { return nil }
      let place = BootInstant(placement.due)
      if place == instant || request.wording(at: place) == request.wording(at: instant) {
        return LeadIn(
          text: speakable[placement.wording].text, placement: placement,
          lengths: speakable.map(\.length))
      }
      instant = place
    }
    layout = empty
    return nil
  }

  /// The name alone, where there is no room for more: right before the first number, else right before
  /// other words.
  func placeName(
    _ request: AnnouncementRequest, before first: SoundInstant, in layout: inout AnnouncementLayout
  ) -> LeadIn? {
    let handOff = request.handOff
    guard case .count(_, let name?, _) = request.wording(at: handOff.due),
      let length = speech?.length(of: name, voice: request.voice)
    else { return nil }
    var wish = AnnouncementLayout.Wish(
      lane: request.lane.id.serial, owner: handOff.id, wordings: [length],
      due: first - AnnouncementLayout.leadInGap - length,
      earliest: SoundInstant(min(request.earliest, request.nameFrom ?? request.earliest)))
    wish.latest = wish.due
    let placement = layout.placeLeadIn(wish, before: first) ?? layout.place(wish)
    return placement.map { LeadIn(text: name, placement: $0, lengths: [length]) }
  }

  func layOutBeeps(_ words: [String], _ beep: PCMClip, of handOff: HandOff) -> LaidOutCue {
    var cue = LaidOutCue(text: words.joined(separator: ", "))
    for (index, word) in words.dropLast().enumerated() {
      let due = handOff.until - .seconds(words.count - 1 - index)
      guard due >= handOff.earliest else { continue }
      cue.parts.append(.init(text: word, due: due, clip: beep, isTimed: true))
    }
    guard !cue.parts.isEmpty else {
      cue.drop("it cannot be spoken")
      return cue
    }
    cue.text = cue.parts.map(\.text).joined(separator: ", ")
    cue.shorten("it cannot be spoken, beeps instead")
    return cue
  }
}
