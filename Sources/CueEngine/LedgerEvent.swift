import IntervalTimeline

/// One line of the ledger: what happened, and when on CLOCK_BOOTTIME.
public enum LedgerEvent: Hashable, Sendable {
  public enum Outcome: String, Hashable, Sendable {
    case played, missed, withdrawn, duplicate, shortened, dropped
  }

  /// A timed piece of a cue.
  public struct Part: Hashable, Sendable {
    public var text: String
    public var due: BootInstant
    /// When its first sample was heard; nil when it was not.
    public var onset: BootInstant?
  }

  public struct CueEntry: Hashable, Sendable {
    public var lane: String
    /// The index of its phase; not in the ledger's line.
    public var phase: Int
    public var kind: String
    /// The index among its phase's texts, where it is one; not in the ledger's line.
    public var remark: Int?
    public var set: Int?
    public var scheduledSet: Int?
    public var text: String
    public var due: BootInstant
    public var onset: BootInstant?
    public var outcome: Outcome
    /// Why, where the outcome alone does not say.
    public var reason: String?
    public var parts: [Part]

    /// A text that somebody has sent.
    package var isMessage: Bool { kind == Cue.Content.message(Message("")).name }
  }

  /// `wall` is the wall clock, for people: RFC 3339 in UTC.
  case start(lane: String, at: BootInstant, wall: String, preset: String)
  case cue(CueEntry)
  /// A session that had run before was restored: held where it was, or running.
  case restored(lane: String, at: BootInstant, isHeld: Bool)
  case command(Command, lane: String, at: BootInstant)
  /// A signal that the running phase was waiting for.
  case signal(String, lane: String, at: BootInstant)
  /// A phase that has ended, by a command or in time: done or skipped.
  case phase(lane: String, at: BootInstant, label: String, set: Int?, outcome: PhaseOutcome)
  case finish(lane: String, at: BootInstant)
  case deviceLost(at: BootInstant, reason: String)
  case deviceBack(at: BootInstant)
  case xrun(at: BootInstant)
  /// The sound thread has no real-time priority.
  case notRealtime(at: BootInstant)
  /// Only in `CueEngine.ledger`: its reader did not keep up, and so many lines before the next one are
  /// omitted.
  case omitted(Int)

  /// The event as one line of JSON, without a line end.
  public var line: String {
    var object = JSONObject()
    func begin(_ event: String, _ at: BootInstant, lane: String? = nil) {
      object.add("event", event)
      object.add("at", at.nanoseconds)
      if let lane { object.add("lane", lane) }
    }
    switch self {
    case .start(let lane, let at, let wall, let preset):
      begin("start", at, lane: lane)
      object.add("wall", wall)
      object.add("preset", preset)
    case .restored(let lane, let at, let isHeld):
      begin("taken-up", at, lane: lane)
      object.add("outcome", isHeld ? "paused" : "running")
    case .command(let command, let lane, let at):
      begin(command.rawValue, at, lane: lane)
    case .signal(let name, let lane, let at):
      begin("signal", at, lane: lane)
      object.add("text", name)
    case .phase(let lane, let at, let label, let set, let outcome):
      begin("phase", at, lane: lane)
      object.add("text", label)
      object.add("set", set)
      object.add("outcome", "\(outcome)")
    case .finish(let lane, let at):
      begin("finish", at, lane: lane)
    case .deviceLost(let at, let reason):
      begin("device-lost", at)
      object.add("reason", reason)
    case .deviceBack(let at):
      begin("device-back", at)
    case .xrun(let at):
      begin("xrun", at)
    case .notRealtime(let at):
      begin("not-realtime", at)
    case .omitted(let count):
      object.add("event", "omitted")
      object.add("count", count)
    case .cue(let cue):
      object.add("event", "cue")
      object.add("lane", cue.lane)
      object.add("kind", cue.kind)
      object.add("set", cue.set)
      object.add("scheduledSet", cue.scheduledSet)
      object.add("text", cue.text)
      object.add("due", cue.due.nanoseconds)
      object.add("onset", cue.onset?.nanoseconds)
      object.add("outcome", cue.outcome.rawValue)
      if let reason = cue.reason { object.add("reason", reason) }
      object.add(
        "parts",
        cue.parts.map { part in
          var object = JSONObject()
          object.add("text", part.text)
          object.add("due", part.due.nanoseconds)
          object.add("onset", part.onset?.nanoseconds)
          return object
        })
    }
    return object.text
  }
}

extension CueTally {
  mutating func count(_ outcome: LedgerEvent.Outcome) {
    switch outcome {
    case .played, .shortened: played += 1
    case .missed: missed += 1
    case .withdrawn, .duplicate, .dropped: break
    }
  }
}
