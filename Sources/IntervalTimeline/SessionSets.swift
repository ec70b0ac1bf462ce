/// Finds the set of a cue, and the key by which the gate knows an announcement.
extension Session {
  /// The set the workout will be in when the cue is heard.
  func liveSet(of cue: Cue, phaseStart: Duration) -> (set: Int?, sets: Int?) {
    guard cue.phase < timeline.count else { return (nil, nil) }
    // A cue at its phase's end still belongs to the set that ends there.
    let length = transport.length(of: cue.phase)
    let offset = length.map { cue.at < $0 ? cue.at : .zero } ?? cue.at
    let instant = transport.nominalInstant(of: phaseStart + offset)
    let phase = transport.position(at: instant).phase
    guard phase < timeline.count else { return (nil, nil) }
    return (timeline.entries[phase].set, timeline.entries[phase].sets)
  }

  func scheduledSet(of cue: Cue) -> Int? {
    if case .setCompletion = cue.content { return notedSet }
    return cue.phase < timeline.count ? timeline.entries[cue.phase].set : nil
  }

  /// Records the set that will be announced next unless a command changes it.
  mutating func noteSet(after phase: Int) {
    notedSet = timeline.nextSetEnd(from: phase + 1).flatMap { timeline.entries[$0].set }
  }

  func key(of cue: Cue, set: Int?) -> CueGate.Key? {
    switch cue.content {
    case .setCompletion:
      set.map { .setCompletion(block: timeline.entries[cue.phase].block, set: $0) }
    case .halfway: .halfway(phase: cue.phase)
    case .next(let phase): .next(phase: phase)
    default: nil
    }
  }
}
