/// What a session will want to say.
extension Session {
  /// The most phases that are searched for upcoming announcements.
  private static let maximumPreview = 32

  /// Whether the other session does the same workout at the same instants, and tells the same of it.
  package func isInStep(with other: Session) -> Bool {
    transport.anchors == other.transport.anchors && plan == other.plan
      && timeline.workout == other.timeline.workout
  }

  /// Announcements that are not handed off yet and may begin before `end`; their `id` is 0. The
  /// layout leaves room for them.
  ///
  /// - Parameter maximum: how many are returned, the earliest first, and besides them the ends of sets.
  package func upcoming(before end: BootInstant, atMost maximum: Int = .max) -> [HandOff] {
    guard state == .running else { return [] }
    var found: [HandOff] = []
    var cues = planned[nextCue...]
    let last = min(timeline.count, plannedPhase + Self.maximumPreview)
    for phase in plannedPhase...max(plannedPhase, last) {
      if phase > plannedPhase {
        cues = self.cues(of: phase)[...]
      }
      guard let start = transport.start(of: phase) else { break }
      for cue in cues where cue.isSpoken && !isToldAlready(cue) {
        let earliest = transport.nominalInstant(of: start + cue.earliest)
        guard earliest < end else { return found }
        // The numbers of a count keep their seconds, whatever else there is.
        if found.count >= maximum {
          guard case .setCompletion = cue.content else { continue }
        }
        let due = transport.nominalInstant(of: start + cue.at)
        let live = liveSet(of: cue, phaseStart: start)
        found.append(
          HandOff(
            id: 0, cue: cue, set: live.set, sets: live.sets, scheduledSet: live.set, due: due,
            earliest: earliest, until: transport.nominalInstant(of: start + cue.until),
            latest: cue.patience.map { due + $0 }, limit: limit(of: cue, phaseStart: start)))
      }
    }
    return found
  }
}
