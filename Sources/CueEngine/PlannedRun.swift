import CueSound
import IntervalTimeline

/// Workouts run at full speed and without sound, with a script of what happens to them from outside: what
/// would be heard, and when.
///
/// ```swift
/// let words = SpeechLibrary(ScriptedSpeech(), converter: RepeatedSamples())
/// let run = try PlannedRun(
///   Timeline(workout), script: [.signal("heart-rate-low", at: .seconds(42))], speech: words)
/// #expect(run.heard.map(\.text).contains("Next: Work"))
/// #expect(run.status(of: workout.name, at: .seconds(43))?.kind == .work)
/// ```
///
/// The same coach decides as in an engine, on a clock that begins at zero: an hour takes milliseconds, and
/// the same arguments give the same ledger on every machine, if the speech gives the same clips. Every sound
/// is heard on its instant: there is no device that is late or lost. Words are there when they are needed;
/// an engine may have to render an answer or a sent text first, and says it a quarter of a second later.
///
/// A run always ends: when each workout has ended, or when nothing more can happen, because a workout is
/// paused or in an open phase without a longest length, and no step of the script is left that moves it on.
/// `ends` says which.
public struct PlannedRun: Sendable {
  /// One workout of a run.
  public struct Entrant: Sendable {
    /// The lane's, as the ledger has it and as announcements begin where there are several.
    package var name: String
    /// What is run.
    package var timeline: Timeline
    /// How it is announced.
    package var style: LaneStyle

    /// A workout under a name of its own, announced as `style` says.
    public init(_ name: String, _ timeline: Timeline, style: LaneStyle = LaneStyle()) {
      self.name = name
      self.timeline = timeline
      self.style = style
    }
  }

  /// How a workout's run ended.
  public enum End: Hashable, Sendable, CustomStringConvertible {
    /// Its last phase has ended.
    case finished
    /// A step of the script stopped it.
    case stopped
    /// It is paused, and nothing resumes it.
    case paused
    /// It is in an open phase of that index, which nothing ends.
    case open(phase: Int)
    /// The script starts it with a step whose time has not come.
    case ready

    /// In a few words.
    public var description: String {
      switch self {
      case .finished: "finished"
      case .stopped: "stopped"
      case .paused: "paused, and no step of the script resumes it"
      case .open(let phase): "in the open phase \(phase), which no step of the script ends"
      case .ready: "not started"
      }
    }
  }

  /// The instant at which the run begins, 0 ns. Those of the ledger count from it: `cue.due - PlannedRun.start`.
  public static let start = BootInstant(nanoseconds: 0)
  /// The wall clock of every run, in its `start` events.
  static let wallClock = "1970-01-01T00:00:00.000Z"

  /// Everything that the ledger of an engine would have, in the order in which it becomes known: a cue is
  /// known when it is over.
  public let ledger: [LedgerEvent]
  /// What became of each step of the script; nil where its time never came.
  public let answers: [CommandAnswer?]
  /// What became of the text of each step that says one, as its sender learns it; nil for other steps, for one whose
  /// time never came, and where the run ended before it was known.
  public let reports: [MessageReport?]
  /// How each workout ended, by the lane's name.
  public let ends: [String: End]
  /// When the last thing happened: since the start.
  public let length: Duration
  private let statuses: [String: [(instant: BootInstant, status: LaneStatus)]]

  /// Runs one workout, whose lane has its name; without what no lane's name may have.
  ///
  /// - Precondition: as of the other initialiser, and each value of the style is in its range. Anything else ends
  ///   the program with a sentence.
  /// - Parameters: as of the other initialiser.
  public init(
    _ timeline: Timeline, script: [ScriptStep] = [], sounds: SoundPack = SoundPack(),
    speech: SpeechLibrary? = nil, settings: CueEngine.Settings = .init(),
    style: LaneStyle = LaneStyle()
  ) {
    do throws(LaneError) {
      try self.init(
        [Entrant(NameRule.workout.fitted(timeline.workout.name), timeline, style: style)],
        script: script, sounds: sounds,
        speech: speech, settings: settings)
    } catch {
      fatalError("the only lane was refused: \(error)")
    }
  }

  /// Runs workouts that share a speaker. Blocks until that is done; any thread.
  ///
  /// - Precondition: each setting is in its range, `speech` renders at the rate of `sounds`, and the time of each
  ///   step is from zero to a year. Anything else ends the program with a sentence.
  /// - Parameters:
  ///   - entrants: each starts with the run, unless the script has a step that starts it.
  ///   - script: in any order; steps of one instant happen in this order. A step before a check of the same
  ///     instant.
  ///   - sounds: only their lengths matter.
  ///   - speech: what renders the words; only their lengths matter. Nil: a run without words.
  ///   - settings: as of an engine; its wall clock is not used, and no sleep nor stall happens.
  /// - Throws: `LaneError` for a name that is wrong or taken, and for a style.
  public init(
    _ entrants: [Entrant], script: [ScriptStep] = [], sounds: SoundPack = SoundPack(),
    speech: SpeechLibrary? = nil, settings: CueEngine.Settings = .init()
  ) throws(LaneError) {
    if let misuse = settings.misuse ?? speech?.misuse(with: sounds) { fatalError(misuse) }
    var settings = settings
    settings.wallClock = { Self.wallClock }
    let run = try OfflineRun(
      entrants, script: script, sounds: sounds, speech: speech, settings: settings,
      openPhases: .wait, sink: .mixer)
    var history = StatusHistory(run)
    var ledger: [LedgerEvent] = []
    while let events = run.next() {
      ledger += events
      history.note(run, after: events)
    }
    self.ledger = ledger
    answers = run.answers
    reports = run.reports
    ends = history.latest.mapValues(End.init)
    length = Self.start.duration(to: run.now)
    statuses = history.statuses
  }

  /// The cues of the ledger in the order in which they were due.
  public var cues: [LedgerEvent.CueEntry] {
    ledger.compactMap { if case .cue(let cue) = $0 { cue } else { nil } }
      .enumerated().sorted { ($0.element.due, $0.offset) < ($1.element.due, $1.offset) }
      .map(\.element)
  }

  /// The cues that were heard, in full or shortened, in the order in which they were due.
  public var heard: [LedgerEvent.CueEntry] {
    cues.filter { [.played, .shortened, .merged].contains($0.outcome) }
  }

  /// A workout's status at that time since the start, after all that happens at it; nil for an unknown name,
  /// or before zero. After the end it is the last one.
  public func status(of lane: String, at time: Duration) -> LaneStatus? {
    guard time >= .zero else { return nil }
    let instant = Self.start + min(time, length)
    guard var last = statuses[lane]?.last(where: { $0.instant <= instant }) else { return nil }
    last.status.workoutStatus.advance(from: last.instant, to: instant)
    return last.status
  }
}

extension PlannedRun.End {
  fileprivate init(_ status: LaneStatus) {
    self =
      switch status.state {
      case .ready: .ready
      case .running: .open(phase: status.phase)
      case .paused: .paused
      case .stopped: .stopped
      case .finished: .finished
      }
  }
}
