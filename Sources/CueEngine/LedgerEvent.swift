import IntervalTimeline
import Words

/// One line of the ledger: what happened, and when on CLOCK_BOOTTIME.
public enum LedgerEvent: Hashable, Sendable {
  /// What became of a cue.
  public typealias Outcome = CueOutcome

  /// A timed piece of a cue.
  public struct Part: Hashable, Sendable {
    /// The words of the part; for a sound, what it stands for, such as the phase that begins.
    public var text: String
    /// When its first sample should be heard.
    public var due: BootInstant
    /// When its first sample was heard; nil when it was not.
    public var onset: BootInstant?
    /// How long it sounds when all of it is heard; not in the ledger's line.
    package var length: Duration
  }

  /// One cue, as it was when the last of its parts was over.
  public struct CueEntry: Hashable, Sendable {
    /// The lane's name, as given to `addLane`.
    public var lane: String
    /// The index of its phase; not in the ledger's line.
    public var phase: Int
    /// Which kind of cue. Sounds:
    ///
    /// | Kind | `text` |
    /// |---|---|
    /// | `countdown`, a beep before a boundary | the seconds that are left: "3" |
    /// | `transition`, a phase begins or the workout is over | what the coach calls that phase: "Rest"; "Finish" |
    /// | `set-end`, a set ends that was not counted down in words | "Set end" |
    /// | `signal`, the answer to a command | "pause" or "resume" |
    ///
    /// Announcements, whose `text` is what was said: `set-completion` (the words before a count and its numbers),
    /// `text` (a `Remark`), `next`, `halfway`, `time-left`, `elapsed`, `finish`, `repetition` (a number that
    /// `Command.rep` counted), `total` (of the rounds that were counted in a phase), `position` (after a
    /// stall), `where-am-i`, `acknowledgement` (the words after a command), `stop-question`, `lane-name`, and
    /// `message` (what ``CueEngine/say(_:in:at:report:)`` was given). There are no others.
    public var kind: String
    /// The index among its phase's texts, where it is one; not in the ledger's line.
    public var remark: Int?
    /// The set at the instant at which it was due: the number that was said. Nil where the phase is in no
    /// numbered set.
    public var set: Int?
    /// The set that was expected when the cue was scheduled: another than `set` where a command came in
    /// between.
    public var scheduledSet: Int?
    /// What was said; the fullest wording where nothing was. For a sound, what it stands for: see `kind`.
    public var text: String
    /// When it should be heard; for the end of a set, when the first of its parts should
    /// be that is said.
    public var due: BootInstant
    /// When it was due before other words took its room; nil where that is `due`, and for the end of a set, whose
    /// numbers never move.
    public var planned: BootInstant?
    /// When the first sample of its first part was heard; nil when it was not.
    public var onset: BootInstant?
    /// What became of it as a whole.
    public var outcome: Outcome
    /// Why, where the outcome alone does not say.
    public var reason: String?
    /// Its pieces in the order of their instants, such as the numbers of a count; empty where none reached
    /// the mixer.
    public var parts: [Part] = []

    /// What the ledger's line has in place of the text and of its parts' texts, where these say a live value.
    package var template: String?

    /// Who said it, where its lane has a voice of an engine, of which the library may have a stand-in.
    package var voice: String?

    /// The sender of a message knows it from the answer; not in the ledger's line.
    package var isAnswered = false

    /// A text that somebody has sent.
    package var isMessage: Bool { kind == Cue.Content.message(Message("")).name }
  }

