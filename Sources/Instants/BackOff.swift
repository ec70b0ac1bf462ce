/// How long to wait before something that failed is tried again: twice as long each time.
package struct BackOff: BitwiseCopyable, Hashable, Sendable {
  private let first: Duration
  private let longest: Duration
  private var last = Duration.zero

  package init(from first: Duration, to longest: Duration) {
    (self.first, self.longest) = (first, longest)
  }

  /// The next wait.
  package mutating func next() -> Duration {
    last = last == .zero ? first : min(longest, last * 2)
    return last
  }

  /// The next wait after a connection that lasted for `time`. One that ended at once was none.
  package mutating func next(after time: Duration) -> Duration {
    if time >= Self.proof { reset() }
    return next()
  }
  private static let proof = Duration.seconds(10)

  /// It works.
  package mutating func reset() { last = .zero }
}
