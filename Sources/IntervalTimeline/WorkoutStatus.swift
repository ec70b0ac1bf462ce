/// The state of a workout that runs, for any display: of the coach's own process, of the control socket, of the page.
///
/// It has instants instead of remaining seconds, so that a display counts down by itself and needs no update until
/// something changes. The keys of its JSON are in control.md; a length there is in nanoseconds, and what is nil,
/// false or unknown is left out.
public struct WorkoutStatus: Hashable, Sendable {
  /// The name under which it runs, for requests.
  public var name: String
  /// The name of the workout (`Workout.name`).
  public var workout: String
  /// The name of the preset by which it was started; nil where it has none.
  package var preset: String?
  /// What commands are possible: `ready` until the start, `stopped` or `finished` while last sounds are heard.
  public var state: Transport.State
  /// The language of its announcements, such as "en".
  public var language: String
  /// The index of the running phase, or of the one in which the workout was stopped; `phases` after the last one.
  public var phase = 0
  /// How many phases the workout has.
  public var phases = 0
  /// The running phase's kind; nil after the last phase.
  public var kind: PhaseKind?
  /// What the coach calls the phase; nil after the last one.
  public var label: String?
  /// The running phase's intensity as the workout has it; nil where it has none.
  public var intensity: String?
  /// The running phase's note as the workout has it, to be shown; nil where it has none.
  public var note: String?
  /// The running phase's address as the workout has it, to be shown; nil where it has none.
  public var link: String?
  /// The running phase's set, from 1; nil where the phase belongs to no numbered set.
  public var set: Int?
  /// How many sets the running phase's block has; nil where `set` is.
  public var sets: Int?
  /// How many repetitions the phase has; nil unless it lasts until they are done.
  public var reps: Int?
  /// The repetitions or rounds counted so far, from 0; nil unless the phase counts them.
  public var repetitions: Int?
  /// The signal that ends the phase; nil unless it waits for one, and where its end is decided.
  public var signal: String?
  /// The heart rate that ends the phase once the athlete's is below; nil unless it waits for one, and where its end is
  /// decided.
  public var heartRateBelow: Int?
  /// True while the running phase is open and it is not decided when it ends: `phaseLeft` and `phaseEndsAt` are
  /// the most.
  public var mayEndEarly = false
  /// True while the running phase or a later one is open: the workout may end before `workoutEndsAt`, and
  /// `workoutLeft` is the most.
  public var workoutMayEndEarly = false
  /// True in a phase that a surprise follows: displays show neither what is left of it nor what comes, so `next`,
  /// `following`, `phaseEndsAt` and `phaseLeft` are nil.
  public var isBeforeSurprise = false
  /// What the coach calls the phase after this one; nil where there is none.
  public var next: String?
  /// The phase after this one, for a display that has no outline: it begins when this one ends, and is reported
  /// later.
  public var following: OutlineSegment?
  /// How many seconds before its end the running phase is counted down, aloud or in beeps; 0: it is not. Nil after the
  /// last phase.
  package var countdown: Int?
  /// When the workout begins; nil once it has begun, and where that is not decided.
  public var startsAt: BootInstant?
  /// When the phase ends unless something ends it earlier. Nil for an open phase without a longest length, and unless
  /// the workout runs.
  public var phaseEndsAt: BootInstant?
  /// When the workout ends unless something ends a phase earlier. Nil where an open phase leaves it unknown, and
  /// unless the workout runs.
  public var workoutEndsAt: BootInstant?
  /// How long the phase has lasted, without pauses. This and the next three are as of the instant of asking, or of the
  /// `at` of a snapshot or event.
  public var phaseElapsed = Duration.zero
  /// What is left of the running phase; zero after the last phase. The most while `mayEndEarly`. Nil while it is open
  /// without a longest length.
  public var phaseLeft: Duration?
  /// Workout time, which excludes pauses. Zero before the start.
  public var elapsed = Duration.zero
  /// What is left of the workout; with `workoutMayEndEarly` the most. Nil where an open phase without a longest length
  /// leaves it unknown.
  public var workoutLeft: Duration?
  /// How much of `elapsed` was in phases of effort and of rest.
  package var times = EffortTimes()
  /// How the value of the running phase stands to its target; nil where it has none, and without a sensor.
  public var target: TargetStatus?
  /// Phases done so far.
  public var done = 0
  /// Numbered sets done so far: by the phases with which they end.
  package var setsDone = 0
  /// Phases so far that were ended with `next` before their time (`PhaseOutcome.skipped`).
  public var skipped = 0

