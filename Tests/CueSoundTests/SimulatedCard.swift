@testable import CueSound

/// A card's pointer over simulated time, and a clock that learns from it.
struct SimulatedCard: ~Copyable {
  /// When the pointer is read.
  enum Reading: Sendable {
    /// Just as it moves, as the output does.
    case moving
    case anytime
  }

  /// What is wrong with the card.
  struct Manner: Sendable {
    var drift = 0.0
    /// Seconds by which the pointer moves at a time; 0: it always moves.
    var step = 0.0
    /// The pointer moves up to so many seconds late.
    var lateness = 0.0
    /// The pointer is wrong by up to so many seconds during the first half second.
    var lie = 0.0
    /// The sound begins so many seconds after the start was reported.
    var startDelay = 0.0
    var reading = Reading.moving
    /// Readings a second, once the first seconds are over.
    var pace = 2.0
  }

  var clock: FrameClock
  private(set) var manner: Manner
  private(set) var seconds = 0.0
  private var random: SplitMix
  private var startedAt = 0.0
  /// Frames that the card has passed over.
  var jumped = 0.0
  private var rate: Double { 48_000 * (1 + manner.drift * 1e-6) }

  init(_ manner: Manner, remembered: Double? = nil, seed: UInt64 = 1) {
    self.manner = manner
    clock = FrameClock(rate: 48_000, drift: remembered)
    random = SplitMix(state: seed)
    clock.restart(.init(frame: 0, earliest: -10_000, latest: 5_000))
  }

  /// The frame that is truly heard.
  func truth(at seconds: Double) -> Double { (seconds - manner.startDelay) * rate + jumped }

  /// How far off the map is 50 ms ahead, in seconds.
  var error: Double {
    let ahead = seconds + 0.05
    let told =
      Double(clock.map.frame)
      + (ahead * 1e9 - Double(clock.map.nanoseconds)) * clock.map.rate * 1e-9
    return (told - truth(at: ahead)) / rate
  }

  /// Reads until `end`; the greatest error from `from` on, in seconds.
  mutating func run(to end: Double, from: Double = 0) -> Double {
    var worst = 0.0
    while seconds < end {
      read()
      if seconds >= from { worst = max(worst, abs(error)) }
    }
    return worst
  }

  private mutating func read() {
    let age = seconds - startedAt
    let isNew = age < 0.3 || (1..<1.5).contains(age)
    let pause = manner.reading == .anytime || isNew ? 0.022 : age < 3 ? 0.1 : 1 / manner.pace
    seconds += pause * random.next(in: 0.7...1.3)
    let isHeldUp = random.next(in: 0...1) < 0.05
    let bracket = random.next(in: isHeldUp ? 50e-6...200e-6 : 3e-6...40e-6)
    let frames = max(1, manner.step * 48_000)
    var frame = truth(at: seconds)
    var instant = seconds
    switch manner.reading {
    case .moving:
      frame = (frame / frames).rounded(.up) * frames
      instant =
        (frame - jumped) / rate + manner.startDelay
        + random.next(in: 0...max(1e-9, manner.lateness))
    case .anytime:
      frame = (frame / frames).rounded(.down) * frames
    }
    if manner.lie > 0, instant < 0.5 {
      frame -= manner.lie * 48_000 * (1 - 2 * instant) * (1 - 8 * abs(instant - 0.25))
    }
    let begin = instant - bracket * random.next(in: 0...1)
    seconds = begin + bracket
    clock.observe(
      .init(
        frame: Int64(frame.rounded(.down)), earliest: Int64(begin * 1e9),
        latest: Int64(seconds * 1e9)))
  }

  /// The machine sleeps: the card stands still, and the output starts the clock anew.
  mutating func sleep(_ length: Double) {
    jumped -= length * rate
    seconds += length
    startedAt = seconds
    let frame = Int64(truth(at: seconds))
    let now = Int64(seconds * 1e9)
    clock.restart(.init(frame: frame, earliest: now - 5_000_000, latest: now))
  }
}

/// SplitMix64, so that a failure repeats.
struct SplitMix {
  var state: UInt64

  mutating func next(in range: ClosedRange<Double>) -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    mixed ^= mixed >> 31
    return range.lowerBound + (range.upperBound - range.lowerBound) * Double(mixed >> 11) * 0x1p-53
  }
}
