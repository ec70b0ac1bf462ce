import CueSound
import IntervalTimeline

/// A cue between its hand-off and its line in the ledger.
struct CueRecord {
  enum Fate { case pending, heard, unheard, missed, withdrawn }

  let lane: Int
  private var entry: LedgerEvent.CueEntry
  private var fates: [Fate]

  init(_ entry: LedgerEvent.CueEntry, lane: Int) {
    self.entry = entry
    self.lane = lane
    fates = Array(repeating: .pending, count: entry.parts.count)
  }

  /// True once it is known of every part what became of it.
  var isDecided: Bool { !fates.contains(.pending) }

  mutating func set(_ fate: Fate, ofPart part: Int, onset: BootInstant? = nil) {
    fates[part] = fate
    entry.parts[part].onset = onset
  }

  /// The line for the ledger, once everything is decided.
  var closed: LedgerEvent.CueEntry {
    var entry = entry
    entry.onset = entry.parts.lazy.compactMap(\.onset).first
    let missed = fates.count { $0 == .missed }
    if fates.contains(.withdrawn) {
      entry.outcome = .withdrawn
    } else if missed == fates.count {
      entry.outcome = .missed
      entry.reason = entry.reason ?? "not heard"
    } else if missed > 0 {
      entry.outcome = .shortened
      entry.reason = entry.reason ?? "in part not heard"
    }
    return entry
  }
}
