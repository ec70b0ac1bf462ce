import IntervalTimeline

/// Which words of a lane have been asked for ahead of their time, and when the next ones are.
struct LookAhead {
  /// How far ahead words are rendered.
  static let renderAhead = Duration.seconds(12)
  /// How far ahead the lengths of words are asked for, a minute's worth at a time: far beyond what
  /// is looked at for a place.
  static let measureAhead = (least: Duration.seconds(60), most: Duration.seconds(120))
  /// Before a start: what a first announcement is laid out with.
  static let startAhead = Duration.seconds(6)

  /// The first phase whose words have not been asked for, and when they will be.
  private var phase = 0
  private(set) var rendersAt = BootInstant.never
  /// The workout time up to which texts have been given to be measured, and when the next are.
  private var measuredUntil: Duration?
  private(set) var measuresAt = BootInstant.never

  /// After a command the words to come are other ones.
  mutating func startAgain(_ session: Session, at now: BootInstant) {
    phase = session.transport.position(at: now).phase
    rendersAt = BootInstant(nanoseconds: .min)
    measuredUntil = nil
    measuresAt = BootInstant(nanoseconds: .min)
  }

  /// The texts of every phase that begins within `renderAhead`, each phase once.
  mutating func textsToRender(_ lane: SpeakingLane, at now: BootInstant) -> [String] {
    var texts: [String] = []
    rendersAt = .never
    let session = lane.session
    // Before the start nothing has an instant.
    guard session.state != .ready else { return [] }
    while phase <= session.timeline.count, let start = session.transport.start(of: phase) {
      let instant = session.transport.nominalInstant(of: start)
      guard instant < now + Self.renderAhead else {
        rendersAt = instant - Self.renderAhead
        break
      }
      texts += lane.wordings(ofPhase: phase, start: start).flatMap(\.likelyTexts)
      phase += 1
    }
    return texts
  }

  /// The texts that may be said from now on until `measureAhead` and have not been given before, in
  /// the order in which they may be heard first.
  mutating func textsToMeasure(_ lane: SpeakingLane, at now: BootInstant) -> [String] {
    guard lane.session.state == .running || lane.session.state == .paused else {
      measuresAt = .never
      return []
    }
    let here = lane.session.transport.position(at: now)
    let end = here.elapsed + Self.measureAhead.most
    measuresAt = now + (Self.measureAhead.most - Self.measureAhead.least)
    defer { measuredUntil = end }
    return lane.wordings(from: here, measuredUntil, until: end).flatMap(\.wording.texts)
  }

  /// What is said first, and how long after the start or, of a lane that was restored, after now.
  ///
  /// - Parameter keptAt: when the lane's session was last kept.
  static func firstWordings(
    _ lane: SpeakingLane, at now: BootInstant, keptAt: BootInstant
  ) -> [(wait: Duration, wording: CueWording)] {
    let transport = lane.session.transport
    // One that is held goes on where it was kept.
    let instants =
      lane.session.state == .running ? [now, min(now, max(keptAt, transport.started))] : [now]
    return instants.flatMap { instant in
      let here = transport.position(at: instant)
      return lane.wordings(from: here, nil, until: here.elapsed + startAhead)
        .map { (max(.zero, $0.earliest - here.elapsed), $0.wording) }
    }
  }
}
