/// How a key is pressed.
package enum Gesture: String, CaseIterable, Hashable, Sendable {
  case short, double, long
}

/// One key, and which press its ups and downs are. The time is an argument: nanoseconds of CLOCK_BOOTTIME.
///
/// A key that has neither a double nor a long press acts as it goes down. Otherwise a long press acts while the key is
/// still held, a double press as the key goes down again, and a short one when it can be neither.
package struct KeyPress: Hashable, Sendable {
  /// Contacts bounce: a key that is up for less has not been let go.
  package static let bounce: Int64 = 30_000_000
  /// The second press of two comes within this time of the first one's end.
  package static let pause: Int64 = 300_000_000
  /// A press that lasts as long is a long one.
  package static let long: Int64 = 800_000_000

  /// A press and the instant at which it was one.
  package struct Done: Hashable, Sendable {
    package let gesture: Gesture
    package let at: Int64
  }

  private enum State: Hashable, Sendable {
    case up
    /// - Parameter isSpent: nothing more comes of this press.
    case down(since: Int64, isSpent: Bool)
    /// It is up, perhaps for an instant only.
    case leaving(since: Int64, isSpent: Bool, at: Int64)
    /// It was pressed once; the second press may come until then.
    case once(until: Int64)
  }

  /// A key that bounces more often in one press is broken: nothing comes of that press.
  private static let maxBounces = 20

  private let gestures: Set<Gesture>
  private var state = State.up
  /// Of the press under way.
  private var bounces = 0

  /// - Parameter gestures: those that mean something.
  package init(_ gestures: Set<Gesture>) { self.gestures = gestures }

  /// When something becomes of the key without an event; nil: never.
  package var deadline: Int64? {
    switch state {
    case .up: nil
    case .down(let since, let isSpent):
      gestures.contains(.long) && !isSpent ? since + Self.long : nil
    case .leaving(_, _, let at): at + Self.bounce
    case .once(let end): end
    }
  }

  /// The key goes down or up.
  package mutating func take(isDown: Bool, at instant: Int64) -> [Done] {
    var done = check(at: instant)
    switch (state, isDown) {
    case (.up, true):
      bounces = 0
      let actsAtOnce = gestures == [.short]
      state = .down(since: instant, isSpent: actsAtOnce)
      if actsAtOnce { done.append(Done(gesture: .short, at: instant)) }
    case (.once, true):
      state = .down(since: instant, isSpent: true)
      done.append(Done(gesture: .double, at: instant))
    case (.leaving(let since, let isSpent, _), true):
      bounces += 1
      state = .down(since: since, isSpent: isSpent || bounces > Self.maxBounces)
    case (.down(let since, let isSpent), false):
      state = .leaving(since: since, isSpent: isSpent, at: instant)
    case (.down, true), (.leaving, false), (.up, false), (.once, false): break
    }
    // It may have become a long press while it seemed to be let go.
    return done + check(at: instant)
  }

  /// What has become of the key by an instant. Events of before must have been taken.
  package mutating func check(at now: Int64) -> [Done] {
    var done: [Done] = []
    while let deadline, deadline <= now {
      var gesture: Gesture?
      switch state {
      case .down(let since, _):
        state = .down(since: since, isSpent: true)
        gesture = .long
      case .leaving(_, let isSpent, let at):
        let mayDouble = !isSpent && gestures.contains(.double)
        state = mayDouble ? .once(until: at + Self.pause) : .up
        gesture = isSpent || mayDouble ? nil : .short
      case .once:
        state = .up
        gesture = .short
      case .up: break
      }
      if let gesture, gestures.contains(gesture) {
        done.append(Done(gesture: gesture, at: deadline))
      }
    }
    return done
  }
}
