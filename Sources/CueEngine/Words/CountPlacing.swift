import CueSound
import IntervalTimeline

/// The counts: numbers on their seconds, and the words that lead up to them.
extension WordPlacing {
  /// The count, and what leads up to it. A number without room becomes a beep; so do all numbers where
  /// nothing can be spoken.
  ///
  /// - Parameters:
  ///   - before: what is still to be said and comes first; it keeps room for its words.
  ///   - others: the other counts still to be said. All keep room for their numbers before any lead-in.
  func layOutCount(
    _ request: AnnouncementRequest, before: [AnnouncementRequest],
    counts others: [AnnouncementRequest], in layout: inout AnnouncementLayout
  ) -> LaidOutCue {
    let wording = request.wording(at: request.handOff.due)
    guard case .count(_, _, let words) = wording else { return LaidOutCue(text: "") }
    var cue = LaidOutCue(text: wording.text)
    guard isReady(wording, request.voice) else {
      cue.missing = orders(for: wording, request.voice)
      return cue
    }
    cue.missing = mayWait ? missingNumbers(words, request.voice) : []
    guard cue.missing.isEmpty else { return cue }
    guard counts(request).contains(where: { $0.length > .zero }) else {
      return layOutBeeps(words, of: request)
    }
    let earlier = others.filter { $0.goes(before: request) }
    let empty = layout
    let placed = layout.place(
      { placeCounts(request, in: &$0) },
      beside: { layout in
        for other in earlier { _ = placeCounts(other, isReserving: true, in: &layout) }
      })
    let isShared = placed.contains { $0.1 == .shared }
    let numbers = numberParts(placed, of: request)
    // The words before a count are said only if its first word is.
    let isWhole = placed.count == words.count
    let opening = layout.place(
      {
        // A count that another lane says carries that lane's name.
        placeOpening(
          request, isWhole: isWhole, before: isShared ? nil : placed.first?.0.due, in: &$0)
      },
      beside: { reserve(others, before, in: &$0) })
    var leadIn: LaidOutCue.Part?
    switch opening {
    case .said(let place, let clip):
      let due = BootInstant(place.placement.due)
      leadIn = .init(text: place.text, due: due, clip: clip, isSpeech: true)
      cue.note(place.placement, of: place.lengths, moved: .zero)
    case .missing(let order):
      layout = empty
      cue.missing = [order]
      return cue
    case .none: break
    }
    describe(&cue, wording, leadIn, numbers, of: request, isShared: isShared)
    return cue
  }

  /// What is said before the numbers.
  private enum Opening {
    case none
    /// It has a place, and has to be rendered.
    case missing(SpeechOrder)
    case said(LeadIn, PCMClip)
  }

  /// Places the whole lead-in, or else the name alone.
  ///
  /// - Parameters:
  ///   - isWhole: whether all numbers are said.
  ///   - first: the first number; nil where the name is not needed.
  private func placeOpening(
    _ request: AnnouncementRequest, isWhole: Bool, before first: SoundInstant?,
    in layout: inout AnnouncementLayout
  ) -> Opening {
    let empty = layout
    for isNameAlone in [false, true] {
      var place: LeadIn?
      if isNameAlone, let first {
        place = placeName(request, before: first, in: &layout)
      } else if !isNameAlone, isWhole {
        place = placeLeadIn(request, in: &layout)
      }
      guard let place else { continue }
      let room = place.placement.room
      switch speech?.clip(place.text, voice: request.voice, within: room) {
      case .there(let clip): return .said(place, clip)
      case .missing where mayWait:
        return .missing(
          SpeechOrder(text: place.text, voice: request.voice, purpose: .fitting(room)))
      case .missing, .impossible, nil: layout = empty
      }
    }
    return .none
  }

