import CueSound
import Glibc

/// Knows which frame a device plays when, and asks it as seldom as that allows.
///
/// A pointer that moves in steps tells most at the instant at which it moves, so that instant is
/// waited for, in a loop of a few milliseconds at most; for a pointer that always moves that is the
/// second look. What the clock knows already says when the next step comes, and the loop is short.
struct CardClock: ~Copyable {
  private var clock: FrameClock
  /// For what has a sound server or a radio link behind it, once that has settled.
  private var steady: SteadyMap?
  private var plan = LookPlan()
  /// Frames behind the device's own buffer: in a sound server, a radio link, a signal processor.
  private(set) var deviceDelay: Int64 = 0
  /// What the device itself says it has played; nil while it tells nothing of the kind.
  private(set) var confirmed: Int64?

  private var isDelayKnown = false
  private var lastPlayed: Int64?
  private var start: FrameClock.Reading
  /// The newest frame at which the pointer was seen to move, and how far it moved.
  private var edge: (frame: Int64, length: Int64)?
  private var patience = Self.greatestPatience
  /// The quickest look so far, nanoseconds.
  private var quickest = Int64.max
  /// CLOCK_BOOTTIME less CLOCK_MONOTONIC: grows while the machine sleeps.
  private var asleep: Int64

  private let rate: Int
  private let isServer: Bool

  /// More than what a card's own electronics hold back: there is something behind it.
  private static let noticeableDelay: Int64 = 480
  /// A look that took longer tells little about its instant.
  private static let greatestBracket: Int64 = 200_000
  /// How long a step of the pointer is waited for.
  private static let longestWait: Int64 = 12_000_000
  private static let shortWait: Int64 = 1_500_000
  /// A pointer that was waited for in vain so often is read at any instant.
  private static let greatestPatience = 3

  /// - Parameters:
  ///   - drift: what is remembered of the card, parts per million.
  ///   - isServer: it is a sound server's, whose word wanders.
  init(rate: Int, drift: Double?, isServer: Bool) {
    self.rate = rate
    self.isServer = isServer
    clock = FrameClock(rate: rate, drift: drift)
    asleep = Self.timeAsleep()
    let now = Self.now()
    start = FrameClock.Reading(frame: 0, earliest: now, latest: now)
    clock.restart(start)
  }

  func wantsLook(at now: Int64) -> Bool { plan.wantsLook(at: now) }

  /// When which frame is heard.
  var map: FrameMap { steady?.map ?? clock.map }
  /// True when there is nothing to be learned of a sound server or a radio link.
  var isDirect: Bool { deviceDelay <= Self.noticeableDelay }
  var isLocked: Bool { clock.isLocked }
  /// The drift, where the device has told it well enough to be remembered.
  var learnedDrift: Double? {
    clock.isLocked && clock.driftUncertainty < 10 ? clock.drift : nil
  }

  static func now() -> Int64 { time(CLOCK_BOOTTIME) }

