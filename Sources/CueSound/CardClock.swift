/// Knows which frame a device plays when, and when to ask the device for its position.
///
/// A pointer that moves in steps says most at the instant at which it moves, so the clock asks for
/// one reading after another until it does, for a few milliseconds at most; for a pointer that always
/// moves that is the second reading. What the clock already knows says when the next step comes, which
/// keeps the wait short.
package struct CardClock: ~Copyable {
  /// What a reading has led to.
  package enum PositionQuery: BitwiseCopyable, Hashable, Sendable {
    /// Ask for the position once more, at once.
    case again
    /// The position says nothing: ask how many frames are queued instead. The look is over.
    case queue
    /// The device has played up to this frame.
    case played(Frames)
  }

  /// A look that waits for the pointer to move.
  private struct EdgeWait: BitwiseCopyable {
    /// Where the pointer stood.
    let first: Frames
    /// When the wait began, and when the last reading did.
    let since: BootInstant
    var last: BootInstant
  }

  /// A frame at which the pointer was seen to move, and how far it moved.
  private struct Edge: BitwiseCopyable {
    let frame: Frames
    let length: Frames
  }

  private(set) var clock: FrameClock
  /// After `relearn`, until a reading: the map may be off by a step of the pointer.
  private(set) var isRough = false
  /// For a device that leads to a sound server or a radio link, once that has settled.
  private var smoothed: SmoothedMap?
  private var schedule = PollSchedule()
  /// Frames that have left the device's own buffer and are not heard yet: in a sound server, a radio
  /// link, a signal processor.
  package private(set) var deviceDelay: Frames = 0
  /// Up to where the device itself says it has played; nil while it says nothing.
  package private(set) var confirmed: Frames?

  private var isDelayKnown = false
  /// The position lagged behind the start by the delay.
  private var lagsBehindStart = false
  private var lastPlayed: Frames?
  /// The first frame since the device was started, and between when and when that was.
  private var start: FrameClock.Reading
  /// The edge that was seen last.
  private var edge: Edge?
  private var edgeWait: EdgeWait?
  /// How many more waits may be in vain.
  private var patience = Self.maxPatience
  /// How long the quickest reading took.
  private var quickest = Duration.unlimited

  private let rate: Int
  private let isServer: Bool

  /// More than a card's own electronics hold back: something follows the device.
  private static let noticeableDelay: Frames = 480
  /// A reading that took longer, and more than twice as long as the quickest, says little about its
  /// instant.
  private static let maxBracket: Duration = .microseconds(200)
  /// How long the clock waits for a step of the pointer.
  private static let longestWait: Duration = .milliseconds(12)
  private static let shortWait: Duration = .microseconds(1_500)
  /// A reading that took longer is discarded even if all take long.
  private static let longestReading: Duration = .seconds(1)
  /// A delay beyond this is a wrong answer, in seconds.
  private static let maxDelay = 60
  /// After this many waits in vain the pointer is read at any instant.
  private static let maxPatience = 3

  /// - Parameters:
  ///   - drift: what is remembered of the card, parts per million.
  ///   - isServer: a sound server's position wanders.
  package init(rate: Int, drift: Double?, isServer: Bool, at now: BootInstant) {
    self.rate = rate
    self.isServer = isServer
    clock = FrameClock(rate: rate, drift: drift)
    start = FrameClock.Reading(frame: 0, earliest: now, latest: now)
    clock.restart(start)
  }

  /// When which frame is heard.
  package var map: FrameMap { smoothed?.map ?? clock.map }
  /// True when the device is heard as soon as it is started: nothing follows it, such as a sound server or
  /// a radio link.
  package var isDirect: Bool {
    deviceDelay <= Self.noticeableDelay || !isServer && !lagsBehindStart
  }
  package var isLocked: Bool { clock.isLocked }
  /// The drift, once it is known well enough to be remembered, parts per million.
  package var learnedDrift: Double? {
    clock.isLocked && clock.driftUncertainty < 10 ? clock.drift : nil
  }

  // MARK: Starts

  /// The device was started between these instants; `frame` is the first that will be heard.
  package mutating func restart(frame: Frames, earliest: BootInstant, latest: BootInstant) {
    start = FrameClock.Reading(frame: frame, earliest: earliest, latest: latest)
    isRough = false
    confirmed = nil
    edge = nil
    edgeWait = nil
    patience = Self.maxPatience
    schedule.restart(at: latest)
    restart()
  }

  /// The device played on, or stood still, unobserved: about `frame` is heard now.
  package mutating func relearn(frame: Frames, at now: BootInstant) {
    isRough = true
    confirmed = nil
    edge = nil
    edgeWait = nil
    schedule.restart(at: now)
    clock.restart(
      FrameClock.Reading(frame: frame - clock.lead, earliest: now, latest: now), isExact: false,
      settles: false)
    smoothed = nil
  }

  /// What is written first is heard only once it has passed whatever follows the device.
  private mutating func restart() {
    var begun = start
    if !isDirect { begun.frame -= deviceDelay }
    clock.restart(begun, isExact: isDirect)
    smoothed = nil
  }

  // MARK: Readings

  package func wantsLook(at now: BootInstant) -> Bool { schedule.wantsLook(at: now) }

  /// Learns from a position that the device gave between these instants.
  ///
  /// - Parameter written: up to where the device has been given frames.
  package mutating func observe(
    _ position: DevicePosition, written: Frames, from begin: BootInstant, to end: BootInstant
  ) -> PositionQuery {
    if let edgeWait {
      return observe(position, written: written, waiting: edgeWait, from: begin, to: end)
    }
    schedule.hasLooked(at: begin)
    guard abs(Int(position.delay)) < Self.maxDelay * rate else { return .queue }
    let played = written - position.delay
    // A device that has taken everything (ALSA's null) has no clock to learn.
    guard position.isRunning, position.delay > 0 else { return .played(played) }
    confirmed = played
    measureDelay(position, played: played, at: begin)
    // A device that stands still teaches the clock nothing.
    let isMoving = played != lastPlayed
    lastPlayed = played
    guard isMoving, schedule.wantsReading(at: begin) else { return .played(played) }
    guard patience > 0 else {
      learn(played, from: begin, to: end)
      return .played(played)
    }
    guard isNearEdge(at: end) else { return .played(played) }
    edgeWait = EdgeWait(first: played, since: begin, last: begin)
    return .again
  }

  /// The device gave no position. While the clock waits for an edge, the last position counts.
  package mutating func hasNoTiming(from begin: BootInstant) -> PositionQuery {
    guard let edgeWait else {
      schedule.hasLooked(at: begin)
      return .queue
    }
    return endWait(edgeWait)
  }

  /// Any other failure ends the look.
  package mutating func breakOffLook() { edgeWait = nil }

  private mutating func observe(
    _ position: DevicePosition, written: Frames, waiting wait: EdgeWait,
    from begin: BootInstant, to end: BootInstant
  ) -> PositionQuery {
    guard position.isRunning, position.delay > 0 else { return endWait(wait) }
    let played = written - position.delay
    if played == wait.first {
      guard begin - wait.since < Self.longestWait else { return endWait(wait) }
      edgeWait?.last = begin
      return .again
    }
    edgeWait = nil
    edge = Edge(frame: played, length: played - wait.first)
    patience = Self.maxPatience
    confirmed = played
    learn(played, from: wait.last, to: end)
    return .played(played)
  }

  private mutating func endWait(_ wait: EdgeWait) -> PositionQuery {
    edgeWait = nil
    patience -= 1
    return .played(wait.first)
  }

  private mutating func measureDelay(
    _ position: DevicePosition, played: Frames, at now: BootInstant
  ) {
    // Before the clock is locked the device may report a delay that is far off.
    let most = Frames(rate * (clock.isLocked ? 10 : 1) / 2)
    deviceDelay = max(0, min(most, position.delay - position.queued + clock.lead))
    guard !isDelayKnown else { return }
    isDelayKnown = true
    // The start was taken as heard at once. A USB card fetches frames ahead and yet plays the first of them
    // at once: its position keeps up with the start. Where something follows the card, it lags by the delay.
    lagsBehindStart = (clock.map.frame(at: now) - played).value * 2 > deviceDelay.value
    if !isDirect { restart() }
  }

  /// Gives the clock a reading, unless it took too long.
  private mutating func learn(_ frame: Frames, from begin: BootInstant, to end: BootInstant) {
    let length = end - begin
    quickest = min(quickest, length)
    guard length < Self.longestReading, length <= max(Self.maxBracket, quickest * 2) else {
      return
    }
    clock.observe(FrameClock.Reading(frame: frame, earliest: begin, latest: end))
    isRough = false
    if isServer, clock.isLocked {
      if smoothed == nil { smoothed = SmoothedMap(clock.map, rate: rate, at: end) }
      smoothed?.follow(clock.map, at: end)
    }
    schedule.hasRead(at: end, isDoubtful: clock.isDoubtful)
  }

  // MARK: The pointer's steps

  /// True when the pointer's next step is known to be near, or nothing is known of its steps.
  private func isNearEdge(at now: BootInstant) -> Bool {
    guard let edge, isLong(edge), !clock.isDoubtful else { return true }
    return nextStep(of: edge, after: now) - now < Self.shortWait
  }

  private func isLong(_ edge: Edge) -> Bool {
    SampleRate.length(of: edge.length, at: rate) > Self.shortWait
  }

  /// When the pointer will probably move next.
  private func nextStep(of edge: Edge, after now: BootInstant) -> BootInstant {
    let seen = edge.frame - clock.lead
    let passed = clock.map.frame(at: now) - seen
    let steps = max(0, passed.value / edge.length.value) + 1
    return clock.map.instant(of: seen + Frames(steps * edge.length.value))
  }

  /// When to look next so that the pointer moves just then, if a reading is wanted by `latest`;
  /// not before `earliest`.
  package func goodInstant(
    from earliest: BootInstant, to latest: BootInstant
  ) -> BootInstant {
    guard let edge, patience > 0, schedule.wantsReading(at: latest), isLong(edge) else {
      return latest
    }
    return min(latest, nextStep(of: edge, after: earliest + Self.shortWait) - Self.shortWait / 2)
  }
}
