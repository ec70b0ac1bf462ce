import CueEngine
import IntervalTimeline
import Presets

/// A preset laid out, and what was decided where there was too little room.
struct PresetCheck {
  /// One decision, or several of the same kind for the same line of the file.
  struct Decision {
    var line: String
    var json: JSONObject
  }

  let timeline: Timeline
  private let document: PresetDocument
  private let file: String
  private(set) var decisions: [Decision] = []

  init(_ document: PresetDocument, _ timeline: Timeline, file: String) {
    self.document = document
    self.timeline = timeline
    self.file = file
  }

  mutating func warn(_ message: String, because reason: NoteReason? = nil) {
    var object = JSONObject()
    object.add("warning", message)
    if let reason { object.add(reason, []) }
    decisions.append(Decision(line: "\(file.singleLine): \(message)", json: object))
  }

  /// A warning about some phases.
  ///
  /// - Parameters:
  ///   - phase: the first of them.
  ///   - about: what the reason speaks of, as in `PresetReport.Note`.
  private mutating func warn(
    _ message: String, phase: Int, count: Int, because reason: NoteReason, about: [String]
  ) {
    let line = line(ofPhase: phase)
    var object = JSONObject()
    object.add("line", line)
    object.add("warning", message)
    object.add("count", count)
    object.add("phase", phase)
    object.add(reason, about)
    let place = "\(file.singleLine)\(line.map { ":\($0)" } ?? "")"
    decisions.append(Decision(line: "\(place): \(message)", json: object))
  }

  /// Reports phases that never end in a run without a keyboard.
  mutating func noteOpenPhases(_ phrases: PhraseCatalogue) {
    let open = timeline.entries.indices.filter {
      timeline.entries[$0].phase.length.duration == nil
    }
    guard let phase = open.first else { return }
    let first = timeline.entries[phase]
    let ends =
      switch first.phase.length.end {
      case .reps(1): "a rep is counted or Next is pressed"
      case .reps(let count): "\(count) reps are counted or Next is pressed"
      case .heartRate(let limit): "the heart rate is below \(limit) or Next is pressed"
      case .signal(let name): "the signal \(name) comes or Next is pressed"
      case .untilNext, .sendOff, nil: "Next is pressed"
      }
    let message =
      "\(phrases.name(of: first.phase).singleLine) lasts until \(ends): a run that has "
      + "neither a keyboard nor remote control stays there\(Self.others(open.count))"
    warn(message, phase: phase, count: open.count, because: .endless, about: [])
  }

  /// Reports targets in percent of what is not known of the athlete, and those in phases that are over before the rule of
  /// coaching says anything.
  mutating func noteUncoachedTargets(_ phrases: PhraseCatalogue) {
    let coached = timeline.entries.indices.filter { timeline.entries[$0].phase.isCoached }
    let settings = coached.compactMap { index in
      timeline.entries[index].phase.missingSetting.map { (index, $0) }
    }
    let short = coached.compactMap { index -> (Int, TargetKind)? in
      let phase = timeline.entries[index].phase
      guard let target = phase.target, let length = phase.length.duration,
        length <= TargetRule(target.kind).silentLength
      else { return nil }
      return (index, target.kind)
    }
    for (kind, phases) in Dictionary(grouping: short, by: \.1).sorted(by: {
      $0.key.rawValue < $1.key.rawValue
    }) {
      let first = timeline.entries[phases[0].0].phase
      let least = TargetRule(kind).silentLength.clockText
      warn(
        "the target of \(phrases.name(of: first).singleLine) is not coached: its phase is too short, "
          + "expected more than \(least) for \(kind.rawValue)\(Self.others(phases.count))",
        phase: phases[0].0, count: phases.count, because: .short, about: [least])
    }
    for (name, phases) in Dictionary(grouping: settings, by: \.1).sorted(by: { $0.key < $1.key }) {
      let first = phases[0].0
      let phase = phrases.name(of: timeline.entries[first].phase).singleLine
      warn(
        "the target of \(phase) is not coached: the athlete's \(name) is not known, expected in "
          + "config.yaml, or as --\(name)\(Self.others(phases.count))",
        phase: first, count: phases.count, because: .athlete, about: [name])
    }
  }