  /// `wall` is the wall clock, for people: RFC 3339 in UTC.
  case start(lane: String, at: BootInstant, wall: String, preset: String)
  /// A cue whose last part is over, or that never reached the mixer.
  indirect case cue(CueEntry)
  /// Texts that were not accepted, because they had no room or too many wait to be said: the first one at once, then how many have
  /// followed it, at most once in 10 s.
  case refused(lane: String, at: BootInstant, count: Int, reason: String)
  /// A session that had run before was restored: held where it was, or running.
  case restored(lane: String, at: BootInstant, isHeld: Bool)
  /// A command other than `start` that took effect, and the instant at which it was given.
  case command(Command, lane: String, at: BootInstant)
  /// A signal that the running phase was waiting for.
  case signal(String, lane: String, at: BootInstant)
  /// A phase that has ended, by a command or in time: done or skipped.
  case phase(lane: String, at: BootInstant, label: String, set: Int?, outcome: PhaseOutcome)
  /// The last phase ended then.
  case finish(lane: String, at: BootInstant)
  /// The device could not be opened, or vanished, or the output takes no commands. `reason` is the name of a
  /// `SoundOutputError.Kind`.
  case deviceLost(at: BootInstant, reason: String)
  /// The device that was lost has played again since then, or the output takes commands again.
  case deviceRecovered(at: BootInstant)
  /// An underrun then: the sound was interrupted for a moment.
  case xrun(at: BootInstant)
  /// The sound thread has no real-time priority.
  case notRealtime(at: BootInstant)
  /// Only in `CueEngine.ledger`: its reader did not keep up, and so many lines before the next one are
  /// omitted.
  case omitted(Int)

  /// The event as one line of JSON, without a line end: `event` and `at`, and for a cue `lane`, `kind`, `text`,
  /// `due`, `onset` (null where nothing was heard), `outcome` and, where it is not "played", `reason`. Instants
  /// are nanoseconds since the machine booted. The page `ledger.md` of the repository lists all of them.
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
      begin("restored", at, lane: lane)
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
    case .refused(let lane, let at, let count, let reason):
      begin("refused", at, lane: lane)
      object.add("count", count)
      object.add("reason", reason)
    case .deviceLost(let at, let reason):
      begin("device-lost", at)
      object.add("reason", reason)
    case .deviceRecovered(let at):
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
      object.add("text", cue.template ?? cue.text)
      object.add("due", cue.due.nanoseconds)
      if let planned = cue.planned { object.add("planned", planned.nanoseconds) }
      object.add("onset", cue.onset?.nanoseconds)
      object.add("outcome", cue.outcome.rawValue)
      if let voice = cue.voice { object.add("voice", voice) }
      if let reason = cue.reason { object.add("reason", reason) }
      object.add(
        "parts",
        cue.parts.map { part in
          var object = JSONObject()
          object.add("text", cue.template ?? part.text)
          object.add("due", part.due.nanoseconds)
          object.add("onset", part.onset?.nanoseconds)
          return object
        })
    }
    return object.text
  }
}

extension LedgerEvent.CueEntry {
  /// The line of a cue of which nothing has been heard.
  ///
  /// - Parameter template: of words that say live values.
  init(_ cue: LaidOutCue, of handOff: HandOff, lane: String, template: String? = nil) {
    let due = cue.parts.first?.due ?? handOff.due
    let planned = cue.planned ?? (handOff.isCount ? due : handOff.due)
    self.init(
      lane: lane, phase: handOff.cue.phase, kind: handOff.cue.content.name,
      remark: handOff.cue.content.remark, set: handOff.set, scheduledSet: handOff.scheduledSet,
      text: cue.text, due: due, planned: due == planned ? nil : planned, outcome: cue.outcome,
      reason: cue.reason, template: template)
    voice = cue.voices.isEmpty ? nil : cue.voices.joined(separator: ", ")
  }

  init(_ words: Announcement) {
    self.init(words.cue, of: words.handOff, lane: words.lane, template: words.template)
  }

  /// The line of a cue that is not heard, with the text that it would have had.
  init(_ cue: SilentCue, _ text: String, lane: String) {
    let (outcome, reason): (LedgerEvent.Outcome, String) =
      switch cue.reason {
      case .missed: (.missed, "its time had passed")
      case .duplicate(.withinWindow): (.duplicate, "within the window")
      case .duplicate: (.duplicate, "set already announced")
      case .answered: (.duplicate, "it is being answered")
      }
    self.init(
      lane: lane, phase: cue.cue.phase, kind: cue.cue.content.name,
      remark: cue.cue.content.remark, set: cue.set, scheduledSet: cue.scheduledSet, text: text,
      due: cue.due, outcome: outcome, reason: reason)
  }
}

extension CueTally {
  mutating func count(_ outcome: LedgerEvent.Outcome) {
    switch outcome {
    case .played, .shortened, .merged: played += 1
    case .missed: missed += 1
    case .withdrawn, .duplicate, .dropped: break
    }
  }
}
