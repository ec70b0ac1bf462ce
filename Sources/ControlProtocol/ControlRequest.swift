import IntervalTimeline

/// One request: a line of JSON with an `id` of the client's choice, a `verb`, and the verb's fields.
public struct ControlRequest: Hashable, Sendable {
  /// Chosen by the client; the answer repeats it.
  public var id: RequestID
  /// What is requested, with the verb's fields.
  public var action: Action
  /// When a person asked for it, in nanoseconds of CLOCK_BOOTTIME: a command that reaches the coach more than
  /// `ControlLimits.commandLife` later is refused as `expired`. nil: it is taken whenever it comes.
  public var sentAt: Int64?
  /// Of the answer's sentences, a BCP 47 tag; nil: they are English.
  package var language: String?
  /// `subscribe`: the words that are said as well.
  package var hearsSpeech = false

  /// A verb with its fields.
  public indirect enum Action: Hashable, Sendable {
    /// Starts a workout in a lane of its own, now or later.
    case start(StartOrder)
    /// For one lane, or with nil for all.
    case command(LaneCommand, lane: String?)
    /// Ends phases that last until this signal; for one lane, or with nil for all.
    case signal(String, lane: String?)
    /// Sets a live value of one lane, or with nil of all.
    case value(ValueRequest, lane: String?)
    /// Per cent of the loudest that the device's profile allows; nil asks.
    case volume(Int?)
    /// - Parameter outline: whether the answer has every lane's outline too.
    case status(outline: Bool)
    /// All presets, or one with its outline.
    case presets(String?, outline: Bool)
    /// Something about the text of a preset.
    case preset(PresetRequest)
    /// The interrupted sessions that can be resumed.
    case sessions
    /// - Parameter limit: how many of the latest.
    case history(limit: Int)
    /// - Parameter lane: whose voice speaks; nil if only one lane runs.
    case say(String, lane: String?)
    /// A snapshot now, and an event for each change from then on.
    case subscribe
    /// What is asked for beside the workouts that run.
    case desk(DeskRequest)
  }

  /// The commands that need no other field than the lane. The raw value is the verb.
  public enum LaneCommand: String, CaseIterable, Hashable, Sendable {
    /// Pause the workout where it is.
    case pause
    /// Let a paused workout run, or take up an interrupted session.
    case resume
    /// Pause if a workout runs, resume otherwise.
    case toggle
    /// End the phase.
    case next
    /// Begin the phase again, or the one before in its first 3 s.
    case back
    /// End the workout.
    case stop
    /// Count a repetition.
    case rep
    /// Say the position.
    case whereAmI = "where-am-i"
    /// Say the elapsed time.
    case sayTime = "say-time"
  }

  /// The arguments are taken as they are; what is decoded is checked.
  public init(_ id: RequestID, _ action: Action, sentAt: Int64? = nil) {
    self.id = id
    self.action = action
    self.sentAt = sentAt
  }

  /// Why it comes too late, or too early for its own clock; nil where it is to be obeyed.
  ///
  /// - Parameter now: nanoseconds of CLOCK_BOOTTIME.
  package func expiry(at now: Int64) -> ControlError? {
    guard let sentAt else { return nil }
    let (age, overflows) = now.subtractingReportingOverflow(sentAt)
    guard overflows || age.magnitude > ControlLimits.commandLife.magnitude else { return nil }
    let life = ControlLimits.commandLife / 1_000_000_000
    let away = "\(age.magnitude / 1_000_000_000) s \((age < 0) != overflows ? "ahead" : "ago")"
    return ControlError(
      .expired, "sentAt: \(away); a command is obeyed within \(life) s of it")
  }
}

