import IntervalTimeline

/// Which words of a lane have been requested ahead of their time, and when to request the next ones.
package struct LookAhead: Sendable {
  /// How far ahead words are rendered.
  static let renderAhead = Duration.seconds(12)
  /// How far ahead words are measured, a minute's worth at a time: far beyond the time in which places are
  /// sought.
  static let measureAhead = (least: Duration.seconds(60), most: Duration.seconds(120))
  /// The same for a voice of an engine, which may be slow: what is measured of it is kept.
  static let engineAhead = (least: Duration.seconds(480), most: Duration.seconds(600))
  /// How many announcements are measured ahead at once; of more, those that come later are measured when they are
  /// needed.
  private static let mostMeasured = 500
  /// How far into the workout words are rendered before the start: as far as the first announcement's
  /// place depends on them.
  static let startAhead = Duration.seconds(6)

  /// The first phase whose words have not been requested, and when they will be.
  private var phase = 0
  package private(set) var rendersAt = BootInstant.never
  /// The workout time up to which texts have been measured, and when the next are.
  private var measuredUntil: Duration?
  package private(set) var measuresAt = BootInstant.never

  package init() {}

  /// After a command other words are to come.
  package mutating func startAgain(_ session: Session, at now: BootInstant) {
    phase = session.transport.position(at: now).phase
    rendersAt = BootInstant(nanoseconds: .min)
    measuredUntil = nil
    measuresAt = BootInstant(nanoseconds: .min)
  }

  /// The texts of every phase that begins within `renderAhead`, each phase once.
  package mutating func textsToRender(_ lane: SpeakingLane, at now: BootInstant) -> [String] {
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
      texts += lane.nextNumbers(ofPhase: phase, at: now)
      phase += 1
    }
    return texts
  }

  /// The texts that may be said within `measureAhead` and have not been returned before, in the order of
  /// their earliest instants.
  package mutating func textsToMeasure(_ lane: SpeakingLane, at now: BootInstant) -> [String] {
    guard lane.session.state == .running || lane.session.state == .paused else {
      measuresAt = .never
      return []
    }
    let here = lane.session.transport.position(at: now)
    let isOfEngine = lane.voice.engine != nil
    let ahead = isOfEngine ? Self.engineAhead : Self.measureAhead
    let end = here.elapsed + ahead.most
    measuresAt = now + (ahead.most - ahead.least)
    defer { measuredUntil = end }
    let wordings = lane.wordings(from: here, measuredUntil, until: end, atMost: Self.mostMeasured)
      .map(\.wording)
    guard isOfEngine else { return wordings.flatMap(\.texts) }
    // A count that has not all its numbers is said by another voice. Each text once: a queue has room for so many.
    var found: Set<String> = []
    return (wordings.flatMap { $0.numbers ?? [] } + wordings.flatMap(\.texts))
      .filter { found.insert($0).inserted }
  }

  /// What is said first, and how long after the start or, of a lane that was restored, after now.
  ///
  /// - Parameter keptAt: when the lane's session was last kept.
  package static func firstWordings(
    _ lane: SpeakingLane, at now: BootInstant, keptAt: BootInstant
  ) -> [(wait: Duration, wording: CueWording)] {
    let transport = lane.session.transport
    // A held lane continues where it was saved.
    let instants =
      lane.session.state == .running ? [now, min(now, max(keptAt, transport.started))] : [now]
    return instants.flatMap { instant in
      let here = transport.position(at: instant)
      return lane.wordings(from: here, nil, until: here.elapsed + startAhead)
        .map { (max(.zero, $0.earliest - here.elapsed), $0.wording) }
    }
  }
}
