/// Knows which frame a device plays when, and says how often the device must be asked.
///
/// A pointer that moves in steps says most at the instant at which it moves, so the clock asks for
/// one reading after another until it does, for a few milliseconds at most; for a pointer that always
/// moves that is the second reading. What the clock knows already says when the next step comes, so
/// the wait is short.
public struct CardClock: ~Copyable {
  /// What a reading has led to.
  public enum Look: BitwiseCopyable, Hashable, Sendable {
    /// Ask for the position once more, at once.
    case again
    /// The position says nothing: ask how many frames are queued, and end with `counted`.
    case queue
    /// The device has played up to this frame.
    case played(Int64)
  }

  /// Waiting for the pointer to move.
  private struct EdgeWait: BitwiseCopyable {
    /// Where the pointer stood.
    let first: Int64
    /// When the wait began, and when the last reading did.
    let since: Int64
    var last: Int64
  }

  /// A frame at which the pointer was seen to move, and how far it moved.
  private struct Edge: BitwiseCopyable {
    let frame: Int64
    let length: Int64
  }

  private(set) var clock: FrameClock
  /// For what has a sound server or a radio link behind it, once that has settled.
  private var smoothed: SmoothedMap?
  private var schedule = PollSchedule()
  /// Frames behind the device's own buffer: in a sound server, a radio link, a signal processor.
  public private(set) var deviceDelay: Int64 = 0
  /// What the device itself says it has played; nil while it says nothing.
  public private(set) var confirmed: Int64?

  private var isDelayKnown = false
  private var lastPlayed: Int64?
  private var start: FrameClock.Reading
  /// The newest one.
  private var edge: Edge?
  private var edgeWait: EdgeWait?
  private var patience = Self.greatestPatience
  /// The quickest reading so far, nanoseconds.
  private var quickest = Int64.max

  private let rate: Int
  private let isServer: Bool

  /// Frames. More than what a card's own electronics hold back: there is something behind it.
  private static let noticeableDelay: Int64 = 480
  /// A reading that took longer says little about its instant, nanoseconds.
  private static let greatestBracket: Int64 = 200_000
  /// How long the clock waits for a step of the pointer, nanoseconds.
  private static let longestWait: Int64 = 12_000_000
  private static let shortWait: Int64 = 1_500_000
  /// After so many waits in vain the pointer is read at any instant.
  private static let greatestPatience = 3

  /// - Parameters:
  ///   - drift: what is remembered of the card, parts per million.
  ///   - isServer: a sound server's position wanders.
  public init(rate: Int, drift: Double?, isServer: Bool, at now: Int64) {
    self.rate = rate
    self.isServer = isServer
    clock = FrameClock(rate: rate, drift: drift)
    start = FrameClock.Reading(frame: 0, earliest: now, latest: now)
    clock.restart(start)
  }

  /// When which frame is heard.
  public var map: FrameMap { smoothed?.map ?? clock.map }
  /// True when nothing lies behind the device, such as a sound server or a radio link.
  public var isDirect: Bool { deviceDelay <= Self.noticeableDelay }
  public var isLocked: Bool { clock.isLocked }
  /// The drift, once it is known well enough to be remembered, parts per million.
  public var learnedDrift: Double? {
    clock.isLocked && clock.driftUncertainty < 10 ? clock.drift : nil
  }

  // MARK: Starts

  /// The device was started between these instants; `frame` is the first that will be heard.
  public mutating func restart(frame: Int64, earliest: Int64, latest: Int64) {
    start = FrameClock.Reading(frame: frame, earliest: earliest, latest: latest)
    confirmed = nil
    edge = nil
    edgeWait = nil
    patience = Self.greatestPatience
    schedule.restart(at: latest)
    restart(lateBy: deviceDelay)
  }

  /// The device played on, or stood still, while nobody looked: about `frame` is heard now.
  public mutating func relearn(frame: Int64, at now: Int64) {
    confirmed = nil
    edge = nil
    edgeWait = nil
    schedule.restart(at: now)
    clock.restart(
      FrameClock.Reading(frame: frame, earliest: now, latest: now), isExact: false, settles: false)
    smoothed = nil
  }

  private mutating func restart(lateBy deviceDelay: Int64) {
    var begun = start
    begun.frame -= deviceDelay
    clock.restart(begun, isExact: isDirect)
    smoothed = nil
  }

  // MARK: Readings

  public func wantsLook(at now: Int64) -> Bool { schedule.wantsLook(at: now) }