  private static func time(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Never more than the truth, also when the thread is held up between the two.
  private static func timeAsleep() -> Int64 {
    let total = now()
    return total - time(CLOCK_MONOTONIC)
  }

  /// True when the machine has slept since the last call.
  mutating func hasSlept() -> Bool {
    let before = asleep
    asleep = max(asleep, Self.timeAsleep())
    return asleep - before > 1_000_000
  }

  /// `frame` is the first that will be heard of a device started between these instants.
  mutating func restart(frame: Int64, earliest: Int64, latest: Int64) {
    start = FrameClock.Reading(frame: frame, earliest: earliest, latest: latest)
    confirmed = nil
    edge = nil
    patience = Self.greatestPatience
    plan.restart(at: latest)
    restart(lateBy: deviceDelay)
  }

  /// The device went on playing, or stood still, while nobody looked: `frame` is about what is heard.
  mutating func relearn(frame: Int64, at now: Int64) {
    confirmed = nil
    edge = nil
    plan.restart(at: now)
    clock.restart(
      FrameClock.Reading(frame: frame, earliest: now, latest: now), isExact: false, settles: false)
    steady = nil
  }

  private mutating func restart(lateBy deviceDelay: Int64) {
    var begun = start
    begun.frame -= deviceDelay
    clock.restart(begun, isExact: isDirect)
    steady = nil
  }

  /// Asks the device where it is. Returns the frame it has played up to.
  ///
  /// - Parameter written: how many frames it has been given.
  mutating func look(
    at device: PCMDevice, written: Int64
  ) throws(PCMDevice.Failure) -> Int64 {
    let begin = Self.now()
    plan.hasLooked(at: begin)
    let first: PCMDevice.Observation
    do throws(PCMDevice.Failure) {
      first = try device.observe()
    } catch .noTiming {
      return try written - device.queued()
    }
    let end = Self.now()
    let played = written - first.delay
    guard abs(first.delay) < 60 * Int64(rate) else { return try written - device.queued() }
    // A device that has taken everything (ALSA's null) has no clock to learn.
    guard first.isRunning, first.delay > 0 else { return played }
    confirmed = played
    measureDelay(first)
    // Of a device that stands still nothing is to be learned.
    let isMoving = played != lastPlayed
    lastPlayed = played
    guard isMoving, plan.wantsReading(at: begin) else { return played }
    if patience > 0 {
      guard isNearEdge(at: end) else { return played }
      return try waitForEdge(device, written: written, from: played, since: begin)
    }
    read(played, begin, end)
    return played
  }

  private mutating func measureDelay(_ observation: PCMDevice.Observation) {
    // What is told before the clock is locked may be wild.
    let most = Int64(rate) * (clock.isLocked ? 10 : 1) / 2
    deviceDelay = max(0, min(most, observation.delay - observation.queued))
    // Until the clock has settled, the start is all it goes by.
    if !isDelayKnown, !isDirect { restart(lateBy: deviceDelay) }
    isDelayKnown = true
  }

  /// True when the pointer's next step is known to be near, or nothing is known of its steps.
  private func isNearEdge(at now: Int64) -> Bool {
    guard let edge, edge.length * 1_000_000_000 > Int64(rate) * Self.shortWait, !clock.isDoubtful
    else { return true }
    return nextEdge(after: now) - now < Self.shortWait
  }

  /// When the pointer will move next, as far as that is known.
  private func nextEdge(after now: Int64) -> Int64 {
    guard let edge else { return now }
    let current = clock.map.frame(at: now)
    let steps = max(0, (current - edge.frame) / edge.length) + 1
    return clock.map.nanoseconds(of: edge.frame + steps * edge.length)
  }

  /// When to look next so that the pointer moves just then, if a reading is wanted by `latest`;
  /// not before `earliest`.
  func goodInstant(from earliest: Int64, to latest: Int64) -> Int64 {
    guard let edge, patience > 0, plan.wantsReading(at: latest),
      edge.length * 1_000_000_000 > Int64(rate) * Self.shortWait
    else { return latest }
    return min(latest, nextEdge(after: earliest + Self.shortWait) - Self.shortWait / 2)
  }

  private mutating func waitForEdge(
    _ device: PCMDevice, written: Int64, from first: Int64, since begin: Int64
  ) throws(PCMDevice.Failure) -> Int64 {
    var played = first
    var before = begin
    var now = begin
    while played == first, now - begin < Self.longestWait {
      before = now
      now = Self.now()
      let observation: PCMDevice.Observation
      do throws(PCMDevice.Failure) {
        observation = try device.observe()
      } catch .noTiming {
        break
      }
      guard observation.isRunning, observation.delay > 0 else { break }
      played = written - observation.delay
      if played == first { continue }
      let end = Self.now()
      edge = (played, played - first)
      patience = Self.greatestPatience
      confirmed = played
      read(played, before, end)
      return played
    }
    patience -= 1
    return played
  }

  private mutating func read(_ frame: Int64, _ begin: Int64, _ end: Int64) {
    quickest = min(quickest, end - begin)
    guard end - begin < 1_000_000_000, end - begin <= max(Self.greatestBracket, 2 * quickest) else {
      return
    }
    clock.observe(FrameClock.Reading(frame: frame, earliest: begin, latest: end))
    if isServer, clock.isLocked {
      if steady == nil { steady = SteadyMap(clock.map, rate: rate, at: end) }
      steady?.follow(clock.map, at: end)
    }
    plan.hasRead(at: end, isDoubtful: clock.isDoubtful)
  }
}
