import Testing

@testable import CueSound

struct LineEstimateTests {
  /// The variance as the definition has it: over all offsets that are a above the lowest and b below the
  /// highest one that a step allows, weighted by the likelihood of that step.
  private func variance(shortest: Double, width: Double, count: Int) -> Double {
    var (weight, mean, square) = (0.0, 0.0, 0.0)
    let unit = shortest / Double(count) / 20
    for i in 0..<4_000 {
      let a = (Double(i) + 0.5) * unit
      for j in 0..<400 {
        // Coarser far out, where the likelihood is small.
        let b = unit * 10 * (Double(j) + 0.5)
        let step = width + a + b
        guard step >= shortest else { continue }
        var likelihood = 1.0
        for _ in 0..<count { likelihood *= shortest / step }
        weight += likelihood
        mean += likelihood * a
        square += likelihood * a * a
      }
    }
    return square / weight - mean * mean / weight / weight
  }

  /// From readings in steps of one period to exact ones, which no step explains but the least.
  private static let cases: [(shortest: Double, width: Double, count: Int)] = [
    (480, 480, 40), (480, 480, 12), (480, 240, 40), (0.1, 0, 40), (0.1, -0.1, 40),
  ]

  @Test(arguments: cases)
  func theOffsetVariesAsTheReadingsAllow(_ some: (shortest: Double, width: Double, count: Int)) {
    let exact = variance(shortest: some.shortest, width: some.width, count: some.count)
    let found = LineEstimate.offsetVariance(
      shortest: some.shortest, width: some.width, count: Double(some.count))
    #expect(abs(found / exact - 1) < 0.03, "\(found) for \(exact)")
  }
}
