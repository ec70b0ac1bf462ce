/// Remembers which announcements of a session were said, cut off or withdrawn: none is said twice,
/// and none that is still to be said is lost.
struct AnnouncementMemory: Sendable {
  private var gate: CueGate
  /// Announcements that were handed off and have not ended.
  private var spoken: [Spoken] = []
  /// Where the words of the current phase begin and end, by cue.
  private var places: [Cue: ClosedRange<BootInstant>] = [:]
  /// Their cues, by the number of the hand-off.
  private var handedOff: [Int: Cue] = [:]
  /// Words of the current phase that a pause withdrew before they were complete: they are still owed.
  private var owed: Set<Cue> = []
  /// Words of the current phase that were said before a pause, or by an earlier program.
  private var said: Set<Cue> = []
  /// The announcements that were cut off last: each passes the gate once more.
  private var interrupted: Set<CueGate.Key> = []

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
  mutating func handOff(_ cue: Cue, id: Int, due: BootInstant) {
    handedOff[id] = cue
    places[cue] = due...due
  }

  mutating func learn(_ feedback: WordFeedback) {
    if let cue = handedOff[feedback.id] { places[cue] = feedback.place }
    guard let first = feedback.place?.lowerBound,
      let index = spoken.firstIndex(where: { $0.id == feedback.id })
    else { return }
    spoken[index].first = first
    let isCount = if case .setCompletion = spoken[index].key { true } else { false }
    // The last word of a count may be heard after the boundary.
    let last = isCount ? first : feedback.place?.upperBound ?? first
    spoken[index].until = max(spoken[index].until, last)
  }

  /// When the text before `cue` in its phase begins; nil while it is not laid out.
  func place(before cue: Cue) -> BootInstant? {
    guard case .remark(let number) = cue.content else { return nil }
    return places.filter { other, _ in
      guard case .remark(let earlier) = other.content else { return false }
      return other.phase == cue.phase && earlier < number
    }.values.map(\.lowerBound).max()
  }

  func owes(_ cue: Cue) -> Bool { owed.contains(cue) }
  func hasSaid(_ cue: Cue) -> Bool { said.contains(cue) }

  /// Whether all words of the current phase that were handed off have a place, and end by then.
  func areOver(by end: BootInstant) -> Bool {
    handedOff.values.allSatisfy { cue in places[cue].map { $0.upperBound <= end } ?? false }
  }

  mutating func forget(before now: BootInstant) {
    spoken.removeAll { $0.until < now }
    // What was said a minute ago cannot be due again.
    let isOld = { (place: ClosedRange<BootInstant>) in place.upperBound + .seconds(60) <= now }
    guard places.contains(where: { isOld($0.value) }) else { return }
    handedOff = handedOff.filter { !(places[$0.value].map(isOld) ?? false) }
    places = places.filter { !isOld($0.value) }
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
      for cue in handedOff.values {
        if let place = places[cue], place.upperBound <= now {
          said.insert(cue)
        } else {
          owed.insert(cue)
        }
      }
    }
    places = [:]
    handedOff = [:]
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
      said: Array(said.union(places.filter { $0.value.lowerBound <= now }.keys)))
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
