extension Duration {
  /// Longer than anything lasts; as a wait, until something else ends it.
  package static var unlimited: Duration { .nanoseconds(Int64.max) }

  /// The duration in whole nanoseconds, rounded towards zero. Exact for every length that a preset
  /// can state.
  @usableFromInline
  package var wholeNanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }

  /// The duration in whole milliseconds, rounded towards zero.
  package var wholeMilliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }

  /// The duration in seconds, to the nanosecond for spans of up to a hundred days.
  package var inSeconds: Double { self / .seconds(1) }

  /// The duration without its sign.
  package var magnitude: Duration { self < .zero ? .zero - self : self }

  /// Remaining time in whole seconds, rounded up: a countdown shows 3 when "three" is said, and 0
  /// only at the end. Every display and text uses this value.
  package var secondsLeft: Int64 {
    max(0, components.seconds + (components.attoseconds > 0 ? 1 : 0))
  }

  /// Elapsed time in whole seconds, rounded down; together with `secondsLeft` it gives the whole
  /// length.
  package var secondsPassed: Int64 { max(0, components.seconds) }
}
