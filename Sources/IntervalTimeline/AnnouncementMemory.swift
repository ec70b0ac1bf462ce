/// Which announcements of a session were said, cut off or taken back, so that none is said twice
/// and none that is still owed is forgotten.
struct AnnouncementMemory: Sendable {
  private var gate: CueGate
  /// Announcements handed off whose end lies ahead.
  private var spoken: [Spoken] = []
  /// Where the words handed off of the shown phase begin and end, by cue.
  private var places: [Cue: ClosedRange<BootInstant>] = [:]
  private var handedOff: [Int: Cue] = [:]
  /// Words that a pause took back before they began, and words that were said.
  private var owed: Set<Cue> = []
  private var said: Set<Cue> = []
  /// An announcement that was cut off and goes on without asking the gate.
  private var interrupted: CueGate.Key?

  private struct Spoken: Hashable {
    let id: Int
    let key: CueGate.Key
    var first: BootInstant
    var until: BootInstant
  }

  init(window: Duration) {
    gate = CueGate(window: window)
  }

  /// Asks for an announcement and notes it where it passes.
  mutating func admit(
    _ key: CueGate.Key, id: Int, isLastSet: Bool, due: BootInstant, until: BootInstant
  ) -> CueGate.Verdict {
    if interrupted == key {
      interrupted = nil
    } else {
      let verdict = gate.admit(key, isLastSet: isLastSet, due: due)
      guard verdict == .pass else { return verdict }
    }
    spoken.append(Spoken(id: id, key: key, first: due, until: until))
    return .pass
  }

  mutating func goBack(toBlock block: Int, set: Int?) { gate.goBack(toBlock: block, set: set) }

  /// A cue is on its way, to be heard at `due` unless `learn` gives it another place.
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
    spoken[index].until = max(spoken[index].until, first)
  }

  /// Where the text before `cue` in its phase begins, as far as it has been laid out.
  func place(before cue: Cue) -> BootInstant? {
    guard case .remark(let number) = cue.content else { return nil }
    return places.filter { other, _ in
      guard case .remark(let earlier) = other.content else { return false }
      return other.phase == cue.phase && earlier < number
    }.values.map(\.lowerBound).max()
  }

  func owes(_ cue: Cue) -> Bool { owed.contains(cue) }
  func hasSaid(_ cue: Cue) -> Bool { said.contains(cue) }

  mutating func forget(before now: BootInstant) {
    spoken.removeAll { $0.until < now }
    // What was said long ago is past its own time too.
    let isOld = { (place: ClosedRange<BootInstant>) in place.upperBound + .seconds(60) <= now }
    guard places.contains(where: { isOld($0.value) }) else { return }
    handedOff = handedOff.filter { !(places[$0.value].map(isOld) ?? false) }
    places = places.filter { !isOld($0.value) }
  }

  /// Another phase is gone through.
  mutating func beginPhase() { (owed, said) = ([], []) }

  /// Takes back the announcements whose last word lies ahead.
  ///
  /// - Parameter keepsPlace: they are to go on from here: a pause.
  mutating func withdraw(at now: BootInstant, keepsPlace: Bool) {
    for announcement in spoken where announcement.until >= now {
      if announcement.first > now {
        gate.withdraw(announcement.key)
      } else if keepsPlace {
        interrupted = announcement.key
      } else {
        gate.interrupt(announcement.key)
      }
    }
    if keepsPlace {
      // Words that were cut off are said again, and those that had no place yet.
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
    if !keepsPlace, let key = interrupted {
      gate.interrupt(key)
      interrupted = nil
    }
    spoken.removeAll()
  }

  // MARK: Keeping

  /// What is kept of it.
  struct Record: Hashable, Codable, Sendable {
    struct Open: Hashable, Codable, Sendable {
      var key: CueGate.Key
      var first: BootInstant
      var until: BootInstant
    }

    var gate: CueGate.Memory
    /// Those whose last word lay ahead.
    var open: [Open]
    var interrupted: CueGate.Key?
    /// Words of the running phase that have begun.
    var said: [Cue]
  }

  /// What it is as of `now`.
  func record(at now: BootInstant) -> Record {
    Record(
      gate: gate.memory,
      open: spoken.map { .init(key: $0.key, first: $0.first, until: $0.until) },
      interrupted: interrupted,
      said: Array(said.union(places.filter { $0.value.lowerBound <= now }.keys)))
  }

  /// What it was when `record` was made, and the program ended then or later.
  ///
  /// - Parameter now: the announcements that end later go on from there.
  init(window: Duration, _ record: Record, at now: BootInstant) {
    gate = CueGate(window: window, record.gate)
    interrupted = record.interrupted
    said = Set(record.said)
    for open in record.open where open.until >= now {
      // Whether any of it was heard is not known; what is left of it is due in any case.
      interrupted = open.key
    }
  }
}
