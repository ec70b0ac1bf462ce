import CueSound
import IntervalTimeline

/// Finds the place of one announcement in a layout, leaving room for more important ones still to come.
struct WordPlacing {
  let speech: (any SpeechSource)?
  /// Whether words that are not there are awaited; otherwise what is there is said.
  let mayWait: Bool
  /// Whether there was no time for a rendering; otherwise words that are not there cannot be spoken.
  var isOverdue = false

  /// Finds the place of the cue's words.
  ///
  /// - Parameter others: what is still to be said, in any order. Those with a higher priority keep room.
  func layOut(
    _ request: AnnouncementRequest, among others: [AnnouncementRequest],
    in layout: inout AnnouncementLayout
  ) -> LaidOutCue {
    let before = others.filter { $0.goes(before: request) }
    let counts = request.handOff.outranksCounts ? [] : others.filter(\.isCount)
    var unmeasured = mayWait ? counts.flatMap(unmeasuredNumbers) : []
    // A client's text takes no room before it is known how much the workouts need.
    if mayWait, request.handOff.yields { unmeasured += before.flatMap(unmeasuredTexts) }
    guard unmeasured.isEmpty else {
      var cue = LaidOutCue(text: request.wording(at: request.due).text)
      cue.missing = orders(for: request.wording(at: request.due), request.voice) + unmeasured
      return cue
    }
    if request.isCount { return layOutCount(request, before: before, counts: counts, in: &layout) }
    guard case .speech(let wordings) = request.wording(at: request.due) else {
      preconditionFailure("\(request.handOff.cue.content.name) is not made of words")
    }
    guard !wordings.isEmpty else {
      var cue = LaidOutCue(text: request.template ?? "")
      cue.drop(request.reasonWithoutWordings)
      return cue
    }
    return layout.place(
      { placeWords(request, in: &$0) }, beside: { reserve(counts, before, in: &$0) })
  }

  /// Whether what is probably said of it is there, and all lengths are known.
  func isReady(_ wording: CueWording, _ voice: SpeechVoice) -> Bool {
    guard mayWait, let speech else { return true }
    return speech.isReady(wording.likelyTexts, lengthsOf: wording.texts, voice: voice)
  }

  /// Whether the lengths of all its wordings are known.
  func isMeasured(_ wording: CueWording, _ voice: SpeechVoice) -> Bool {
    speech?.isReady([], lengthsOf: wording.texts, voice: voice) ?? true
  }

  /// What has to be rendered of a wording so that it is ready.
  func orders(for wording: CueWording, _ voice: SpeechVoice) -> [SpeechOrder] {
    wording.likelyTexts.map { SpeechOrder(text: $0, voice: voice, purpose: .clip) }
      + wording.texts.map { SpeechOrder(text: $0, voice: voice, purpose: .length) }
  }

  /// What has to be measured so that room can be kept for words.
  private func unmeasuredTexts(_ request: AnnouncementRequest) -> [SpeechOrder] {
    request.wording(at: request.due).texts.filter {
      speech?.length(of: $0, voice: request.voice).isMissing ?? false
    }.map { SpeechOrder(text: $0, voice: request.voice, purpose: .length) }
  }

