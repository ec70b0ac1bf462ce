import CueSound
import IntervalTimeline

/// Finds the place of one announcement in a layout, leaving room for more important ones still to come.
struct WordPlacing {
  let speech: (any SpeechSource)?
  /// False where missing words are rendered on the spot.
  let mayWait: Bool

  /// Finds the place of the cue's words.
  ///
  /// - Parameter others: what is still to be said, in any order. Those with a higher priority keep room.
  func layOut(
    _ request: AnnouncementRequest, among others: [AnnouncementRequest],
    in layout: inout AnnouncementLayout
  ) -> LaidOutCue {
    let before = others.filter { $0.order < request.order }
    let counts = request.handOff.outranksCounts ? [] : others.filter(\.isCount)
    if request.isCount { return layOutCount(request, before: before, counts: counts, in: &layout) }
    guard case .speech(let wordings) = request.wording(at: request.due) else {
      preconditionFailure("\(request.handOff.cue.content.name) is not made of words")
    }
    guard !wordings.isEmpty else {
      var cue = LaidOutCue(text: request.template ?? "")
      cue.drop(
        request.template == nil
          ? "its text is silent" : "what stands in braces has no value here")
      return cue
    }
    return layout.place(
      { placeWords(request, in: &$0) }, beside: { reserve(counts, before, in: &$0) })
  }

  /// Whether the words can be laid out without rendering any.
  func isReady(_ wording: CueWording, _ voice: SpeechVoice) -> Bool {
    guard mayWait, let speech else { return true }
    return speech.isReady(wording.likelyTexts, lengthsOf: wording.texts, voice: voice)
  }

  /// Whether the lengths of all its wordings are known.
  func isMeasured(_ wording: CueWording, _ voice: SpeechVoice) -> Bool {
    guard mayWait, let speech else { return true }
    return speech.isReady([], lengthsOf: wording.texts, voice: voice)
  }

  /// Reserves room for what is still to be handed off: every count, then the others in their order. Needs
  /// only their lengths.
  func reserve(
    _ counts: [AnnouncementRequest], _ others: [AnnouncementRequest],
    in layout: inout AnnouncementLayout
  ) {
    for count in counts { _ = placeCounts(count, in: &layout) }
    for other in others.sorted(by: { $0.order < $1.order }) {
      if other.isCount {
        if placeLeadIn(other, in: &layout) == nil, let first = self.counts(other).first {
          _ = placeName(other, before: first.due, in: &layout)
        }
      } else {
        _ = placeWords(other, in: &layout, isReserving: true)
      }
    }
  }

  /// Lays out one announcement in the wording for the instant at which it will be heard.
  ///
  /// - Parameter isReserving: only room is needed now, the words later.
  func placeWords(
    _ request: AnnouncementRequest, in layout: inout AnnouncementLayout, isReserving: Bool = false
  ) -> LaidOutCue {
    let voice = request.voice
    var due = request.due
    let empty = layout
    // Words that say a time change with their place; a few tries suffice.
    for _ in 1...4 {
      layout = empty
      let wording = request.wording(at: due)
      var cue = LaidOutCue(text: wording.text)
      guard isReserving ? isMeasured(wording, voice) : isReady(wording, voice) else {
        cue.isWaiting = true
        return cue
      }
      let room = findRoom(for: wording, of: request, at: due, in: &layout)
      guard !room.speakable.isEmpty else {
        cue.drop("it cannot be spoken")
        return cue
      }
      guard let placement = room.placement else {
        cue.drop(reasonWithoutRoom(room.wish, request))
        return cue
      }
      let place = BootInstant(placement.due)
      if place != due, request.wording(at: place) != wording {
        due = place
        continue
      }
      if !isReserving { speak(room.speakable, placement, of: request, in: &cue) }
      return cue
    }
    layout = empty
    var cue = LaidOutCue(text: request.wording(at: due).text)
    cue.drop("no room before what follows")
    return cue
  }

  /// What was tried to find room for an announcement.
  private struct Room {
    var wish: AnnouncementLayout.Wish
    /// The wordings that can be spoken, the fullest first. If the fullest has room, it is the only one.
    var speakable: [(text: String, length: Nanoseconds)] = []
    /// The place of one of them; nil where none has room.
    var placement: AnnouncementLayout.Placement?