  /// A workout of no phases, at its beginning: the other properties are set afterwards.
  package init(name: String, workout: String, state: Transport.State, language: String) {
    self.name = name
    self.workout = workout
    self.state = state
    self.language = language
  }

  /// It has stopped or finished; its last sounds may still be heard.
  public var isOver: Bool { state == .stopped || state == .finished }

  /// Makes what was right at `before` right at another instant, where nothing has happened meanwhile. A phase that is
  /// over stands at its end: the next begins with an event. An earlier instant is one before the workout's beginning.
  package mutating func advance(from before: BootInstant, to instant: BootInstant) {
    guard state == .running else { return }
    if instant < before, elapsed == .zero { startsAt = before }
    let passed = max(.zero, max(before, startsAt ?? before).duration(to: instant))
    if let startsAt, startsAt <= instant { self.startsAt = nil }
    let counted = phaseLeft.map { min($0, passed) } ?? passed
    phaseElapsed += counted
    elapsed += counted
    if let kind { times.add(counted, in: kind) }
    phaseLeft = phaseLeft.map { $0 - counted }
    workoutLeft = workoutLeft.map { max(.zero, $0 - counted) }
  }

  /// The same with texts of at most 200 characters on one line, so that it stays below 6 KB.
  package var bounded: WorkoutStatus {
    var status = self
    status.workout = workout.shownShort
    status.label = label?.shownShort
    status.intensity = intensity?.shown(atMost: 60)
    status.note = note?.shownShort
    status.link = link.flatMap { $0.utf8.count <= 400 ? $0.singleLine : nil }
    status.next = next?.shownShort
    return status
  }
}

extension WorkoutStatus: CustomStringConvertible {
  /// One line for a log, in English but for the phase's name: "anna: running at 0:18, Low, phase 1 of 16, set 1
  /// of 8, 0:12 left". An open phase is "open, since 0:50, at most 2:10 more".
  public var description: String {
    let at = "\(name): \(state.rawValue) at \(elapsed.passedText)"
    guard let label, !isOver else {
      return "\(at), \(done) of \(phases) phases done" + (skipped > 0 ? ", \(skipped) skipped" : "")
    }
    var parts = [at, label, "phase \(phase + 1) of \(phases)"]
    if let set { parts.append("set \(set) of \(sets ?? set)") }
    if let repetitions { parts.append("\(repetitions) counted") }
    if mayEndEarly { parts.append("open, since \(phaseElapsed.passedText)") }
    if let phaseLeft {
      parts.append(
        mayEndEarly ? "at most \(phaseLeft.leftText) more" : "\(phaseLeft.leftText) left")
    }
    return parts.joined(separator: ", ")
  }
}