  /// Lays the workout out and reports every announcement that is not said in full when it is due.
  mutating func layOut(_ style: LaneStyle, _ sounds: SoundPack, _ library: SpeechLibrary) {
    let run = OfflineRun(
      timeline, sounds: sounds, speech: library, style: style, sink: .heardAtOnce)
    var found: [Place: (first: LedgerEvent.CueEntry, count: Int)] = [:]
    var order: [Place] = []
    var untold = UntoldPhases(timeline, style.phrases)
    while let cues = run.nextCues() {
      for cue in cues { untold.note(cue) }
      for cue in cues where cue.isChanged {
        let place = Place(line: line(of: cue), kind: cue.kind, outcome: cue.outcome)
        if found[place] == nil { order.append(place) }
        found[place, default: (cue, 0)].count += 1
      }
    }
    if let end = run.limitTime {
      warn(
        "announcements after \(end.clockText) are not checked: the workout has too many cues",
        because: .unchecked)
    }
    decisions += order.compactMap { place in
      found[place].map { decision(place, $0.first, count: $0.count) }
    }
    for untold in untold.lines {
      warn(
        untold.text, phase: untold.first, count: untold.count, because: untold.reason,
        about: untold.facts)
    }
  }

  private struct Place: Hashable {
    let line: Int?
    let kind: String
    let outcome: LedgerEvent.Outcome
  }

  private func line(of cue: LedgerEvent.CueEntry) -> Int? {
    guard cue.phase < timeline.count else { return nil }
    let entry = timeline.entries[cue.phase]
    return cue.remark.flatMap {
      document.lines.line(ofRemark: $0, block: entry.block, step: entry.step)
    } ?? line(ofPhase: cue.phase)
  }

  private func line(ofPhase index: Int) -> Int? {
    document.lines.line(block: timeline.entries[index].block, step: timeline.entries[index].step)
  }

  private static func others(_ count: Int) -> String {
    count > 1 ? " (and \(count - 1) more like it)" : ""
  }

  private func decision(
    _ place: Place, _ cue: LedgerEvent.CueEntry, count: Int
  ) -> Decision {
    var object = JSONObject()
    object.add("line", place.line)
    object.add("at", seconds: cue.due.time)
    object.add("kind", cue.kind)
    object.add("text", cue.text)
    object.add("outcome", cue.outcome.rawValue)
    object.add("reason", cue.reason)
    object.add("count", count)
    let location = "\(file.singleLine)\(place.line.map { ":\($0)" } ?? "")"
    let what = "\(cue.kind) \"\(cue.text.singleLine.shortened)\" at \(cue.due.time.clockText)"
    var reason = NoteReason(cue.outcome, cue.delay)
    var decision = (reason.fate.map { "is \($0): " } ?? "is ") + (cue.reason ?? "")
    if let values = valuesNeeded(by: cue) {
      decision = "is said once a program, or cuecoach ctl value, has given \(values) a value"
      reason = .value
    }
    let message = "\(what) \(decision)\(Self.others(count))"
    if cue.phase < timeline.count { object.add("phase", cue.phase) }
    object.add("warning", message)
    object.add(reason, [cue.text])
    return Decision(line: "\(location): \(message)", json: object)
  }

  /// The live values without which nothing is said of a text; nil where there are none. Here none has a value.
  private func valuesNeeded(by cue: LedgerEvent.CueEntry) -> String? {
    guard cue.outcome == .dropped, cue.phase < timeline.count, let remark = cue.remark else {
      return nil
    }
    let wordings = timeline.entries[cue.phase].phase.remarks[remark].wordings
    guard wordings.allSatisfy({ !$0.values.isEmpty }) else { return nil }
    return wordings[wordings.count - 1].values.sorted().map { "{\($0)}" }.joined(
      separator: " and ")
  }
}

extension LedgerEvent.CueEntry {
  /// What tells the workout and its phases takes what room there is; what is not told is reported by phases.
  private static let telling: Set = ["opening", "next", "begins"]

  /// True if it is not said in full when it is due. What is said of readings depends on these: here there are none.
  fileprivate var isChanged: Bool {
    reason != nil && !Self.telling.contains(kind) && !(outcome == .dropped && text.isEmpty)
      && outcome != .duplicate && kind != Cue.Content.coachingName
  }
}

extension BootInstant {
  /// From the start of a planned run.
  fileprivate var time: Duration { .nanoseconds(nanoseconds) }
}

extension String {
  /// Shortened to leave room for the rest of the message.
  fileprivate var shortened: String { count > 60 ? "\(prefix(60))…" : self }
}

extension Phase {
  /// What the configuration would have to say of the athlete so that its target is known; nil where nothing is missing.
  var missingSetting: String? {
    guard target == nil, let text = intensity,
      case .target(let measure, _)? = Intensity(reading: text)?.parts.first
    else { return nil }
    return switch measure {
    case .thresholdPower: "ftp"
    case .maximumHeartRate: "max-heart-rate"
    case .thresholdSpeed: "threshold-pace"
    default: nil
    }
  }
}
