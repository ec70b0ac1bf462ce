import Testing

@testable import CueSound

struct LogarithmTests {
  private static let known = [
    (1.0, 0.0), (2.718281828459045, 1), (0.5, -0.6931471805599453), (10, 2.302585092994046),
    (1e-300, -690.7755278982137), (960.25, 6.867193667226014),
    (1.4142135623730951, 0.3465735902799727),
  ]

  @Test(arguments: known) func itIsTheOneOfTheTables(_ value: Double, _ logarithm: Double) {
    #expect(abs(Logarithm.of(value) - logarithm) < 1e-8)
    #expect(abs(Logarithm.inverse(logarithm) / value - 1) < 1e-8)
  }

  @Test func farBelowThereIsNothing() { #expect(Logarithm.inverse(-1e9) == 0) }
}