    mutating func choose(among speakable: [(text: String, length: Nanoseconds)]) {
      self.speakable = speakable
      wish.wordings = speakable.map(\.length)
    }
  }

  private func findRoom(
    for wording: CueWording, of request: AnnouncementRequest, at due: BootInstant,
    in layout: inout AnnouncementLayout
  ) -> Room {
    let handOff = request.handOff
    var room = Room(
      wish: AnnouncementLayout.Wish(
        lane: request.lane.id.serial, owner: handOff.id, wordings: [], due: SoundInstant(due),
        earliest: SoundInstant(request.earliest),
        latest: handOff.latest.map { SoundInstant($0) },
        limit: handOff.limit.map { SoundInstant($0) }))
    // Usually the fullest has room, and the lengths of the others need not be known.
    if !handOff.isLate, request.followingAnswers == 0 {
      room.choose(among: lengths(of: wording.candidates.prefix(1), request.voice))
      room.placement = layout.placeUnhurried(room.wish)
      if room.placement != nil { return room }
    }
    room.choose(among: lengths(of: wording.candidates[...], request.voice))
    if !room.speakable.isEmpty { room.placement = place(room.wish, of: request, in: &layout) }
    return room
  }

  private func reasonWithoutRoom(
    _ wish: AnnouncementLayout.Wish, _ request: AnnouncementRequest
  ) -> String {
    if !AnnouncementLayout().fits(wish) { return "longer than the time there is for it" }
    return request.handOff.asked == nil
      ? "no room before what follows" : "no room in the time for an answer"
  }

  /// Gives the cue the words that have found a place.
  private func speak(
    _ speakable: [(text: String, length: Nanoseconds)],
    _ placement: AnnouncementLayout.Placement, of request: AnnouncementRequest,
    in cue: inout LaidOutCue
  ) {
    let handOff = request.handOff
    let place = BootInstant(placement.due)
    let text = speakable[placement.wording].text
    guard let clip = speech?.clip(text, voice: request.voice, within: placement.room) else {
      return cue.drop("no room before what follows")
    }
    cue.text = text
    cue.parts = [.init(text: text, due: place, clip: clip, isSpeech: true)]
    cue.note(placement, of: speakable.map(\.length), moved: handOff.due.duration(to: place))
    if handOff.isLate, let asked = handOff.asked {
      let isReworded = handOff.cue.content != .stopQuestion
      cue.reason = [
        cue.reason, LaidOutCue.late(by: asked.duration(to: place), isReworded: isReworded),
      ]
      .compactMap { $0 }.joined(separator: ", ")
    }
  }

  /// Finds room for one announcement. An answer leaves time for the answers that follow it; a late one
  /// comes as soon as possible.
  private func place(
    _ wish: AnnouncementLayout.Wish, of request: AnnouncementRequest,
    in layout: inout AnnouncementLayout
  ) -> AnnouncementLayout.Placement? {
    if request.handOff.isLate { return layout.placeSoonest(wish) }
    guard request.followingAnswers > 0, let shortest = wish.wordings.last else {
      return layout.place(wish)
    }
    // Each of them is assumed to be as short as this one can be. The last has to begin in time.
    let gap = AnnouncementLayout.gap
    let following = gap + (shortest + gap) * Int64(request.followingAnswers - 1)
    for skipped in wish.wordings.indices {
      var shorter = wish
      shorter.wordings = Array(wish.wordings[skipped...])
      var tried = layout
      guard let place = tried.place(shorter) else { return nil }
      guard place.end + following <= wish.latest || skipped + 1 == wish.wordings.count
      else { continue }
      layout = tried
      return .init(wording: place.wording + skipped, due: place.due, room: place.room)
    }
    return nil
  }

  /// The texts that can be spoken, and how long each sounds.
  func lengths(
    of texts: ArraySlice<String>, _ voice: SpeechVoice
  ) -> [(text: String, length: Nanoseconds)] {
    texts.compactMap { text in
      speech?.length(of: text, voice: voice).map { (text, $0) }
    }
  }
}
