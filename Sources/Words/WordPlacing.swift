import CueSound
import IntervalTimeline

/// Finds the place of one announcement in a layout, leaving room for more important ones still to come.
struct WordPlacing {
  private let words: SpeakableWords

  /// - Parameters:
  ///   - mayWait: whether words that are not there are awaited; otherwise what is there is said.
  ///   - isOverdue: whether there was no time for a rendering.
  init(speech: (any SpeechSource)?, mayWait: Bool, isOverdue: Bool = false) {
    words = SpeakableWords(speech, mayWait: mayWait, isOverdue: isOverdue)
  }

  private init(_ words: SpeakableWords) { self.words = words }

  /// What is still to be said beside a request; where it is a count, as one that only needs room.
  private struct Other {
    let request: AnnouncementRequest
    /// Whether it goes before that request.
    let goesFirst: Bool
    let count: CountPlacing?
  }

  /// Finds the place of the cue's words.
  ///
  /// - Parameter others: what is still to be said, in any order. Those with a higher priority keep room.
  func layOut(
    _ request: AnnouncementRequest, among others: [AnnouncementRequest],
    in layout: inout AnnouncementLayout
  ) -> LaidOutCue {
    // The request's own numbers are asked for first: how a voice speaks may depend on what it spoke before.
    let count = CountPlacing(request, words)
    let outranks = request.handOff.outranksCounts
    let others = others.map { other in
      let goesFirst = other.goes(before: request)
      return Other(
        request: other, goesFirst: goesFirst,
        count: outranks && !goesFirst ? nil : CountPlacing(other, words.reserved))
    }
    let before = others.filter(\.goesFirst).sorted { $0.request.goes(before: $1.request) }
    let counts = outranks ? [] : others.filter { $0.count != nil }
    var unmeasured = words.mayWait ? counts.flatMap { $0.count?.unmeasured ?? [] } : []
    // A client's text takes no room before it is known how much the workouts need.
    if words.mayWait, request.handOff.yields {
      unmeasured += before.map(\.request).flatMap {
        words.unmeasured($0.wording(at: $0.due).texts, $0.voice)
      }
    }
    guard unmeasured.isEmpty else {
      var cue = LaidOutCue(text: request.wording(at: request.due).text)
      cue.missing =
        words.orders(for: request.wording(at: request.due), request.voice) + unmeasured
      return cue
    }
    if let count {
      return layOut(
        count, after: counts.filter(\.goesFirst), beside: (counts, before), in: &layout)
    }
    let wording = request.wording(at: request.due)
    guard case .speech(let wordings) = wording else {
      fatalError("\(request.handOff.cue.content.name) is not made of words")
    }
    guard !wordings.isEmpty else {
      var cue = LaidOutCue(text: request.template ?? "")
      cue.drop(request.reasonWithoutWordings(at: request.due))
      return cue
    }
    return layout.place(
      { placeWords(request, wording, in: &$0) }, beside: { reserve(counts, before, in: &$0) })
  }

  /// Lays out a count.
  ///
  /// - Parameters:
  ///   - earlier: the counts that come first; they keep room for their numbers before its own.
  ///   - others: the other counts, which keep room for their numbers before any lead-in, and what else comes
  ///     first.
  private func layOut(
    _ count: CountPlacing, after earlier: [Other],
    beside others: (counts: [Other], before: [Other]),
    in layout: inout AnnouncementLayout
  ) -> LaidOutCue {
    if let cue = count.unplaced { return cue }
    var count = count
    let empty = layout
    layout.place({ count.placeNumbers(in: &$0) }, beside: { reserve(earlier, [], in: &$0) })
    layout.place(
      { count.placeOpening(in: &$0) },
      beside: { reserve(others.counts, others.before, in: &$0) })
    let cue = count.cue
    if !cue.missing.isEmpty { layout = empty }
    return cue
  }

  /// Reserves room for what is still to be handed off: every count, then the others in their order. Needs
  /// only their lengths.
  private func reserve(
    _ counts: [Other], _ others: [Other], in layout: inout AnnouncementLayout
  ) {
    let reserved = WordPlacing(words.reserved)
    for other in counts {
      var count = other.count
      count?.placeNumbers(in: &layout)
    }
    for other in others {
      if let count = other.count {
        count.reserveOpening(in: &layout)
      } else {
        _ = reserved.placeWords(other.request, in: &layout)
      }
    }
  }

