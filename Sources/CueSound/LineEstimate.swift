/// The most probable line of a clock, given readings, the instant of the start and the usual drift.
///
/// Offsets are frames and drifts frames a nanosecond, both relative to the newest reading and the
/// nominal rate, as in `ReadingWindow`.
struct LineEstimate: BitwiseCopyable {
  /// What is known of the drift before any reading.
  struct Prior: BitwiseCopyable {
    var mean: Double
    var deviation: Double
    /// The deviation among all cards.
    var broadDeviation: Double
    var limit: Double

    /// A remembered drift may be another card's, so other drifts keep a small weight.
    fileprivate func density(_ drift: Double) -> Double {
      let near = (drift - mean) / deviation
      let far = drift / broadDeviation
      return 0.97 * Logarithm.inverse(-near * near / 2) / deviation
        + 0.03 * Logarithm.inverse(-far * far / 2) / broadDeviation
    }
  }

  /// The frame that began to be heard, and when.
  struct Start: BitwiseCopyable {
    var time: Double
    var lead: Double
    var variance: Double
    /// A start that was reported wrongly may lie anywhere within this many frames.
    var wrongRange: Double
  }

  /// The lines of one drift.
  struct Candidate: BitwiseCopyable {
    var drift: Double
    /// The least step that the readings allow.
    var width: Double
    /// The step to be expected.
    var step: Double
    var offset: Double
    var variance: Double
    /// The probability that the start was reported rightly, 0…1.
    var startTrust: Double
    /// The logarithm of the likelihood, up to a constant.
    var score: Double
  }

  /// No reading is more exact, frames.
  private static let leastStep = 0.1

  private(set) var best: Candidate
  /// Means and standard deviations over all lines.
  private(set) var drift = 0.0
  private(set) var driftDeviation = 0.0
  private(set) var offset = 0.0
  private(set) var deviation = 0.0

  /// - Precondition: the readings are prepared, and at least four.
  init(_ readings: borrowing ReadingWindow, start: Start?, prior: Prior) {
    let partPerMillion = prior.limit / FrameClock.maxDrift
    best = Self.candidate(prior.mean, readings, start, prior)
    for step in -15..<16 { consider(Double(step) * 20 * partPerMillion, readings, start, prior) }
    // The likelihood has a single maximum: close in on it.
    var reach = 20 * partPerMillion
    while reach > partPerMillion / 500 {
      let center = best.drift
      consider(max(-prior.limit, center - reach), readings, start, prior)
      consider(min(prior.limit, center + reach), readings, start, prior)
      if best.drift == center { reach /= 2 }
    }
    average(readings, start, prior)
  }

  private mutating func consider(
    _ drift: Double, _ readings: borrowing ReadingWindow, _ start: Start?, _ prior: Prior
  ) {
    let candidate = Self.candidate(drift, readings, start, prior)
    if candidate.score > best.score { best = candidate }
  }

  /// Averages over the lines around the best one, weighted by their likelihood.
  private mutating func average(
    _ readings: borrowing ReadingWindow, _ start: Start?, _ prior: Prior
  ) {
    var sums = (weight: 0.0, drift: 0.0, driftSquare: 0.0, offset: 0.0, offsetSquare: 0.0)
    let low = negligibleDrift(-1, readings, start, prior)
    let high = negligibleDrift(1, readings, start, prior)
    let count = 24
    for index in 0..<count + 1 {
      let candidate = Self.candidate(
        low + (high - low) * Double(index) / Double(count), readings, start, prior)
      let weight = Logarithm.inverse(min(0, candidate.score - best.score))
      let drift = candidate.drift - best.drift
      let offset = candidate.offset - best.offset
      sums.weight += weight
      sums.drift += weight * drift
      sums.driftSquare += weight * drift * drift
      sums.offset += weight * offset
      sums.offsetSquare += weight * (offset * offset + candidate.variance)
    }
    let drift = sums.drift / sums.weight
    let offset = sums.offset / sums.weight
    self.drift = best.drift + drift
    self.offset = best.offset + offset
    driftDeviation = max(0, sums.driftSquare / sums.weight - drift * drift).squareRoot()
    deviation = max(0, sums.offsetSquare / sums.weight - offset * offset).squareRoot()
  }

