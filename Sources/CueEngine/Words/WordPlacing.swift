import CueSound
import IntervalTimeline

/// Finds the place of one announcement in a layout, leaving room for more important ones still to come.
struct WordPlacing {
  let speech: (any SpeechSource)?
  /// False where missing words are rendered on the spot.
  let mayWait: Bool

  /// Finds the place of the cue's words. `others`: what is still to be handed off, in any order.
  func layOut(
    _ request: AnnouncementRequest, among others: [AnnouncementRequest],
    in layout: inout AnnouncementLayout
  ) -> LaidOutCue {
    let before = others.filter { $0.order < request.order }
    let counts = request.handOff.goesBeforeCounts ? [] : others.filter(\.isCount)
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

  /// - Parameter isReserving: only room is needed now, the words later.
  func placeWords(
    _ request: AnnouncementRequest, in layout: inout AnnouncementLayout, isReserving: Bool = false
  ) -> LaidOutCue {
    let handOff = request.handOff
    let voice = request.voice
    var due = request.due
    let empty = layout
    // Words that say a time change with their place; a few tries suffice.
    for _ in 1...4 {
      layout = empty
      let wording = request.wording(at: due)
      var cue = LaidOutCue(text: wording.text)
      guard isReserving ? isMeasured(wording, voice) : isReady(wording, voice) else {
        layout = empty
        cue.isWaiting = true
        return cue
      }
      var wish = AnnouncementLayout.Wish(
        lane: request.lane.id.serial, owner: request.handOff.id, wordings: [],
        due: SoundInstant(due),
        earliest: SoundInstant(request.earliest),
        latest: handOff.latest.map { SoundInstant($0) },
        limit: handOff.limit.map { SoundInstant($0) })
      // Usually the fullest has room, and the lengths of the others need not be known.
      let isPlain = !handOff.isLate && request.answersBehind == 0
      var speakable: [(text: String, length: Nanoseconds)] = []
      var found: AnnouncementLayout.Placement?
      if isPlain {
        speakable = lengths(of: wording.candidates.prefix(1), voice)
        wish.wordings = speakable.map(\.length)
        found = layout.placeUnhurried(wish)
      }
      if found == nil {
        speakable = lengths(of: wording.candidates[...], voice)
        guard !speakable.isEmpty else {
          cue.drop("it cannot be spoken")
          return cue
        }
        wish.wordings = speakable.map(\.length)
        found = place(wish, of: request, in: &layout)
      }
      guard let placement = found else {
        cue.drop(
          !AnnouncementLayout().fits(wish)
            ? "longer than the time there is for it"
            : handOff.asked == nil
              ? "no room before what follows" : "no room in the time for an answer")
        return cue
      }
      let place = BootInstant(placement.due)
      if place != due, request.wording(at: place) != wording {
        due = place
        continue
      }
      guard !isReserving else { return cue }
      let text = speakable[placement.wording].text
      guard let clip = speech?.clip(text, voice: voice, within: placement.room) else {
        cue.drop("no room before what follows")
        return cue
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
      return cue
    }
    layout = empty
    var cue = LaidOutCue(text: request.wording(at: due).text)
    cue.drop("no room before what follows")
    return cue
  }

  /// Finds room for one announcement. An answer leaves time for those that wait behind it; a late one comes
  /// as soon as possible.
  private func place(
    _ wish: AnnouncementLayout.Wish, of request: AnnouncementRequest,
    in layout: inout AnnouncementLayout
  ) -> AnnouncementLayout.Placement? {
    if request.handOff.isLate { return layout.placeSoonest(wish) }
    guard request.answersBehind > 0, let shortest = wish.wordings.last else {
      return layout.place(wish)
    }
    // Each of them is assumed to be as short as this one can be.
    let gap = AnnouncementLayout.gap
    let behind = gap + (shortest + gap) * Int64(request.answersBehind - 1)
    for skipped in wish.wordings.indices {
      var shorter = wish
      shorter.wordings = Array(wish.wordings[skipped...])
      var tried = layout
      guard let place = tried.place(shorter) else { return nil }
      guard place.end + behind <= wish.latest || skipped + 1 == wish.wordings.count
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
