/// A tempo that is heard as tones in place of words: one glides up or down while a weight or a breath moves, and nothing
/// is heard while it rests.
public struct Glides: Hashable, Codable, Sendable {
  /// Of one repetition: moving, resting, moving back, resting; whole seconds, 0…60 each, and not zero in
  /// both parts that move.
  public var seconds: [Int]
  /// True where the tone of the first part rises and that of the third falls, as for a breath; otherwise the first
  /// falls, as a weight goes down.
  public var risesFirst: Bool

  /// The arguments are taken as they are; `Timeline` checks them.
  public init(_ seconds: [Int], risesFirst: Bool = false) {
    (self.seconds, self.risesFirst) = (seconds, risesFirst)
  }

  /// A piece of the tone of one part. Each begins in the middle of the one before, so that their sum is the tone, and
  /// each can be left out or be softer without a click.
  package struct Piece: Hashable, Sendable {
    /// Of the whole tone.
    package let part: Duration
    package let rises: Bool
    /// Where it begins, since the beginning of the tone.
    package let offset: Duration
  }

  /// From the beginning of a piece to that of the next; a piece lasts twice as long.
  package static let step = Duration.milliseconds(100)
  package static let partCount = 4
  /// Seconds of a part.
  package static let parts = 0...60

  /// False where a number is outside its limits.
  package var isPermitted: Bool {
    seconds.count == Self.partCount && seconds.allSatisfy(Self.parts.contains)
      && seconds[0] + seconds[2] > 0
  }

  /// Of one repetition.
  package var length: Duration { .seconds(seconds.reduce(0, +)) }

  /// The pieces that begin in a window of a phase's time, in order.
  ///
  /// - Parameters:
  ///   - window: since the beginning of the phase; half-open.
  ///   - end: that of the phase, where it is known: a piece that would end after it is left out.
  package func pieces(
    in window: Range<Duration>, before end: Duration?
  ) -> [(time: Duration, piece: Piece)] {
    guard isPermitted, !window.isEmpty else { return [] }
    var pieces: [(time: Duration, piece: Piece)] = []
    var start = length * Int((window.lowerBound / length).rounded(.down))
    while start < window.upperBound {
      for index in seconds.indices {
        let part = Duration.seconds(seconds[index])
        if index.isMultiple(of: 2) {
          for step in 0..<max(0, Int(part / Self.step) - 1) {
            let offset = Self.step * step
            let time = start + offset
            guard window.contains(time), end.map({ time + Self.step * 2 <= $0 }) ?? true else {
              continue
            }
            pieces.append(
              (time, Piece(part: part, rises: (index == 0) == risesFirst, offset: offset)))
          }
        }
        start += part
      }
    }
    return pieces
  }
}