  /// Reserves room for what is still to be handed off: every count, then the others in their order. Needs
  /// only their lengths.
  func reserve(
    _ counts: [AnnouncementRequest], _ others: [AnnouncementRequest],
    in layout: inout AnnouncementLayout
  ) {
    for count in counts { _ = placeCounts(count, isReserving: true, in: &layout) }
    for other in others.sorted(by: { $0.goes(before: $1) }) {
      if other.isCount {
        if placeLeadIn(other, isReserving: true, in: &layout) == nil,
          let first = self.counts(other, isReserving: true).first
        {
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
        cue.missing = orders(for: wording, voice)
        return cue
      }
      let room = findRoom(
        for: wording, of: request, at: due, isReserving: isReserving, in: &layout)
      guard !room.speakable.isEmpty else {
        cue.drop(reasonWithoutWords(wording.candidates, voice))
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
      if !isReserving, !speak(room.speakable, placement, of: request, in: &cue) {
        layout = empty
      }
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
    isReserving: Bool, in layout: inout AnnouncementLayout
  ) -> Room {
    let handOff = request.handOff
    var room = Room(
      wish: AnnouncementLayout.Wish(
        lane: request.place, owner: handOff.id, wordings: [], due: SoundInstant(due),
        earliest: SoundInstant(request.earliest),
        latest: handOff.latest.map { SoundInstant($0) },
        limit: handOff.limit.map { SoundInstant($0) }))
    if handOff.cue.isAhead { room.wish.pauses = Script.pauses.map { Nanoseconds($0) } }
    let longest: Nanoseconds = handOff.cue.content == .opening ? Nanoseconds(Script.opening) : .max
    func speakable(_ texts: ArraySlice<String>) -> [(text: String, length: Nanoseconds)] {
      self.speakable(texts, request.voice, isReserving: isReserving).filter { $0.length <= longest }
    }
    // Much is said of the end only if it can be said at once: more workouts may end.
    let isEnd = handOff.cue.content == .finish
    let latest = room.wish.latest
    if isEnd { room.wish.latest = min(latest, room.wish.due + .seconds(2)) }
    // Usually the fullest has room, and the lengths of the others need not be known.
    if !handOff.isLate, request.followingAnswers == 0 {
      room.choose(among: speakable(wording.candidates.prefix(1)))
      room.placement = layout.placeUnhurried(room.wish)
      if room.placement != nil { return room }
    }
    room.wish.latest = latest
    room.choose(among: speakable(isEnd ? wording.candidates.suffix(1) : wording.candidates[...]))
    if !room.speakable.isEmpty { room.placement = place(room.wish, of: request, in: &layout) }
    return room
  }

  private func reasonWithoutRoom(
    _ wish: AnnouncementLayout.Wish, _ request: AnnouncementRequest
  ) -> String {
    if !AnnouncementLayout().fits(wish) { return Self.tooLong }
    return request.handOff.asked == nil
      ? "no room before what follows" : "no room in the time for an answer"
  }

  /// Why none of these texts can be said, where none is there.
  func reasonWithoutWords(_ texts: [String], _ voice: SpeechVoice) -> String {
    if isLate(texts, voice) { return LaidOutCue.notRendered }
    return texts.contains {
      if case .there = speech?.length(of: $0, voice: voice) { true } else { false }
    }
      ? Self.tooLong : "it cannot be spoken"
  }

  private static let tooLong = "longer than the time there is for it"

  /// Whether any of these texts may be there later.
  func isLate(_ texts: [String], _ voice: SpeechVoice) -> Bool {
    texts.contains { text in
      switch speech?.length(of: text, voice: voice) {
      case .there: speech?.isReady([text], lengthsOf: [], voice: voice) == false
      case .missing: isOverdue
      case .impossible, nil: false
      }
    }
  }

  /// Gives the cue the words that have found a place. False where they are not there, so that the place is
  /// free: they are missing, or the cue is dropped.
  private func speak(
    _ speakable: [(text: String, length: Nanoseconds)],
    _ placement: AnnouncementLayout.Placement, of request: AnnouncementRequest,
    in cue: inout LaidOutCue
  ) -> Bool {
    let handOff = request.handOff
    let place = BootInstant(placement.due)
    let text = speakable[placement.wording].text
    let clip: PCMClip
    switch speech?.clip(text, voice: request.voice, within: placement.room) {
    case .there(let found): clip = found
    case .missing where mayWait:
      cue.missing = [
        SpeechOrder(text: text, voice: request.voice, purpose: .fitting(placement.room))
      ]
      return false
    case .missing:
      cue.drop(LaidOutCue.notRendered)
      return false
    case .impossible, nil:
      cue.drop("no room before what follows")
      return false
    }
    cue.text = text
    cue.parts = [.init(text: text, due: place, clip: clip, isSpeech: true)]
    // Words that end as late as they can are moved where they end earlier than that.
    let planned =
      handOff.cue.isAhead
      ? min(place, handOff.due - Duration(placement.room) - Script.pauses[0]) : handOff.due
    cue.planned = planned
    cue.note(placement, of: speakable.map(\.length), moved: planned.duration(to: place))
    let full = request.wording(at: place).text
    if !mayWait, text != full, isLate([full], request.voice) { cue.shorten(LaidOutCue.notRendered) }
    if handOff.isLate, let asked = handOff.asked {
      let isReworded = handOff.cue.content != .stopQuestion
      cue.reason = [
        cue.reason, LaidOutCue.late(by: asked.duration(to: place), isReworded: isReworded),
      ]
      .compactMap { $0 }.joined(separator: ", ")
    }
    return true
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
  ///
  /// - Parameter isReserving: whether lengths are enough.
  func speakable(
    _ texts: ArraySlice<String>, _ voice: SpeechVoice, isReserving: Bool
  ) -> [(text: String, length: Nanoseconds)] {
    texts.compactMap { text in
      guard case .there(let length) = speech?.length(of: text, voice: voice) else { return nil }
      // Where nothing is awaited, only what is there can be said.
      if !mayWait, !isReserving, speech?.isReady([text], lengthsOf: [], voice: voice) == false {
        return nil
      }
      return (text, length)
    }
  }
}
