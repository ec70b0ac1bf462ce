import CueSound
import IntervalTimeline

/// Puts the words of cues into a layout, with the clips of one speech library.
struct WordPlacing {
  let speech: SpeechLibrary?
  /// False where nobody is there to wait, so that words are rendered on the spot.
  let mayWait: Bool

  /// Whether the words can be laid out without rendering any.
  func isReady(_ wording: CueWording, _ voice: SpeechVoice) -> Bool {
    guard mayWait, let speech else { return true }
    return speech.isReady(wording.likelyTexts, lengthsOf: wording.texts, voice: voice)
  }

  /// Whether all that the words may become has a length that is known.
  private func isMeasured(_ wording: CueWording, _ voice: SpeechVoice) -> Bool {
    guard mayWait, let speech else { return true }
    return speech.isReady([], lengthsOf: wording.texts, voice: voice)
  }

  /// Takes the room of what is still to be handed off: every count, then the others in their order.
  /// Their lengths are enough.
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

  /// - Parameter isReserving: the words are wanted another time, and only their room now.
  func placeWords(
    _ request: AnnouncementRequest, in layout: inout AnnouncementLayout, isReserving: Bool = false
  ) -> LaidOutCue {
    let handOff = request.handOff
    let voice = request.manner.voice
    var due = request.due
    let empty = layout
    // Words that tell a time are other words at another time, of which there are seldom two.
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
        lane: request.lane.serial, owner: request.handOff.id, wordings: [],
        due: due.nanoseconds,
        earliest: request.earliest.nanoseconds,
        latest: handOff.latest?.nanoseconds,
        limit: handOff.limit?.nanoseconds)
      // Mostly the fullest has room, and the lengths of the others need not be known.
      let isPlain = !handOff.isLate && request.answersBehind == 0
      var speakable: [(text: String, length: Int64)] = []
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
      let place = BootInstant(nanoseconds: placement.due)
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

  /// Finds room for one announcement. An answer leaves others that wait behind it their time, and
  /// a late one comes as soon as it can.
  private func place(
    _ wish: AnnouncementLayout.Wish, of request: AnnouncementRequest,
    in layout: inout AnnouncementLayout
  ) -> AnnouncementLayout.Placement? {
    if request.handOff.isLate { return layout.placeSoonest(wish) }
    guard request.answersBehind > 0, let shortest = wish.wordings.last else {
      return layout.place(wish)
    }
    // Each of them is thought to be as short as this one can be.
    let gap = AnnouncementLayout.gap
    let behind = gap + Int64(request.answersBehind - 1) * (shortest + gap)
    for skipped in wish.wordings.indices {
      var shorter = wish
      shorter.wordings = Array(wish.wordings[skipped...])
      var tried = layout
      guard let place = tried.place(shorter) else { return nil }
      guard place.due + place.room + behind <= wish.latest || skipped + 1 == wish.wordings.count
      else { continue }
      layout = tried
      return .init(wording: place.wording + skipped, due: place.due, room: place.room)
    }
    return nil
  }

  /// The texts that can be spoken, and how long each sounds in nanoseconds.
  private func lengths(
    of texts: ArraySlice<String>, _ voice: SpeechVoice
  ) -> [(text: String, length: Int64)] {
    texts.compactMap { text in
      speech?.length(of: text, voice: voice).map { (text, $0) }
    }
  }

  // MARK: Counts

  /// The count words that are not past, each with its instant.
  func counts(_ request: AnnouncementRequest) -> [AnnouncementLayout.Count] {
    let handOff = request.handOff
    guard case .count(_, _, let words) = request.wording(at: handOff.due) else { return [] }
    return words.enumerated().compactMap { index, word in
      let due = handOff.until - .seconds(words.count - 1 - index)
      guard due >= handOff.earliest else { return nil }
      let length = speech?.length(of: word, voice: request.manner.voice) ?? 0
      return .init(
        word: word, due: due.nanoseconds, length: min(length, AnnouncementLayout.longestCount))
    }
  }