  /// Lays out one announcement in the wording for the instant at which it will be heard.
  ///
  /// - Parameter known: the wording for when it is due, where it has been made.
  private func placeWords(
    _ request: AnnouncementRequest, _ known: CueWording? = nil,
    in layout: inout AnnouncementLayout
  ) -> LaidOutCue {
    let voice = request.voice
    var due = request.due
    var wording = known ?? request.wording(at: due)
    let empty = layout
    // Words that say a time change with their place; a few tries suffice.
    for _ in 1...4 {
      layout = empty
      var cue = LaidOutCue(text: wording.text)
      guard words.isReady(wording, voice) else {
        cue.missing = words.orders(for: wording, voice)
        return cue
      }
      let room = findRoom(for: wording, of: request, at: due, in: &layout)
      guard !room.speakable.isEmpty else {
        cue.drop(words.reasonWithoutWords(wording.candidates, voice))
        return cue
      }
      guard let placement = room.placement else {
        cue.drop(reasonWithoutRoom(room.wish, request))
        return cue
      }
      let place = placement.due
      if place != due, case let other = request.wording(at: place), other != wording {
        (due, wording) = (place, other)
        continue
      }
      if !words.isReserving, !speak(room.speakable, placement, of: request, in: &cue) {
        layout = empty
      }
      return cue
    }
    layout = empty
    var cue = LaidOutCue(text: wording.text)
    cue.drop("no room before what follows")
    return cue
  }

  /// What was tried to find room for an announcement.
  private struct Room {
    var wish: AnnouncementLayout.Wish
    /// The wordings that can be spoken, the fullest first. If the fullest has room, it is the only one.
    var speakable: [(text: String, length: Duration)] = []
    /// The place of one of them; nil where none has room.
    var placement: AnnouncementLayout.Placement?

    mutating func choose(among speakable: [(text: String, length: Duration)]) {
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
        lane: request.place, owner: handOff.id, wordings: [], due: due,
        earliest: request.earliest,
        latest: handOff.latest,
        limit: handOff.limit))
    if handOff.cue.isAhead { room.wish.pauses = Script.pauses }
    // The telling of the first phase follows it, and not the other way round.
    let longest: Duration =
      handOff.cue.content == .opening ? Script.opening - AnnouncementLayout.gap : .unlimited
    func speakable(_ texts: ArraySlice<String>) -> [(text: String, length: Duration)] {
      words.usable(texts, request.voice).filter { $0.length <= longest }
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
    if !AnnouncementLayout().fits(wish) { return LaidOutCue.tooLong }
    return request.handOff.asked == nil
      ? "no room before what follows" : "no room in the time for an answer"
  }

  /// Gives the cue the words that have found a place. False where they are not there, so that the place is
  /// free: they are missing, or the cue is dropped.
  private func speak(
    _ speakable: [(text: String, length: Duration)],
    _ placement: AnnouncementLayout.Placement, of request: AnnouncementRequest,
    in cue: inout LaidOutCue
  ) -> Bool {
    let handOff = request.handOff
    let place = placement.due
    let text = speakable[placement.wording].text
    let clip: PCMClip
    switch words.clip(text, request.voice, within: placement.room) {
    case .there(let found): clip = found
    case .missing where words.mayWait:
      cue.missing = [
        SpeechOrder(text: text, voice: request.voice, purpose: .fitting(placement.room))
      ]
      return false
    case .missing:
      cue.drop(LaidOutCue.notRendered)
      return false
    case .impossible:
      cue.drop("no room before what follows")
      return false
    }
    // Its text is the fullest wording so far.
    let isLate = !words.mayWait && text != cue.text && words.isLate([cue.text], request.voice)
    cue.text = text
    cue.parts = [.init(text: text, due: place, clip: clip, isSpeech: true)]
    // Words that end as late as they can are moved where they end earlier than that.
    let planned =
      handOff.cue.isAhead
      ? min(place, handOff.due - placement.room - Script.pauses[0]) : handOff.due
    cue.planned = planned
    cue.note(placement, of: speakable.map(\.length), moved: planned.duration(to: place))
    cue.note(request.voice, standIn: words.reasonForStandIn(text, request.voice))
    if isLate { cue.shorten(LaidOutCue.notRendered) }
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
}
