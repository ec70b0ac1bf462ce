import IntervalTimeline

/// The answer to a request. Every request gets exactly one.
public struct ControlAnswer: Hashable, Codable, Sendable {
  /// The request's; nil if the line had none that could be read.
  public var id: RequestID?
  /// Whether the request was done.
  public var ok: Bool
  /// Why the request was refused; nil if it was not.
  public var error: ControlError.Code?
  /// Why, in one sentence for a person; nil if it was not refused.
  public var message: String? { sentence?.text }
  /// `message` as a sentence.
  package var sentence: Sentence?

  /// The revision of the coach after the request took effect.
  public var revision: UInt64?
  /// `start`: the lane that was added. Commands: the lanes in which something changed.
  public var lanes: [String]?
  /// `status`, `subscribe`.
  public var snapshot: CoachSnapshot?
  /// `status` with `outline`: by lane.
  public var outlines: [String: [OutlineSegment]]?
  /// `volume`: per cent of the loudest that the device's profile allows.
  public var volume: Int?
  /// `presets`: in the order of their folders and names; those in no folder first.
  public var presets: [PresetEntry]?
  /// `presets`, unless one was asked for: voices to choose from for a start; nil: there is no choice.
  package var voices: [String]?
  /// `presets`, unless one was asked for: false where clients that face a network may not change them; nil: they may.
  package var edit: Bool?
  /// `preset-read`; `preset-save`, without its text.
  public var preset: PresetText?
  /// `preset-check`.
  package var check: PresetReport?
  /// `preset-convert`: what was written of the whole file; of a piece, by what the next one names it.
  package var text: String?
  package var upload: String?
  /// `sessions`: in the order of their start.
  public var sessions: [SessionEntry]?
  /// `history`: the latest first.
  public var history: [HistoryItem]?
  /// `history-summary`: of the year's days that have sessions, of its weeks, of the streak, and of each preset the best.
  package var days: [PeriodSum]?
  package var weeks: [PeriodSum]?
  package var streak: Streak?
  package var best: [BestSession]?
  /// `history-phases`.
  package var phases: [DonePhase]?
  /// `people`: who has trained last first.
  package var people: [PersonEntry]?
  /// `schedule`.
  package var schedule: ScheduleEntry?
  /// `schedules`: in the order in which they come next.
  package var schedules: [ScheduleEntry]?
  /// `schedules`: the coach's local time, ISO 8601 with its offset.
  package var now: String?
  /// `outputs`, and the one in use; that for `output` too.
  package var outputs: [String]?
  package var output: String?
  /// `volume`: whether there is silence instead.
  package var muted: Bool?
  /// How many entries of a list, or outlines, an answer had no room for; nil: none.
  public var omitted: Int?
  /// Notes about a preset that starts all the same, one line each; `status` in a language: the snapshot's.
  public var warnings: [String]? { notes?.map(\.text) }
  /// `warnings` as sentences.
  package var notes: [Sentence]?

  private enum CodingKeys: String, CodingKey {
    case id, ok, error
    case sentence = "message"
    case revision, lanes, snapshot, outlines, volume, presets, voices, edit, preset, check, text
    case upload, sessions, history, days, weeks, streak, best, phases, people, schedule, schedules
    case now, outputs, output, muted, omitted
    case notes = "warnings"
  }

  /// The answer to a request that was done. What belongs to its verb is set afterwards.
  package init(_ id: RequestID?, revision: UInt64? = nil) {
    self.id = id
    self.revision = revision
    ok = true
  }

  /// The answer to a request that was refused.
  public init(_ id: RequestID?, _ error: ControlError) {
    self.id = id
    ok = false
    self.error = error.code
    sentence = error.sentence
  }

  /// What the presets behind those of a list are asked for with; nil where there are none.
  package var following: ControlRequest.Action? {
    guard omitted != nil, let last = presets?.last else { return nil }
    return .desk(DeskRequest(.presets(after: last.name, folder: last.folder)))
  }

  /// The answer to a request, with all presets where it is their list.
  package static func whole<Failure: Error>(
    _ action: ControlRequest.Action,
    _ ask: (ControlRequest.Action) throws(Failure) -> ControlAnswer
  ) throws(Failure) -> ControlAnswer {
    var answer = try ask(action)
    while let next = answer.following {
      let more = try ask(next)
      guard let presets = more.presets, !presets.isEmpty else { break }
      answer.presets? += presets
      answer.omitted = more.omitted
    }
    return answer
  }

  /// The error of a refused request; nil for one that was not refused.
  public var refusal: ControlError? {
    ok ? nil : ControlError(error ?? .failed, sentence ?? "no reason was given")
  }
}

/// The first line that a client reads.
public struct ControlGreeting: Hashable, Codable, Sendable {
  /// The program's version.
  public var cuecoach: String
  /// `ControlLimits.version`.
  public var `protocol`: Int
  /// What this client may request, by the socket that it came by.
  public var rights: ControlRights

  /// The greeting of a coach that speaks this version of the protocol.
  package init(cuecoach: String, rights: ControlRights) {
    self.cuecoach = cuecoach
    self.protocol = ControlLimits.version
    self.rights = rights
  }
}

/// What a subscriber reads after its answer, a line for each change.
public struct ControlEvent: Hashable, Codable, Sendable {
  /// What has changed. Each kind has a field of its own.
  public enum Kind: String, Hashable, Codable, Sendable {
    /// A lane began, or changed its phase or state: `lane` is its state now.
    case lane
    /// A lane has ended and is gone: `lane` is its last state.
    case ended
    /// `device` has changed.
    case device
    /// `volume` is the new one.
    case volume
    /// `message` is for a person; the workouts continue.
    case warning
    /// The presets, the favourites, the starts that repeat, the history or what was interrupted: who shows them asks anew.
    case lists
  }

  /// What has changed.
  public var event: Kind
  /// Of the coach after the change.
  public var revision: UInt64
  /// When the event was made, nanoseconds of CLOCK_BOOTTIME.
  public var at: Int64
  /// Of `lane` and `ended`: the lane's state after the change.
  public var lane: WorkoutStatus?
  /// Of `device`: the device's state after the change.
  public var device: DeviceSnapshot?
  /// Of `volume`: per cent of the loudest that the device's profile allows.
  public var volume: Int?
  /// Of `volume`: whether there is silence instead.
  package var muted: Bool?
  /// Of `warning`: one line for a person.
  public var message: String?
  /// An event whose own field is set afterwards.
  package init(_ event: Kind, revision: UInt64, at: Int64) {
    self.event = event
    self.revision = revision
    self.at = at
  }
}