  func placeCounts(
    _ request: AnnouncementRequest, in layout: inout AnnouncementLayout
  ) -> [(AnnouncementLayout.Count, AnnouncementLayout.CountFate)] {
    let counts = counts(request).filter { $0.length > 0 }
    let fates = layout.place(counts, lane: request.lane.serial, owner: request.handOff.id)
    return Array(zip(counts, fates))
  }

  /// The words before a count, and how long each of their wordings is.
  struct LeadIn {
    let text: String
    let placement: AnnouncementLayout.Placement
    let lengths: [Int64]
  }

  func placeLeadIn(
    _ request: AnnouncementRequest, in layout: inout AnnouncementLayout
  ) -> LeadIn? {
    let handOff = request.handOff
    let voice = request.manner.voice
    var instant = handOff.due
    let empty = layout
    // As with other words: what they say may depend on where they are.
    for _ in 1...4 {
      layout = empty
      let wording = request.wording(at: instant)
      guard case .count(let leadIns, _, let words) = wording, isMeasured(wording, voice) else {
        return nil
      }
      let first = handOff.until - .seconds(words.count - 1)
      var speakable = lengths(of: leadIns.prefix(1), voice)
      var wish = AnnouncementLayout.Wish(
        lane: request.lane.serial, owner: handOff.id, wordings: speakable.map(\.length),
        due: first.nanoseconds, earliest: request.earliest.nanoseconds)
      var found = layout.placeLeadInUnhurried(wish, before: first.nanoseconds)
      if found == nil {
        speakable = lengths(of: leadIns[...], voice)
        wish.wordings = speakable.map(\.length)
        found = layout.placeLeadIn(wish, before: first.nanoseconds)
      }
      guard let placement = found else { return nil }
      let place = BootInstant(nanoseconds: placement.due)
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

  /// Whose count it is, where there is no room for more: right before the first number, else as
  /// shortly before other words as can be.
  func placeName(
    _ request: AnnouncementRequest, before first: Int64, in layout: inout AnnouncementLayout
  ) -> LeadIn? {
    let handOff = request.handOff
    guard case .count(_, let name?, _) = request.wording(at: handOff.due),
      let length = speech?.length(of: name, voice: request.manner.voice)
    else { return nil }
    var wish = AnnouncementLayout.Wish(
      lane: request.lane.serial, owner: handOff.id, wordings: [length],
      due: first - AnnouncementLayout.leadInGap - length,
      earliest: min(request.earliest, request.nameFrom ?? request.earliest).nanoseconds)
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

extension LaidOutCue {
  /// Nobody notices words that are moved by less.
  private static let noticed = Duration.milliseconds(250)

  /// Tells what was done to find room.
  mutating func note(
    _ placement: AnnouncementLayout.Placement, of lengths: [Int64], moved: Duration
  ) {
    var decisions: [String] = []
    if moved <= .zero - Self.noticed { decisions.append("\(Self.tenths(.zero - moved)) s earlier") }
    if moved >= Self.noticed { decisions.append("\(Self.tenths(moved)) s later") }
    let length = lengths[placement.wording]
    if placement.room < length {
      decisions.append("\((length * 100 + placement.room - 1) / placement.room - 100) % faster")
    }
    if placement.wording > 0 {
      shorten((["no room for the full wording"] + decisions).joined(separator: ", "))
    } else if !decisions.isEmpty {
      reason = decisions.joined(separator: ", ")
    }
  }

  /// The ledger's reason for an answer that came later than answers do.
  static func late(by time: Duration, isReworded: Bool) -> String {
    "\(tenths(time)) s after it was asked for" + (isReworded ? ", as it is then" : "")
  }

  private static func tenths(_ duration: Duration) -> String {
    let tenths = max(1, (duration.wholeMilliseconds + 50) / 100)
    return "\(tenths / 10).\(tenths % 10)"
  }
}
