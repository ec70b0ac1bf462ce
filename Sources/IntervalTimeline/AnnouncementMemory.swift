/// Remembers which announcements of a session were said, cut off or withdrawn: none is said twice,
/// and none that is still to be said is lost.
struct AnnouncementMemory: Sendable {
  private var gate: CueGate
  /// Announcements that were handed off and have not ended.
  private var spoken: [Spoken] = []
  /// Words that were handed off since the last move or pause, except for those that were over a minute ago and
  /// those that should have begun by then and have no place. They are few: an array takes a third of a
  /// dictionary's memory, in every lane.
  private var handedOff: [HandedOff] = []
  /// Words of the current phase that a pause withdrew before they were complete: they are still owed.
  private var owed: Set<Cue> = []
  /// Words of the current phase that were said before a pause, or by an earlier program.
  private var said: Set<Cue> = []
  /// The announcements that were cut off last: each passes the gate once more.
  private var interrupted: Set<CueGate.Key> = []

  private struct HandedOff {
    /// The number of the hand-off.
    let id: Int
    let cue: Cue
    /// When its words begin at the latest.
    let latest: BootInstant
    /// Where its words begin and end; nil while they are not laid out.
    var place: ClosedRange<BootInstant>?
  }

  private struct Spoken: Hashable {
    /// The number of the hand-off.
    let id: Int
    let key: CueGate.Key
    /// When its words begin.
    var first: BootInstant
    /// When its words end; of a count, when its last part begins.
    var until: BootInstant
  }

  init(window: Duration) {
    gate = CueGate(window: window)
  }

  /// No announcement is repeated within this time.
  var window: Duration { gate.window }

  /// Asks the gate, and records the announcement if it passes.
  mutating func admit(
    _ key: CueGate.Key, id: Int, isLastSet: Bool, due: BootInstant, until: BootInstant
  ) -> CueGate.Verdict {
    if interrupted.remove(key) == nil {
      let verdict = gate.admit(key, isLastSet: isLastSet, due: due)
      guard verdict == .pass else { return verdict }
    }
    spoken.append(Spoken(id: id, key: key, first: due, until: until))
    return .pass
  }

  mutating func goBack(toBlock block: Int, set: Int?) { gate.goBack(toBlock: block, set: set) }

  /// Records a cue that will be heard at `due`, unless `learn` moves it.
  ///
  /// - Parameter latest: when its words begin at the latest; without a place they are forgotten after that.
  mutating func handOff(_ cue: Cue, id: Int, due: BootInstant, latest: BootInstant) {
    handedOff.append(HandedOff(id: id, cue: cue, latest: latest))
    setPlace(of: cue, to: due...due)
  }

  private mutating func setPlace(of cue: Cue, to place: ClosedRange<BootInstant>?) {
    for index in handedOff.indices where handedOff[index].cue == cue {
      handedOff[index].place = place
    }
  }

  /// Returns the cue, where it was handed off since the last move or pause.
  mutating func learn(_ feedback: WordFeedback) -> Cue? {
    let cue = handedOff.first { $0.id == feedback.id }?.cue
    if let cue { setPlace(of: cue, to: feedback.place) }
    guard let first = feedback.place?.lowerBound,
      let index = spoken.firstIndex(where: { $0.id == feedback.id })
    else { return cue }
    spoken[index].first = first
    let isCount = if case .setCompletion = spoken[index].key { true } else { false }
    // The last word of a count may be heard after the boundary.
    let last = isCount ? first : feedback.place?.upperBound ?? first
    spoken[index].until = max(spoken[index].until, last)
    return cue
  }

  /// When the text before `cue` in its phase begins; nil while it is not laid out.
  func place(before cue: Cue) -> BootInstant? {
    guard case .remark(let number) = cue.content else { return nil }
    return handedOff.filter { other in
      guard case .remark(let earlier) = other.cue.content else { return false }
      return other.cue.phase == cue.phase && earlier < number
    }.compactMap(\.place?.lowerBound).max()
  }

