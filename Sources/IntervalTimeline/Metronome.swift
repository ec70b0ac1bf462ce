/// Ticks in a phase, to move by: a stroke rate, a cadence, a step.
///
/// Its ticks are a function of time: tick k lies where the integral of the rate is k, never where the one before it was
/// plus something.
public struct Metronome: Hashable, Codable, Sendable {
  /// How fast it ticks.
  public enum Rate: Hashable, Codable, Sendable {
    /// So many beats a minute.
    case steady(Double)
    /// A beat each so long, in whole milliseconds.
    case every(Duration)
    /// Beats a minute at the beginning and at the end of the phase, and evenly between.
    case ramp(Double, Double)
  }

  /// How a beat is divided by one more tick, as a stroke is by its finish.
  public enum Stroke: Hashable, Codable, Sendable {
    /// Its first part to its second, such as 1 to 2.
    case ratio(Double, Double)
    /// The first part lasts about 0.83 s, as a rower's drive does at every rate, and at most half of the beat.
    case auto
  }

  /// What a tick is.
  package enum Tick: Hashable, Sendable {
    /// A beat.
    case beat
    /// The first of some beats.
    case accent
    /// The finish of a stroke, or a part of a beat.
    case offbeat
  }

  /// How fast it ticks.
  public var rate: Rate
  /// Nil: a beat is one tick.
  public var stroke: Stroke?
  /// Each so many beats one has an accent, 2…16; nil: none has.
  public var accent: Int?
  /// A beat has so many ticks, 2…8; nil: one. Not with `stroke`.
  public var subdivision: Int?

  /// Beats without accents. The arguments are taken as they are; `Timeline` checks them.
  public init(
    _ rate: Rate, stroke: Stroke? = nil, accent: Int? = nil, subdivision: Int? = nil
  ) {
    self.rate = rate
    self.stroke = stroke
    self.accent = accent
    self.subdivision = subdivision
  }

  /// In beats a minute.
  package static let rates = 1.0...240.0
  /// In ticks a minute, with those of a subdivision.
  package static let maxRate = 480.0
  package static let accents = 2...16
  package static let subdivisions = 2...8
  package static let ratios = 0.1...10.0
  /// Of a rower, in seconds.
  private static let drive = 0.83

  /// Beats a minute at the beginning and at the end.
  private var bounds: (first: Double, last: Double) {
    switch rate {
    case .steady(let rate): (rate, rate)
    case .every(let time): (60 / (time / .seconds(1)), 60 / (time / .seconds(1)))
    case .ramp(let first, let last): (first, last)
    }
  }

  /// False where a number is outside its limits.
  package var isPermitted: Bool {
    if case .every(let time) = rate, time <= .zero { return false }
    let (first, last) = bounds
    let parts = Double(stroke != nil ? 2 : subdivision ?? 1)
    if case .ratio(let one, let other) = stroke {
      guard Self.ratios.contains(one), Self.ratios.contains(other) else { return false }
    }
    return Self.rates.contains(first) && Self.rates.contains(last)
      && max(first, last) * parts <= Self.maxRate
      && accent.map(Self.accents.contains) ?? true
      && subdivision.map(Self.subdivisions.contains) ?? true
      && (stroke == nil || subdivision == nil)
  }

  /// The ticks in a window of a phase's time, in order.
  ///
  /// - Parameters:
  ///   - window: since the beginning of the phase; half-open.
  ///   - anchor: where beat 0 lies, since the beginning of the phase.
  ///   - length: of the phase, for a ramp; nil: nobody knows it, and the rate stays as it is at the beginning.
  package func ticks(
    in window: Range<Duration>, from anchor: Duration, length: Duration?
  ) -> [(time: Duration, tick: Tick)] {
    guard isPermitted, !window.isEmpty else { return [] }
    let curve = Curve(bounds, length: length, anchor: anchor)
    var beat = max(0, Int(curve.beats(at: window.lowerBound).rounded(.down)) - 1)
    var ticks: [(time: Duration, tick: Tick)] = []
    while true {
      let start = curve.time(ofBeat: beat)
      guard start < window.upperBound else { return ticks }
      let isAccent = accent.map { beat.isMultiple(of: $0) } ?? false
      ticks.append((start, isAccent ? .accent : .beat))
      for part in parts(of: start..<curve.time(ofBeat: beat + 1)) { ticks.append((part, .offbeat)) }
      ticks = ticks.filter { window.contains($0.time) }
      beat += 1
    }
  }

  /// The ticks of a beat after its first.
  private func parts(of beat: Range<Duration>) -> [Duration] {
    let period = (beat.upperBound - beat.lowerBound) / .seconds(1)
    let fractions: [Double] =
      switch stroke {
      case .ratio(let one, let other): [one / (one + other)]
      case .auto: [min(Self.drive / period, 0.5)]
      case nil: (1..<(subdivision ?? 1)).map { Double($0) / Double(subdivision ?? 1) }
      }
    return fractions.map { beat.lowerBound + .seconds($0 * period) }
  }
}

/// How many beats there have been at a time, and when a beat is.
private struct Curve {
  /// Beats a second at the beginning of the phase, and how many more each second.
  private let first: Double
  private let slope: Double
  /// Beats from the beginning of the phase to beat 0.
  private var skipped = 0.0
  /// The end of the ramp, in seconds; the rate stays as it is from there.
  private let end: Double

  init(_ bounds: (first: Double, last: Double), length: Duration?, anchor: Duration) {
    let seconds = length.map { $0 / .seconds(1) } ?? .infinity
    let isRamp = length != nil && seconds > 0
    first = bounds.first / 60
    slope = isRamp ? (bounds.last - bounds.first) / 60 / seconds : 0
    end = isRamp ? seconds : .infinity
    skipped = integral(anchor / .seconds(1))
  }

  private func integral(_ time: Double) -> Double {
    guard time > end else { return time * (first + slope * time / 2) }
    return end * (first + slope * end / 2) + (time - end) * (first + slope * end)
  }

  func beats(at time: Duration) -> Double { integral(time / .seconds(1)) - skipped }

  /// Since the beginning of the phase.
  func time(ofBeat beat: Int) -> Duration {
    let count = Double(beat) + skipped
    let whole = end == .infinity ? .infinity : integral(end)
    guard count > whole else {
      // The root of slope/2·t² + first·t = count, in the form that is exact also where the slope is nothing.
      let root = max(0, first * first + 2 * slope * count).squareRoot()
      return Self.rounded(2 * count / (first + root))
    }
    return Self.rounded(end + (count - whole) / (first + slope * end))
  }

  /// To a nanosecond, so that a time that is whole is exactly that.
  private static func rounded(_ seconds: Double) -> Duration {
    .nanoseconds(Int64((seconds * 1e9).rounded()))
  }
}