extension WorkoutStatus: Codable {
  private enum CodingKeys: String, CodingKey {
    case name, workout, state, language, phase, phases, kind, label, intensity, note, link, set,
      sets, reps
    case repetitions = "repsDone"
    case signal, heartRateBelow, mayEndEarly, workoutMayEndEarly
    case isBeforeSurprise = "beforeSurprise"
    case next, following, startsAt, phaseEndsAt, workoutEndsAt, phaseElapsed, phaseLeft, elapsed,
      workoutLeft
    case target, done, skipped
    case preset, countdown, workElapsed, restElapsed, setsDone
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    func optional<Value: Decodable>(_ key: CodingKeys) throws -> Value? {
      try values.decodeIfPresent(Value.self, forKey: key)
    }
    func isTrue(_ key: CodingKeys) throws -> Bool { try optional(key) ?? false }
    func length(_ key: CodingKeys) throws -> Duration? {
      try values.decodeIfPresent(Int64.self, forKey: key).map { .nanoseconds($0) }
    }
    self.init(
      name: try values.decode(String.self, forKey: .name),
      workout: try values.decode(String.self, forKey: .workout),
      state: try values.decode(Transport.State.self, forKey: .state),
      language: try values.decode(String.self, forKey: .language))
    phase = try values.decode(Int.self, forKey: .phase)
    phases = try values.decode(Int.self, forKey: .phases)
    (kind, label) = (try optional(.kind), try optional(.label))
    intensity = try optional(.intensity)
    (note, link) = (try optional(.note), try optional(.link))
    (set, sets) = (try optional(.set), try optional(.sets))
    (reps, repetitions) = (try optional(.reps), try optional(.repetitions))
    signal = try optional(.signal)
    heartRateBelow = try optional(.heartRateBelow)
    mayEndEarly = try isTrue(.mayEndEarly)
    workoutMayEndEarly = try isTrue(.workoutMayEndEarly)
    isBeforeSurprise = try isTrue(.isBeforeSurprise)
    (next, following) = (try optional(.next), try optional(.following))
    startsAt = try optional(.startsAt)
    phaseEndsAt = try optional(.phaseEndsAt)
    workoutEndsAt = try optional(.workoutEndsAt)
    phaseElapsed = .nanoseconds(try values.decode(Int64.self, forKey: .phaseElapsed))
    phaseLeft = try length(.phaseLeft)
    elapsed = .nanoseconds(try values.decode(Int64.self, forKey: .elapsed))
    workoutLeft = try length(.workoutLeft)
    target = try optional(.target)
    done = try values.decode(Int.self, forKey: .done)
    skipped = try values.decode(Int.self, forKey: .skipped)
    (preset, countdown) = (try optional(.preset), try optional(.countdown))
    // A coach of an earlier version does not say these.
    setsDone = try optional(.setsDone) ?? 0
    times = EffortTimes(
      work: try length(.workElapsed) ?? .zero, rest: try length(.restElapsed) ?? .zero)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    func ifTrue(_ value: Bool) -> Bool? { value ? true : nil }
    try values.encode(name, forKey: .name)
    try values.encode(workout, forKey: .workout)
    try values.encode(state, forKey: .state)
    try values.encode(language, forKey: .language)
    try values.encode(phase, forKey: .phase)
    try values.encode(phases, forKey: .phases)
    try values.encodeIfPresent(kind, forKey: .kind)
    try values.encodeIfPresent(label, forKey: .label)
    try values.encodeIfPresent(intensity, forKey: .intensity)
    try values.encodeIfPresent(note, forKey: .note)
    try values.encodeIfPresent(link, forKey: .link)
    try values.encodeIfPresent(set, forKey: .set)
    try values.encodeIfPresent(sets, forKey: .sets)
    try values.encodeIfPresent(reps, forKey: .reps)
    try values.encodeIfPresent(repetitions, forKey: .repetitions)
    try values.encodeIfPresent(signal, forKey: .signal)
    try values.encodeIfPresent(heartRateBelow, forKey: .heartRateBelow)
    try values.encodeIfPresent(ifTrue(mayEndEarly), forKey: .mayEndEarly)
    try values.encodeIfPresent(ifTrue(workoutMayEndEarly), forKey: .workoutMayEndEarly)
    try values.encodeIfPresent(ifTrue(isBeforeSurprise), forKey: .isBeforeSurprise)
    try values.encodeIfPresent(next, forKey: .next)
    try values.encodeIfPresent(following, forKey: .following)
    try values.encodeIfPresent(startsAt, forKey: .startsAt)
    try values.encodeIfPresent(phaseEndsAt, forKey: .phaseEndsAt)
    try values.encodeIfPresent(workoutEndsAt, forKey: .workoutEndsAt)
    try values.encode(phaseElapsed.wholeNanoseconds, forKey: .phaseElapsed)
    try values.encodeIfPresent(phaseLeft?.wholeNanoseconds, forKey: .phaseLeft)
    try values.encode(elapsed.wholeNanoseconds, forKey: .elapsed)
    try values.encodeIfPresent(workoutLeft?.wholeNanoseconds, forKey: .workoutLeft)
    try values.encodeIfPresent(target, forKey: .target)
    try values.encode(done, forKey: .done)
    try values.encode(skipped, forKey: .skipped)
    try values.encodeIfPresent(preset, forKey: .preset)
    try values.encodeIfPresent(countdown, forKey: .countdown)
    try values.encode(times.work.wholeNanoseconds, forKey: .workElapsed)
    try values.encode(times.rest.wholeNanoseconds, forKey: .restElapsed)
    try values.encode(setsDone, forKey: .setsDone)
  }
}