  func owes(_ cue: Cue) -> Bool { owed.contains(cue) }
  func hasSaid(_ cue: Cue) -> Bool { said.contains(cue) }

  /// Whether all words of the current phase that were handed off have a place, and end by then.
  func areOver(by end: BootInstant) -> Bool {
    handedOff.allSatisfy { $0.place.map { $0.upperBound <= end } ?? false }
  }

  mutating func forget(before now: BootInstant) {
    // New arrays, which have no room for what has gone.
    if spoken.contains(where: { $0.until < now }) { spoken = spoken.filter { $0.until >= now } }
    // What was said a minute ago, or could have been said until then, cannot be due again.
    let aMinuteAgo = now - .seconds(60)
    func isOld(_ words: HandedOff) -> Bool {
      (words.place?.upperBound ?? words.latest) <= aMinuteAgo
    }
    if handedOff.contains(where: isOld) { handedOff = handedOff.filter { !isOld($0) } }
  }

  /// Another phase begins.
  mutating func beginPhase() { (owed, said) = ([], []) }

  /// Withdraws the announcements that have not ended.
  ///
  /// - Parameter keepsPlace: true for a pause, after which they continue.
  mutating func withdraw(at now: BootInstant, keepsPlace: Bool) {
    var cut: Set<CueGate.Key> = []
    for announcement in spoken where announcement.until >= now {
      if announcement.first > now {
        gate.withdraw(announcement.key)
      } else if keepsPlace {
        cut.insert(announcement.key)
      } else {
        gate.interrupt(announcement.key)
      }
    }
    if !cut.isEmpty { interrupted = cut }
    if keepsPlace {
      // What was cut off or had no place yet is said after the pause.
      for words in handedOff {
        if let place = words.place, place.upperBound <= now {
          said.insert(words.cue)
        } else {
          owed.insert(words.cue)
        }
      }
    }
    handedOff = []
    // After a move, nothing continues that an earlier pause cut off.
    if !keepsPlace {
      for key in interrupted { gate.interrupt(key) }
      interrupted = []
    }
    spoken.removeAll()
  }

  // MARK: Keeping

  /// The stored part of the memory.
  struct Record: Hashable, Codable, Sendable {
    struct Open: Hashable, Codable, Sendable {
      var key: CueGate.Key
      var first: BootInstant
      var until: BootInstant
    }

    var gate: CueGate.Memory
    /// Announcements that had not ended.
    var open: [Open]
    var interrupted: CueGate.Key?
    /// The others that were cut off with it; nil where there is none, and in records of earlier versions.
    var alsoInterrupted: [CueGate.Key]?
    /// Words of the current phase that had begun.
    var said: [Cue]
  }

  /// The record as of `now`.
  func record(at now: BootInstant) -> Record {
    let others = Array(interrupted.dropFirst())
    return Record(
      gate: gate.memory,
      open: spoken.map { .init(key: $0.key, first: $0.first, until: $0.until) },
      interrupted: interrupted.first, alsoInterrupted: others.isEmpty ? nil : others,
      said: Array(
        said.union(
          handedOff.filter { $0.place.map { $0.lowerBound <= now } ?? false }.map(\.cue))))
  }

  /// Restores the memory from `record`, whose program has ended since.
  ///
  /// - Parameter now: announcements that end later count as interrupted.
  init(window: Duration, _ record: Record, at now: BootInstant) {
    gate = CueGate(window: window, record.gate)
    said = Set(record.said)
    interrupted = Set(record.alsoInterrupted ?? [])
    if let key = record.interrupted { interrupted.insert(key) }
    let open = record.open.filter { $0.until >= now }.map(\.key)
    // How much of them was heard is unknown, so they may be said once more.
    if !open.isEmpty { interrupted = Set(open) }
  }
}