extension ControlRequest: Codable {
  public init(from decoder: any Decoder) throws {
    let fields = try RequestFields(decoder)
    func value<Value: Decodable>(_ field: Field, _ what: String) throws -> Value? {
      try fields.value(field, what)
    }
    func required<Value: Decodable>(_ field: Field, _ what: String) throws -> Value {
      try fields.required(field, what)
    }
    id = try required(.id, "a number or a text")
    guard let name: String = try value(.verb, "a text") else {
      throw ControlError(.malformed, "verb: missing; expected one of \(ControlVerb.list)")
    }
    guard let verb = ControlVerb(rawValue: name) else {
      throw ControlError(
        .unknownVerb, "verb \"\(name.shown)\": expected one of \(ControlVerb.list)")
    }
    try fields.check(verb, Self.fields(of: verb) + [.language])
    language = try value(.language, "the tag of a language")
    sentAt = try value(.sentAt, "nanoseconds of CLOCK_BOOTTIME")
    let lane: String? = try value(.lane, "the name of a lane")
    let outline: Bool = try value(.outline, "true or false") ?? false
    switch verb {
    case .start:
      var order = StartOrder(
        preset: try value(.preset, "the name of a preset"),
        workout: try value(.workout, "the text of a preset"), lane: lane,
        at: try value(.at, "nanoseconds of CLOCK_BOOTTIME"),
        seed: try value(.seed, "a whole number"), group: try value(.group, "a whole number"))
      if let style = try fields.style() { order.style = style }
      order.quick = try fields.quick()
      if let athlete = try fields.athlete() { order.athlete = athlete }
      order = try order.checked()
      let lanes: [String]? = try value(.lanes, "a list of names")
      action = .start(order)
      if let lanes {
        action = .desk(DeskRequest(.startTogether(order, lanes: try order.checked(lanes))))
      }
    case .signal:
      guard let name: String = try value(.signal, "the name of a signal"),
        OpenEnd.isSignal(name)
      else {
        throw ControlError(
          .malformed,
          "signal: expected a name of 1 to 40 letters a to z, digits and hyphens, from a letter")
      }
      action = .signal(name, lane: lane)
    case .value:
      let name: String = try required(.name, "the name of a live value")
      let unitName: String? = try value(.unit, "the name of a unit")
      let unit = unitName.flatMap { CountUnit(rawValue: $0) }
      if let unitName, unit == nil {
        let units = CountUnit.allCases.map(\.rawValue).joined(separator: ", ")
        throw ControlError(.malformed, "unit \"\(unitName.shown)\": expected one of \(units)")
      }
      action = .value(
        try ValueRequest(
          name, number: value(.number, "a number"), unit: unit,
          seconds: value(.seconds, "a number"), text: value(.text, "a text"),
          validFor: value(.validFor, "a whole number of milliseconds")
        ).checked(), lane: lane)
    case .pause, .resume, .toggle, .next, .back, .stop, .rep, .whereAmI, .sayTime:
      action = .command(LaneCommand(rawValue: verb.rawValue)!, lane: lane)
    case .volume:
      let volume: Int? = try value(.volume, "a whole number from 0 to 100")
      if let volume, !(0...100).contains(volume) {
        throw ControlError(
          .malformed, "volume \(volume): expected a whole number from 0 to 100")
      }
      let isMuted: Bool? = try value(.muted, "true or false")
      action = isMuted.map { .desk(DeskRequest(.mute($0, volume: volume))) } ?? .volume(volume)
    case .status: action = .status(outline: outline)
    case .presets:
      action = .presets(try value(.preset, "the name of a preset"), outline: outline)
      if fields.contains(.after) || fields.contains(.folder) {
        try fields.check(verb, [.id, .verb, .after, .folder, .language])
        let after: String = try required(.after, "the name of a preset")
        let folder: String? = try value(.folder, "the name of a folder")
        action = .desk(DeskRequest(.presets(after: after, folder: folder)))
      }
    case .presetRead, .presetSave, .presetDelete, .presetCheck, .presetHear, .presetConvert:
      action = .preset(try PresetRequest(verb, fields))
    case .sessions: action = .sessions
    case .history:
      let limit: Int = try value(.limit, "a whole number") ?? 20
      guard (1...ControlLimits.rows).contains(limit) else {
        throw ControlError(
          .malformed, "limit \(limit): expected a whole number from 1 to \(ControlLimits.rows)")
      }
      var query = try HistoryQuery(fields)
      query.limit = limit
      action =
        query == HistoryQuery(limit: limit)
        ? .history(limit: limit) : .desk(DeskRequest(.history(query)))
    case .say:
      guard let text: String = try value(.text, "a text"), !text.isEmpty else {
        throw ControlError(.malformed, "text: missing; expected what is to be said")
      }
      guard text.unicodeScalars.count <= ControlLimits.text else {
        throw ControlError(
          .malformed, "text: expected at most \(ControlLimits.text) characters")
      }
      action = .say(text, lane: lane)
    case .subscribe:
      action = .subscribe
      hearsSpeech = try value(.speech, "true or false") ?? false
    default: action = .desk(try DeskRequest(verb, fields))
    }
  }