  /// The drift at which the likelihood has become negligible, on one side of the maximum.
  private func negligibleDrift(
    _ sign: Double, _ readings: borrowing ReadingWindow, _ start: Start?, _ prior: Prior
  ) -> Double {
    var reach = prior.limit / FrameClock.maxDrift / 500
    while true {
      let drift = max(-prior.limit, min(prior.limit, best.drift + sign * reach))
      let score = Self.candidate(drift, readings, start, prior).score
      if best.score - score > 7 || abs(drift) == prior.limit { return drift }
      reach *= 1.6
    }
  }

  /// The lines of one drift, with all steps and offsets that the readings allow.
  ///
  /// A step s explains n readings with the likelihood s^−n, and leaves s − W offsets, where W is
  /// `width`. Up to a constant, the integral of (s − W) s^−n over all s from the shortest, s₀, is
  /// s₀^(1−n) · (s₀ (n − 1) − W (n − 2)); for s₀ = W the mean of s is W (n − 1) / (n − 3).
  private static func candidate(
    _ drift: Double, _ readings: borrowing ReadingWindow, _ start: Start?, _ prior: Prior
  ) -> Candidate {
    let (least, greatest) = readings.bounds(drift: drift)
    let count = Double(readings.count)
    let width = least - greatest
    let shortest = max(leastStep, width)
    let step = shortest * (count - 1) / max(1, count - 3)
    var score =
      Logarithm.of(shortest * (count - 1) - width * (count - 2))
      - (count - 1) * Logarithm.of(shortest) + Logarithm.of(prior.density(drift))
    var candidate = Candidate(
      drift: drift, width: width, step: step, offset: (least + greatest + step) / 2,
      variance: offsetVariance(shortest: shortest, width: width, count: count), startTrust: 1,
      score: 0)
    if let start {
      let started = start.lead - drift * start.time
      let between = candidate.variance + start.variance
      let distance = (started - candidate.offset) * (started - candidate.offset) / between
      let right = 0.998 * Logarithm.inverse(-distance / 2) / (2 * Double.pi * between).squareRoot()
      let wrong = 0.002 / start.wrongRange
      score += Logarithm.of(right + wrong)
      let weight = candidate.variance / between * right / (right + wrong)
      candidate.offset += (started - candidate.offset) * weight
      candidate.variance *= 1 - weight
      candidate.startTrust = right / (right + wrong)
    }
    candidate.score = score
    return candidate
  }

  /// The variance of the offset over all steps of one drift.
  ///
  /// Given a step s, the offset is uniform over s − W around (least + greatest + s) / 2. So its variance is
  /// the mean of (s − W)² / 12 plus a quarter of the variance of s: with u = s − W, E[u²] / 3 − E[u]² / 4,
  /// under the weight u s^−n for s ≥ s₀. That is (E[u] / 2)² where s₀ = W and n is large: the offset's
  /// distances from both ends of its range are exponential then.
  static func offsetVariance(shortest: Double, width: Double, count: Double) -> Double {
    // With fewer readings no variance is finite.
    let n = max(6, count)
    // In units of s₀: the integral of s^(k − n) over all s is 1 / (n − 1 − k).
    let w = width / shortest
    let weight = 1 / (n - 2) - w / (n - 1)
    let mean = (1 / (n - 3) - 2 * w / (n - 2) + w * w / (n - 1)) / weight
    let square =
      (1 / (n - 4) - 3 * w / (n - 3) + 3 * w * w / (n - 2) - w * w * w / (n - 1)) / weight
    return shortest * shortest * max(0, square / 3 - mean * mean / 4)
  }
}
