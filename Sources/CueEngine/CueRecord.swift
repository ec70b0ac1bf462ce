import IntervalTimeline
import Words

/// The line in the ledger of a lane for which another lane's words are said too.
struct SharedEntry {
  var entry: LedgerEvent.CueEntry
  let id: AnnouncementID
}

/// A cue between its hand-off and its line in the ledger.
struct CueRecord {
  enum Fate { case pending, heard, unheard, missed, brokenOff, withdrawn }

  /// Nil for a sound.
  let words: AnnouncementID?
  /// The lines of other lanes for which it is said.
  let others: [SharedEntry]
  private var entry: LedgerEvent.CueEntry
  private var fates: [Fate]
  private var sounding: Int

  init(_ entry: LedgerEvent.CueEntry, words: AnnouncementID?, others: [SharedEntry] = []) {
    self.words = words
    self.others = others
    self.entry = entry
    sounding = entry.parts.count
    fates = Array(repeating: .pending, count: entry.parts.count)
  }

  mutating func set(_ fate: Fate, ofPart part: Int) {
    fates[part] = fate == .missed && fates[part] == .heard ? .brokenOff : fate
  }

  mutating func heard(_ part: Int, at onset: BootInstant) {
    fates[part] = .heard
    entry.parts[part].onset = onset
  }

  /// One of its parts is over. True when that was the last one.
  mutating func partEnded() -> Bool {
    sounding -= 1
    return sounding == 0
  }

  /// The lines of the other lanes, once every part is over.
  var closedOthers: [SharedEntry] {
    let closed = closed
    return others.map { other in
      var other = other
      other.entry.onset = closed.onset
      if closed.outcome != entry.outcome {
        (other.entry.outcome, other.entry.reason) = (closed.outcome, closed.reason)
      }
      return other
    }
  }

  /// The line for the ledger, once every part is over.
  var closed: LedgerEvent.CueEntry {
    var entry = entry
    entry.onset = entry.parts.first?.onset
    let missed = fates.count { $0 == .missed }
    if fates.contains(.withdrawn) {
      entry.outcome = .withdrawn
    } else if missed == fates.count {
      entry.outcome = .missed
      entry.reason = entry.reason ?? "not heard"
    } else if missed > 0 || fates.contains(.brokenOff) {
      entry.outcome = .shortened
      entry.reason = entry.reason ?? "in part not heard"
    }
    if fates.allSatisfy({ $0 == .unheard }) { entry.reason = entry.reason ?? "no device requested" }
    return entry
  }
}
