import CueEngine
import IntervalTimeline

/// What a display of this program shows of a workout, as of one instant: one of this process, or one of a coach that
/// another process runs. The properties of its status are read as if they were its own.
@dynamicMemberLookup
struct ShownLane {
  let status: WorkoutStatus
  /// What the display is written in.
  let phrases: PhraseCatalogue
  /// The running phase's length; nil after the last one, and where another process runs it.
  var length: PhaseLength?

  subscript<Value>(dynamicMember property: KeyPath<WorkoutStatus, Value>) -> Value {
    status[keyPath: property]
  }

  /// What ends the phase, as far as it is known; nil where it ends by itself, and where its end is decided.
  var end: OpenEnd? {
    guard status.mayEndEarly else { return nil }
    return length?.end ?? status.reps.map { .reps($0) } ?? status.signal.map { .signal($0) }
      ?? status.heartRateBelow.map { .heartRate(below: $0) }
  }

  /// "4:00", "12 reps", "until next", "until ready"; nil before a surprise, and once the workout is over.
  var lengthText: String? {
    status.isBeforeSurprise
      ? nil
      : length.map { length in
        if case .fixed(let duration) = length { return duration.clockText }
        if case .open(.sendOff, _) = length, let left = status.phaseLeft { return left.clockText }
        return repsText ?? untilText ?? phrases.screen(.untilNext)
      }
  }
}

extension ShownLane {
  init(_ lane: LaneStatus) {
    self.init(status: lane.workoutStatus, phrases: lane.phrases, length: lane.length)
  }

  /// "set 3 of 8", or nothing.
  var setText: String? {
    status.set.map { phrases.screen(.set, ["set": "\($0)", "sets": "\(status.sets ?? $0)"]) }
  }

  /// "12 reps", if the phase has repetitions; "3/12 reps" once some have been counted. "3" where rounds are.
  var repsText: String? {
    guard let text = status.reps.flatMap({ phrases.length(.open(.reps($0))) }) else {
      return status.repetitions.flatMap { $0 > 0 ? "\($0)" : nil }
    }
    return status.repetitions.map { $0 > 0 ? "\($0)/\(text)" : text } ?? text
  }

  /// "until ready", "until the heart rate is below 120", if the phase waits for a signal or a heart rate.
  var untilText: String? {
    switch end {
    case .signal(let name): phrases.screen(.untilSignal, ["signal": name])
    case .heartRate(let rate):
      [phrases, .english].lazy.compactMap { $0.length(.open(.heartRate(below: rate))) }.first
    case .reps, .untilNext, .sendOff, nil: nil
    }
  }

  /// Its note and its link, in one line.
  var noteText: String? {
    let texts = [status.note, status.link].compactMap { $0?.singleLine }
    return texts.isEmpty ? nil : texts.joined(separator: "  ")
  }

  /// The position: "set 3 of 8, Low, 0:12 left", "Rest, open, since 0:50, at most 2:10 more".
  var placeText: String {
    let time = phrases.time(
      left: status.phaseLeft, passed: status.phaseElapsed, mayEndEarly: status.mayEndEarly)
    return [setText, status.label, time].compactMap { $0 }.joined(separator: ", ")
  }

  /// The result of the run, in one line.
  ///
  /// - Parameter isKept: true if it was interrupted and can be resumed.
  func summary(isKept: Bool = false) -> String {
    let how: ScreenKey = status.state == .finished ? .complete : isKept ? .interrupted : .stopped
    let parts = [
      phrases.screen(how, ["time": status.elapsed.passedText]),
      phrases.screen(.done, ["done": "\(status.done)", "phases": "\(status.phases)"]),
      status.skipped > 0 ? phrases.screen(.skipped, ["skipped": "\(status.skipped)"]) : nil,
    ]
    return "\(status.workout.shownName): " + parts.compactMap { $0 }.joined(separator: ", ")
  }

  /// The time until its clock shows another second; nil while it stands still.
  var untilNextSecond: Duration? {
    guard status.state == .running else { return nil }
    let left = status.mayEndEarly ? nil : status.phaseLeft
    let time = left ?? status.phaseElapsed
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
