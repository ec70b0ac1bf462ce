import CueEngine
import IntervalTimeline

/// What a display shows of a lane, as of one instant: one of this process, or one of a coach that
/// another process runs.
protocol ShownLane {
  var name: String { get }
  var workout: String { get }
  var state: Transport.State { get }
  /// What the display is written in.
  var phrases: PhraseCatalogue { get }
  /// Nil once the workout is over.
  var label: String? { get }
  /// How hard the phase is, in the workout's words; nil where it does not say.
  var intensity: String? { get }
  /// What the workout has for a display about the phase; nil where it has nothing.
  var note: String? { get }
  var link: String? { get }
  var set: Int? { get }
  var sets: Int? { get }
  /// Repetitions of the phase.
  var reps: Int? { get }
  /// How many of them have been counted.
  var repetitions: Int? { get }
  /// What ends the phase; nil where it ends by itself, and where its end is decided.
  var end: OpenEnd? { get }
  /// The phase is open, and its end is not decided: `phaseLeft` is the most.
  var mayEndEarly: Bool { get }
  /// A phase that is not over is: `workoutLeft` is the most.
  var workoutMayEndEarly: Bool { get }
  /// The label of the phase after this one.
  var next: String? { get }
  var phaseElapsed: Duration { get }
  var phaseLeft: Duration? { get }
  var elapsed: Duration { get }
  var workoutLeft: Duration? { get }
  var phases: Int { get }
  var done: Int { get }
  var skipped: Int { get }
}

extension LaneStatus: ShownLane {
  var reps: Int? {
    guard case .reps(let count) = length?.end else { return nil }
    return count
  }

  var end: OpenEnd? { mayEndEarly ? length?.end : nil }

  /// "4:00", "12 reps", "until next", "until ready"; nil before a surprise, and once the workout is over.
  var lengthText: String? {
    isBeforeSurprise
      ? nil
      : length.map { length in
        if case .fixed(let duration) = length { return duration.clockText }
        if case .open(.sendOff, _) = length, let phaseLeft { return phaseLeft.clockText }
        return repsText ?? signalText ?? phrases.screen(.untilNext)
      }
  }
}

extension ShownLane {
  /// "set 3 of 8", or nothing.
  var setText: String? {
    self.set.map { phrases.screen(.set, ["set": "\($0)", "sets": "\(sets ?? $0)"]) }
  }

  /// "12 reps", if the phase has repetitions; "3/12 reps" once some have been counted. "3" where rounds are.
  var repsText: String? {
    guard let text = reps.flatMap({ phrases.length(.open(.reps($0))) }) else {
      return repetitions.flatMap { $0 > 0 ? "\($0)" : nil }
    }
    return repetitions.map { $0 > 0 ? "\($0)/\(text)" : text } ?? text
  }

  /// "until ready", if the phase waits for a signal.
  var signalText: String? {
    guard case .signal(let name) = end else { return nil }
    return phrases.screen(.untilSignal, ["signal": name])
  }

  /// Its note and its link, in one line.
  var noteText: String? {
    let texts = [note, link].compactMap { $0?.singleLine }
    return texts.isEmpty ? nil : texts.joined(separator: "  ")
  }

  /// The position: "set 3 of 8, Low, 0:12 left", "Rest, open, since 0:50, at most 2:10 more".
  var placeText: String {
    let time = phrases.time(left: phaseLeft, passed: phaseElapsed, mayEndEarly: mayEndEarly)
    return [setText, label, time].compactMap { $0 }.joined(separator: ", ")
  }

  /// The result of the run, in one line.
  ///
  /// - Parameter isKept: true if it was interrupted and can be resumed.
  func summary(isKept: Bool = false) -> String {
    let how: ScreenKey = state == .finished ? .complete : isKept ? .interrupted : .stopped
    let parts = [
      phrases.screen(how, ["time": elapsed.passedText]),
      phrases.screen(.done, ["done": "\(done)", "phases": "\(phases)"]),
      skipped > 0 ? phrases.screen(.skipped, ["skipped": "\(skipped)"]) : nil,
    ]
    return "\(workout.shownName): " + parts.compactMap { $0 }.joined(separator: ", ")
  }

  /// The time until its clock shows another second; nil while it stands still.
  var untilNextSecond: Duration? {
    guard state == .running else { return nil }
    let left = mayEndEarly ? nil : phaseLeft
    let time = left ?? phaseElapsed
    let part = Duration(secondsComponent: 0, attosecondsComponent: time.components.attoseconds)
    let wait = left == nil ? .seconds(1) - part : part
    // Slightly later, so that the second has passed; at least 20 ms, to avoid a busy loop.
    return max(.milliseconds(20), wait + .milliseconds(2))
  }
}

extension PhraseCatalogue {
  /// "0:12 left"; of an open phase "open, since 0:50", and with a longest length "open, since 0:50, at most
  /// 2:10 more".
  func time(left: Duration?, passed: Duration, mayEndEarly: Bool) -> String? {
    guard mayEndEarly else { return left.map { screen(.left, ["time": $0.leftText]) } }
    let most = left.map { screen(.atMost, ["time": $0.leftText]) }
    return [screen(.open, ["time": passed.passedText]), most].compactMap { $0 }
      .joined(separator: ", ")
  }
}
