import Testing

@testable import ALSAOutput

struct DitherTests {
  @Test func itIsOneStepAtMostAndOnAverageNothing() {
    var dither = Dither()
    var samples = [Int16](repeating: 0, count: 48_000)
    dither.add(to: &samples, count: samples.count)
    let kinds: Set<Int16> = [-1, 0, 1]
    #expect(Set(samples) == kinds)
    let sum = samples.reduce(into: 0) { $0 += Int($1) }
    #expect(abs(sum) < 1_000)
    let zeros = samples.filter { $0 == 0 }.count
    #expect(zeros < 30_000)
  }

  @Test func theLoudestSampleStaysWhereItIsOrGetsQuieter() {
    var dither = Dither()
    var samples = [Int16](repeating: .max, count: 1_000)
    dither.add(to: &samples, count: samples.count)
    let kinds: Set<Int16> = [.max, .max - 1]
    #expect(Set(samples) == kinds)
  }
}