  /// The numbers as they are heard: said, or beeped where another lane says the same, where there is no
  /// room, or where they cannot be said.
  private func numberParts(
    _ placed: [(AnnouncementLayout.Count, AnnouncementLayout.CountFate)],
    of request: AnnouncementRequest
  ) -> [LaidOutCue.Part] {
    counts(request).compactMap { count -> LaidOutCue.Part? in
      let due = BootInstant(count.due)
      if placed.contains(where: { $0.0.due == count.due && $0.1 == .said }),
        case .there(let clip) = number(count.word, request.voice)
      {
        return .init(text: count.word, due: due, clip: clip, isSpeech: true, isTimed: true)
      }
      // The other lane may be paused, so this one beeps. The boundary has a sound of its own.
      guard due < request.handOff.until else { return nil }
      return .init(text: count.word, due: due, clip: request.lane.beep, isTimed: true)
    }
  }

  private func number(_ word: String, _ voice: SpeechVoice) -> Spoken<PCMClip>? {
    speech?.clip(word, voice: voice, within: AnnouncementLayout.longestCount)
  }

  /// What has to be rendered so that the numbers are there.
  private func missingNumbers(_ words: [String], _ voice: SpeechVoice) -> [SpeechOrder] {
    words.filter { number($0, voice)?.isMissing ?? false }.map {
      SpeechOrder(text: $0, voice: voice, purpose: .fitting(AnnouncementLayout.longestCount))
    }
  }

  /// What has to be measured so that a count can keep room for its numbers.
  func unmeasuredNumbers(_ request: AnnouncementRequest) -> [SpeechOrder] {
    guard case .count(_, _, let words) = request.wording(at: request.handOff.due) else { return [] }
    return words.filter { speech?.length(of: $0, voice: request.voice).isMissing ?? false }.map {
      SpeechOrder(text: $0, voice: request.voice, purpose: .length)
    }
  }

  /// Gives the cue its parts, and the ledger the reasons why any are missing.
  private func describe(
    _ cue: inout LaidOutCue, _ wording: CueWording, _ leadIn: LaidOutCue.Part?,
    _ numbers: [LaidOutCue.Part], of request: AnnouncementRequest, isShared: Bool
  ) {
    guard case .count(let leadIns, let name, let words) = wording else { return }
    let sharedReason = "another workout says the same count"
    cue.parts = (leadIn.map { [$0] } ?? []) + numbers
    guard !cue.parts.isEmpty else {
      return cue.drop(isShared ? sharedReason : "other words are being said")
    }
    let heard = numbers.map(\.text).joined(separator: ", ")
    cue.text = [leadIn?.text, heard.isEmpty ? nil : heard].compactMap { $0 }
      .joined(separator: " ")
    var reasons: [String] = []
    if isShared { reasons.append(sharedReason) }
    let isNameAlone = leadIn != nil && leadIn?.text == name
    if isNameAlone { reasons.append("no room for more than the name") }
    let isLate = isLate(wording.likelyTexts, request.voice)
    if isLate {
      reasons.append(LaidOutCue.notRendered)
    } else if !isShared, (leadIn == nil && !leadIns.isEmpty) || numbers.count < words.count {
      reasons.append("no room for all of it")
    }
    if numbers.contains(where: { !$0.isSpeech }) { reasons.append("beeps instead of numbers") }
    if !reasons.isEmpty { cue.shorten(reasons.joined(separator: ", ")) }
  }

  /// The count words still to come, each with its instant, and no length where it cannot be said.
  ///
  /// - Parameter isReserving: only room is needed now, the numbers later.
  func counts(
    _ request: AnnouncementRequest, isReserving: Bool = false
  ) -> [AnnouncementLayout.Count] {
    let handOff = request.handOff
    guard case .count(_, _, let words) = request.wording(at: handOff.due) else { return [] }
    return words.enumerated().compactMap { index, word in
      let due = handOff.until - .seconds(words.count - 1 - index)
      guard due >= handOff.earliest else { return nil }
      return .init(
        word: word, due: SoundInstant(due),
        length: numberLength(word, request.voice, isReserving: isReserving))
    }
  }

