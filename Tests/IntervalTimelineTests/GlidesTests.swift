import TestSupport
import Testing

@testable import IntervalTimeline

@Suite struct GlidesTests {
  private let breath = Glides([4, 7, 8, 0], risesFirst: true)

  @Test func aToneLastsAsLongAsItsPartAndRestsAreSilent() {
    let pieces = breath.pieces(in: .zero..<Duration.seconds(38), before: .seconds(38))
    let ranges: [(rises: Bool, from: Int, to: Int)] = [
      (true, 0, 4), (false, 11, 19), (true, 19, 23), (false, 30, 38),
    ]
    // A piece of 200 ms begins each 100 ms, the last one as the part ends.
    var expected: [Duration] = []
    for range in ranges {
      expected += (0..<(range.to - range.from) * 10 - 1).map {
        .seconds(range.from) + .milliseconds(100 * $0)
      }
    }
    #expect(pieces.map(\.time) == expected)
    for (time, piece) in pieces {
      let range = ranges.last { .seconds($0.from) <= time }
      #expect(range?.rises == piece.rises)
      #expect(range.map { time - .seconds($0.from) } == piece.offset)
      #expect(range.map { .seconds($0.to - $0.from) } == piece.part)
    }
  }

  /// The check asks for the pieces of one moment after another, of any lengths.
  @Test func windowsThatFollowEachOtherHaveEachPieceOnce() {
    let whole = breath.pieces(in: .zero..<Duration.seconds(60), before: nil)
    var parts: [(time: Duration, piece: Glides.Piece)] = []
    var from = Duration.zero
    for step in 0... {
      let to = min(.seconds(60), from + .milliseconds(37 + 211 * (step % 7)))
      parts += breath.pieces(in: from..<to, before: nil)
      from = to
      if to == .seconds(60) { break }
    }
    #expect(parts.map(\.time) == whole.map(\.time) && parts.map(\.piece) == whole.map(\.piece))
  }

  @Test func aWeightGoesDownFirstAndNothingSoundsAfterThePhase() {
    let pieces = Glides([3, 1, 1, 0]).pieces(
      in: .zero..<Duration.seconds(20), before: .milliseconds(1_050))
    #expect(pieces.map(\.time) == (0...8).map { .milliseconds(100 * $0) })
    #expect(pieces.allSatisfy { !$0.piece.rises })
  }

  @Test(arguments: [
    [], [1, 2, 3], [0, 0, 0, 0], [0, 5, 0, 5], [61, 0, 0, 0], [-1, 2, 3, 4], [1, 1, 1, 1, 1],
  ])
  func numbersOutsideTheirLimitsAreRefused(seconds: [Int]) {
    let glides = Glides(seconds)
    #expect(glides.pieces(in: .zero..<Duration.seconds(9), before: nil).isEmpty)
    var phase = Phase(.work, .fixed(.seconds(9)))
    phase.glides = glides
    let workout = Workout("A", [phase])
    #expect(throws: WorkoutError(.tempo, block: 0, step: 0)) { try Timeline(workout) }
  }

  /// As a set that ends with a counted tempo: nothing is counted over the tone.
  @Test func theEndOfASetIsNotCountedOverATone() throws {
    var phase = Phase(.work, .fixed(.seconds(20)))
    phase.glides = Glides([2, 0, 2, 0])
    let steps = [phase, Phase(.rest, .fixed(.seconds(20)))].map { Block.Step($0) }
    let timeline = try Timeline(
      Workout(name: "A", blocks: [Block(sets: 2, steps: [steps[1], steps[0]])]))
    let ends = CuePlan().cues(of: 1, in: timeline).filter {
      switch $0.content {
      case .countdown, .setCompletion: true
      default: false
      }
    }
    #expect(ends.isEmpty)
  }
}
