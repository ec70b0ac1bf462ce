/// The limits of what a program may ask for.
extension Mixer {
  /// How late a voice may be and still play where an output says nothing else.
  @usableFromInline package static var usualLate: Duration { .milliseconds(120) }
  /// How late a timed voice may be: less than a listener notices.
  package static var timedLate: Duration { .milliseconds(2) }
  /// The longest `late` and `fade`.
  static var longest: Duration { .seconds(60) }

  static func require(_ late: Duration, _ fade: Duration) {
    guard (.zero...longest).contains(late), (.zero...longest).contains(fade) else {
      fatalError(
        "a Mixer with late \(late.wholeNanoseconds) ns and fade \(fade.wholeNanoseconds) ns, expected 0 to 60 s each"
      )
    }
  }

  static func require(_ newFrame: Frames) {
    guard newFrame.value <= FrameMap.maxFrame else {
      fatalError(
        "a Mixer that skips to frame \(newFrame.value), expected at most \(FrameMap.maxFrame)")
    }
  }
}