  private func numberLength(
    _ word: String, _ voice: SpeechVoice, isReserving: Bool
  ) -> Nanoseconds {
    let longest = AnnouncementLayout.longestCount
    switch speech?.length(of: word, voice: voice) {
    case .there(let length):
      if !mayWait, !isReserving {
        // Only a number that is there can be said.
        guard case .there = number(word, voice) else { return .zero }
      }
      return min(length, longest)
    // By its time it may be there.
    case .missing: return isReserving ? longest : .zero
    case .impossible, nil: return .zero
    }
  }

  /// Puts the count words that can be spoken on their instants.
  func placeCounts(
    _ request: AnnouncementRequest, isReserving: Bool = false,
    in layout: inout AnnouncementLayout
  ) -> [(AnnouncementLayout.Count, AnnouncementLayout.CountFate)] {
    let counts = counts(request, isReserving: isReserving).filter { $0.length > .zero }
    let fates = layout.place(counts, lane: request.place, owner: request.handOff.id)
    return Array(zip(counts, fates))
  }

  /// The words before a count, and how long each of their wordings is.
  struct LeadIn {
    let text: String
    let placement: AnnouncementLayout.Placement
    let lengths: [Nanoseconds]
  }

  /// Puts the lead-in right before the first count word.
  func placeLeadIn(
    _ request: AnnouncementRequest, isReserving: Bool = false,
    in layout: inout AnnouncementLayout
  ) -> LeadIn? {
    let handOff = request.handOff
    let voice = request.voice
    var instant = handOff.due
    let empty = layout
    // As with other words, the wording may depend on the instant.
    for _ in 1...4 {
      layout = empty
      let wording = request.wording(at: instant)
      guard case .count(let leadIns, _, let words) = wording,
        isMeasured(wording, voice) || (!mayWait && !isReserving)
      else { return nil }
      let first = handOff.until - .seconds(words.count - 1)
      var speakable = speakable(leadIns.prefix(1), voice, isReserving: isReserving)
      var wish = AnnouncementLayout.Wish(
        lane: request.place, owner: handOff.id, wordings: speakable.map(\.length),
        due: SoundInstant(first),
        earliest: SoundInstant(request.earliest))
      var found = layout.placeLeadInUnhurried(wish, before: SoundInstant(first))
      if found == nil {
        speakable = self.speakable(leadIns[...], voice, isReserving: isReserving)
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
      case .there(let length) = speech?.length(of: name, voice: request.voice)
    else { return nil }
    var wish = AnnouncementLayout.Wish(
      lane: request.place, owner: handOff.id, wordings: [length],
      due: first - AnnouncementLayout.leadInGap - length,
      earliest: SoundInstant(min(request.earliest, request.nameFrom ?? request.earliest)))
    wish.latest = wish.due
    let placement = layout.placeLeadIn(wish, before: first) ?? layout.place(wish)
    return placement.map { LeadIn(text: name, placement: $0, lengths: [length]) }
  }

  /// A beep for each number but 0: the boundary has a sound of its own.
  private func layOutBeeps(
    _ words: [String], of request: AnnouncementRequest
  ) -> LaidOutCue {
    let handOff = request.handOff
    let reason = reasonWithoutWords(words, request.voice)
    var cue = LaidOutCue(text: words.joined(separator: ", "))
    for (index, word) in words.dropLast().enumerated() {
      let due = handOff.until - .seconds(words.count - 1 - index)
      guard due >= handOff.earliest else { continue }
      cue.parts.append(.init(text: word, due: due, clip: request.lane.beep, isTimed: true))
    }
    guard !cue.parts.isEmpty else {
      cue.drop(reason)
      return cue
    }
    cue.text = cue.parts.map(\.text).joined(separator: ", ")
    cue.shorten("\(reason), beeps instead")
    return cue
  }
}
