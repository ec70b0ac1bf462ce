import CueEngine
import CueSound
import IntervalTimeline
import Synchronization

/// Texts that are said one after the other without a workout, in a lane of their own. Nothing is stored of it. Any
/// thread.
package final class TextTrial: Sendable {
  private struct State {
    /// How many texts have been handed over, and how many of them have found their place.
    var given = 0
    var placed = 0
    var isOver = false
    var subscriptions: [Subscription] = []
  }

  /// Between the end of a text and the next one.
  private static let gap = Duration.milliseconds(500)
  /// How long a text may wait for its words to be rendered.
  private static let patience = Duration.seconds(10)

  private let engine: CueEngine
  private let lane: LaneID
  private let texts: [String]
  private let state = Mutex(State())

  /// Begins with the first of them. Blocks until the output is open; not from a subscriber.
  ///
  /// - Parameters:
  ///   - texts: one at least.
  ///   - style: that of a workout; only who speaks counts.
  ///   - ended: called on the check queue when nothing more is heard of it.
  package init(
    _ texts: [String], by style: LaneStyle, in host: CoachHost,
    ended: @escaping @Sendable () -> Void
  ) throws(LaneError) {
    self.texts = texts
    engine = host.engine
    lane = try engine.addTrial(style)
    let events = host.subscribe { [lane] event in
      if case .engine(.ended(let status, _)) = event, status.id == lane { ended() }
    }
    let speech = host.subscribeToSpeech { [weak self] words in self?.note(words) }
    state.withLock { $0.subscriptions = [events, speech] }
    engine.prepare([lane])
    engine.send(.start, to: [lane])
    sayNext(at: nil)
  }

  /// Nothing more is begun, and what sounds fades out.
  package func stop() {
    let isFirst = state.withLock { state in
      defer { state.isOver = true }
      return !state.isOver
    }
    if isFirst { engine.send(.stop, to: lane) }
  }

  /// A text has its place: the next one follows it.
  private func note(_ words: SpokenText) {
    guard words.isTried, !words.isWithdrawn else { return }
    state.withLock { $0.placed += 1 }
    sayNext(at: words.until + Self.gap)
  }

  private func sayNext(at instant: BootInstant?) {
    let number: Int? = state.withLock { state in
      guard !state.isOver, state.given < texts.count else { return nil }
      state.given += 1
      return state.given
    }
    guard let number else { return }
    let message = Message(texts[number - 1], priority: .normal, patience: Self.patience)
    engine.say(message, in: lane, at: instant) { [weak self] _ in self?.isDone(number) }
  }

  /// A text has been heard, or will not be.
  private func isDone(_ number: Int) {
    if number == texts.count { return stop() }
    let hadNoPlace = state.withLock { state in
      defer { state.placed = max(state.placed, number) }
      return state.placed < number
    }
    if hadNoPlace { sayNext(at: nil) }
  }
}

extension SpokenText {
  /// Said in no workout.
  package var isTried: Bool { lanes == [CueEngine.trialLane] }
}

extension LaneStatus {
  /// No workout's.
  package var isTried: Bool { workoutStatus.name == CueEngine.trialLane }
}

extension MessageLeftOut {
  /// Of no workout.
  package var isTried: Bool { lane == CueEngine.trialLane }
}
