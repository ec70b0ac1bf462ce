import CueTesting
import IntervalTimeline
import Testing

@testable import CueEngine
@testable import CueSound

/// The tones of a tempo as they are heard.
@Suite struct GlidingTests {
  private static let rate = 8_000

  private static func phase(_ seconds: Int, _ glides: Glides?) -> Phase {
    var phase = Phase(.work, .fixed(.seconds(seconds)))
    phase.glides = glides
    return phase
  }

  /// What is to be heard at each frame of a phase.
  private static func expected(_ glides: Glides, seconds: Int) -> [Int] {
    let tone = GlideTone(rate: rate, length: Glides.step * 2)
    var sum = [Int](repeating: 0, count: (seconds + 1) * rate)
    for (time, piece) in glides.pieces(in: .zero..<Duration.seconds(seconds), before: nil) {
      let first = Int(time / .seconds(1) * Double(rate))
      let clip = tone.piece(of: piece.part, rises: piece.rises, from: piece.offset)
      for (index, sample) in clip.samples.enumerated() { sum[first + index] += Int(sample) }
    }
    return sum
  }

  /// Frames at which what is heard differs from what is expected by more than rounding.
  private static func differences(
    _ samples: ArraySlice<Int16>, _ expected: ArraySlice<Int>
  ) -> Int {
    zip(samples, expected).count { abs(Int($0) - $1) > 2 }
  }

  @Test func eachSampleOfATone() throws {
    let glides = Glides([3, 1, 2, 0], risesFirst: true)
    let run = try TickingTests.Run([Self.phase(60, glides)])
    run.advance(.seconds(30))
    let start = run.start
    run.engine.shutDown()
    let samples = run.bench.output.samples
    let expected = Self.expected(glides, seconds: 30)
    // After the sound of the beginning.
    let range = Self.rate * 2..<Self.rate * 27
    let heard = samples[(range.lowerBound + start)..<(range.upperBound + start)]
    #expect(Self.differences(heard, expected[range]) == 0)
    #expect(heard.contains { abs(Int($0)) > 4_000 })
  }

  /// A run that has ended: 12 s of the phase, a pause of 5.25 s, and 10 s more.
  private static func paused(_ phase: Phase) throws -> (run: TickingTests.Run, start: Int) {
    let run = try TickingTests.Run([phase])
    run.advance(.seconds(12))
    run.engine.send(.pause, to: run.lane)
    run.advance(.milliseconds(5_250))
    run.engine.send(.resume, to: run.lane)
    run.advance(.seconds(10))
    let start = run.start
    run.engine.shutDown()
    return (run, start)
  }

  @Test func aPauseIsSilentAndTheToneGoesOnFromItsMiddle() throws {
    let glides = Glides([8, 0, 8, 0])
    let (run, start) = try Self.paused(Self.phase(60, glides))
    let samples = run.bench.output.samples
    let frames = { (seconds: Double) in Int(seconds * Double(Self.rate)) }
    // Faded out, and silent.
    #expect(samples[frames(12.3)..<frames(17.2)].allSatisfy { $0 == 0 })
    let expected = Self.expected(glides, seconds: 30)
    // Once two pieces sound, it is the tone of that time.
    let from = frames(18)
    let until = frames(26)
    let pause = frames(5.25)
    #expect(
      Self.differences(
        samples[from..<until], expected[(from - start - pause)..<(until - start - pause)]) == 0)
    // It does not begin with a step.
    let soft = samples[frames(17.2)..<from]
    #expect(zip(soft, soft.dropFirst()).allSatisfy { abs(Int($1) - Int($0)) < 2_200 })
    #expect(soft.contains { abs(Int($0)) > 3_000 })
  }

  /// Ticks beside a tone keep their places in it, also after a pause.
  @Test func aMetronomeTicksInTheTone() throws {
    let glides = Glides([8, 0, 8, 0])
    var phase = Self.phase(60, glides)
    phase.metronome = Metronome(.steady(60))
    let (run, start) = try Self.paused(phase)
    var expected = Self.expected(glides, seconds: 30)
    let tick = TickingTests.sounds[.tick].samples
    for second in 0..<30 {
      for (index, sample) in tick.enumerated() {
        expected[second * Self.rate + index] += Int(sample)
      }
    }
    for (range, pause) in [(2..<11, 0), (18..<26, Self.rate * 21 / 4)] {
      let (from, until) = (range.lowerBound * Self.rate, range.upperBound * Self.rate)
      let heard = run.bench.output.samples[from..<until]
      let wanted = expected[(from - start - pause)..<(until - start - pause)]
      #expect(Self.differences(heard, wanted) == 0)
    }
  }

  /// Each tone has faded out when its phase ends, and the next one fades in.
  @Test func betweenTwoPhasesIsNoStep() throws {
    let (first, second) = (Glides([3, 0, 3, 0]), Glides([2, 0, 4, 0], risesFirst: true))
    let run = try TickingTests.Run([Self.phase(12, first), Self.phase(30, second)])
    run.advance(.seconds(20))
    let start = run.start
    run.engine.shutDown()
    let samples = run.bench.output.samples
    let seam = start + 12 * Self.rate
    let end = Self.expected(first, seconds: 12)[(11 * Self.rate)..<(12 * Self.rate)]
    #expect(Self.differences(samples[(seam - Self.rate)..<seam], end) == 0)
    #expect(samples[(seam - 8)..<seam].allSatisfy { abs(Int($0)) < 16 })
    #expect(samples[(seam - Self.rate)..<(seam - Self.rate / 2)].contains { abs(Int($0)) > 3_000 })
    // After the sound of the boundary.
    let next = Self.expected(second, seconds: 8)[(2 * Self.rate)..<(7 * Self.rate)]
    #expect(
      Self.differences(samples[(seam + 2 * Self.rate)..<(seam + 7 * Self.rate)], next) == 0)
  }

  @Test func nextEndsIt() throws {
    let run = try TickingTests.Run([Self.phase(60, Glides([4, 0, 4, 0])), Self.phase(60, nil)])
    run.advance(.milliseconds(5_300))
    run.engine.send(.next, to: run.lane)
    run.advance(.seconds(8))
    run.engine.shutDown()
    let samples = run.bench.output.samples
    // The sound of the beginning of the next phase is over after a second.
    #expect(samples[(Self.rate * 7)...].allSatisfy { $0 == 0 })
    #expect(samples[(Self.rate * 4)..<(Self.rate * 5)].contains { $0 != 0 })
  }
}