  /// Takes in a position that the device gave between these instants.
  ///
  /// - Parameter written: how many frames the device has been given.
  public mutating func observe(
    _ position: DevicePosition, written: Int64, from begin: Int64, to end: Int64
  ) -> Look {
    if let edgeWait {
      return observe(position, written: written, waiting: edgeWait, from: begin, to: end)
    }
    schedule.hasLooked(at: begin)
    guard abs(position.delay) < 60 * Int64(rate) else { return .queue }
    let played = written - position.delay
    // A device that has taken everything (ALSA's null) has no clock to learn.
    guard position.isRunning, position.delay > 0 else { return .played(played) }
    confirmed = played
    measureDelay(position)
    // Nothing can be learned of a device that stands still.
    let isMoving = played != lastPlayed
    lastPlayed = played
    guard isMoving, schedule.wantsReading(at: begin) else { return .played(played) }
    guard patience > 0 else {
      read(played, begin, end)
      return .played(played)
    }
    guard isNearEdge(at: end) else { return .played(played) }
    edgeWait = EdgeWait(first: played, since: begin, last: begin)
    return .again
  }

  /// The device gave no position. In the middle of a look, that is where it was last.
  public mutating func hasNoTiming(from begin: Int64) -> Look {
    guard let edgeWait else {
      schedule.hasLooked(at: begin)
      return .queue
    }
    return endWait(edgeWait)
  }

  /// Any other failure ends the look.
  public mutating func breakOffLook() { edgeWait = nil }

  private mutating func observe(
    _ position: DevicePosition, written: Int64, waiting wait: EdgeWait, from begin: Int64,
    to end: Int64
  ) -> Look {
    guard position.isRunning, position.delay > 0 else { return endWait(wait) }
    let played = written - position.delay
    if played == wait.first {
      guard begin - wait.since < Self.longestWait else { return endWait(wait) }
      edgeWait?.last = begin
      return .again
    }
    edgeWait = nil
    edge = Edge(frame: played, length: played - wait.first)
    patience = Self.greatestPatience
    confirmed = played
    read(played, wait.last, end)
    return .played(played)
  }

  private mutating func endWait(_ wait: EdgeWait) -> Look {
    edgeWait = nil
    patience -= 1
    return .played(wait.first)
  }

  private mutating func measureDelay(_ position: DevicePosition) {
    // What it says before the clock is locked may be wild.
    let most = Int64(rate) * (clock.isLocked ? 10 : 1) / 2
    deviceDelay = max(0, min(most, position.delay - position.queued))
    // Until the clock has settled, the start is all it goes by.
    if !isDelayKnown, !isDirect { restart(lateBy: deviceDelay) }
    isDelayKnown = true
  }

  private mutating func read(_ frame: Int64, _ begin: Int64, _ end: Int64) {
    quickest = min(quickest, end - begin)
    guard end - begin < 1_000_000_000, end - begin <= max(Self.greatestBracket, 2 * quickest) else {
      return
    }
    clock.observe(FrameClock.Reading(frame: frame, earliest: begin, latest: end))
    if isServer, clock.isLocked {
      if smoothed == nil { smoothed = SmoothedMap(clock.map, rate: rate, at: end) }
      smoothed?.follow(clock.map, at: end)
    }
    schedule.hasRead(at: end, isDoubtful: clock.isDoubtful)
  }

  // MARK: The pointer's steps

  /// True when the pointer's next step is known to be near, or nothing is known of its steps.
  private func isNearEdge(at now: Int64) -> Bool {
    guard let edge, isLong(edge), !clock.isDoubtful else { return true }
    return nextStep(of: edge, after: now) - now < Self.shortWait
  }

  private func isLong(_ edge: Edge) -> Bool {
    edge.length * 1_000_000_000 > Int64(rate) * Self.shortWait
  }

  /// When the pointer will move next, as far as that is known.
  private func nextStep(of edge: Edge, after now: Int64) -> Int64 {
    let current = clock.map.frame(at: now)
    let steps = max(0, (current - edge.frame) / edge.length) + 1
    return clock.map.nanoseconds(of: edge.frame + steps * edge.length)
  }

  /// When to look next so that the pointer moves just then, if a reading is wanted by `latest`;
  /// not before `earliest`.
  public func goodInstant(from earliest: Int64, to latest: Int64) -> Int64 {
    guard let edge, patience > 0, schedule.wantsReading(at: latest), isLong(edge) else {
      return latest
    }
    return min(latest, nextStep(of: edge, after: earliest + Self.shortWait) - Self.shortWait / 2)
  }
}