  static func bounded(_ workout: String) throws(ControlError) -> String {
    guard workout.utf8.count <= ControlLimits.workout else {
      throw ControlError(
        .tooLarge, "workout: expected at most \(ControlLimits.workout) bytes")
    }
    return workout
  }

  private static func fields(of verb: ControlVerb) -> [Field] {
    switch verb {
    case .start:
      [
        .id, .verb, .preset, .workout, .quick, .lane, .lanes, .style, .at, .seed, .group, .athlete,
        .sentAt,
      ]
    case .pause, .resume, .toggle, .next, .back, .stop, .rep, .whereAmI, .sayTime:
      [.id, .verb, .lane, .sentAt]
    case .signal: [.id, .verb, .signal, .lane, .sentAt]
    case .value: [.id, .verb, .name, .number, .unit, .seconds, .text, .validFor, .lane]
    case .volume: [.id, .verb, .volume, .muted, .sentAt]
    case .status: [.id, .verb, .outline]
    case .presets: [.id, .verb, .preset, .outline, .after, .folder]
    case .sessions: [.id, .verb]
    case .subscribe: [.id, .verb, .speech]
    case .history: [.id, .verb, .limit, .before, .lane, .tag]
    case .say: [.id, .verb, .text, .lane, .sentAt]
    default:
      [.id, .verb] + (PresetRequest.fields(of: verb) ?? DeskRequest.fields(of: verb) ?? [])
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(id, forKey: .id)
    try fields.encode(verb, forKey: .verb)
    try fields.encodeIfPresent(sentAt, forKey: .sentAt)
    try fields.encodeIfPresent(language, forKey: .language)
    switch action {
    case .start(let order): try order.encode(to: &fields)
    case .command(_, let lane): try fields.encodeIfPresent(lane, forKey: .lane)
    case .signal(let name, let lane):
      try fields.encode(name, forKey: .signal)
      try fields.encodeIfPresent(lane, forKey: .lane)
    case .value(let value, let lane):
      try fields.encode(value.name, forKey: .name)
      try fields.encodeIfPresent(value.number, forKey: .number)
      try fields.encodeIfPresent(value.unit?.rawValue, forKey: .unit)
      try fields.encodeIfPresent(value.seconds, forKey: .seconds)
      try fields.encodeIfPresent(value.text, forKey: .text)
      try fields.encodeIfPresent(value.validFor, forKey: .validFor)
      try fields.encodeIfPresent(lane, forKey: .lane)
    case .volume(let volume): try fields.encodeIfPresent(volume, forKey: .volume)
    case .status(let outline): if outline { try fields.encode(true, forKey: .outline) }
    case .presets(let name, let outline):
      try fields.encodeIfPresent(name, forKey: .preset)
      if outline { try fields.encode(true, forKey: .outline) }
    case .preset(let request): try request.encode(to: &fields)
    case .history(let limit): try fields.encode(limit, forKey: .limit)
    case .say(let text, let lane):
      try fields.encode(text, forKey: .text)
      try fields.encodeIfPresent(lane, forKey: .lane)
    case .subscribe: if hearsSpeech { try fields.encode(true, forKey: .speech) }
    case .desk(let request): try request.encode(to: &fields)
    case .sessions: break
    }
  }

  /// The verb under which the action is sent.
  package var verb: ControlVerb {
    switch action {
    case .start: .start
    case .command(let command, _): ControlVerb(rawValue: command.rawValue)!
    case .signal: .signal
    case .value: .value
    case .volume: .volume
    case .status: .status
    case .presets: .presets
    case .preset(let request): request.verb
    case .sessions: .sessions
    case .history: .history
    case .say: .say
    case .subscribe: .subscribe
    case .desk(let request): request.verb
    }
  }
}

extension ControlVerb {
  /// All verbs, for messages.
  static var list: String { allCases.map(\.rawValue).joined(separator: ", ") }
}

extension String {
  /// Its beginning without control characters, to quote what a client sent in a message of one line.
  var shown: String {
    let line = unicodeScalars.prefix(40).map { scalar in
      scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value) ? "?" : Character(scalar)
    }
    return String(line) + (unicodeScalars.count > 40 ? "…" : "")
  }
}
