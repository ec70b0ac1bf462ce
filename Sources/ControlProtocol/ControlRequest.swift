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

  /// A verb with its fields.
  public indirect enum Action: Hashable, Sendable {
    /// Starts a workout in a lane of its own, now or later.
    case start(StartRequest)
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
    /// The interrupted sessions that can be resumed.
    case sessions
    /// - Parameter limit: how many of the latest.
    case history(limit: Int)
    /// - Parameter lane: whose voice speaks; nil if only one lane runs.
    case say(String, lane: String?)
    /// A snapshot now, and an event for each change from then on.
    case subscribe
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
  public func expiry(at now: Int64) -> ControlError? {
    guard let sentAt else { return nil }
    let (age, overflows) = now.subtractingReportingOverflow(sentAt)
    guard overflows || age.magnitude > ControlLimits.commandLife.magnitude else { return nil }
    let life = ControlLimits.commandLife / 1_000_000_000
    let away = "\(age.magnitude / 1_000_000_000) s \((age < 0) != overflows ? "ahead" : "ago")"
    return ControlError(
      .expired, "sentAt: \(away); a command is obeyed within \(life) s of it")
  }
}

/// A number or a text, as the client likes.
public enum RequestID: Hashable, Sendable {
  /// Any whole number of 64 bits.
  case number(Int64)
  /// At most 64 characters.
  case text(String)
}

/// A workout to be started.
public struct StartRequest: Hashable, Codable, Sendable {
  /// The name of a preset, or its path. Exactly one of `preset` and `workout`.
  public var preset: String?
  /// The text of a preset.
  public var workout: String?
  /// The lane's name; the workout's when nil.
  public var lane: String?
  /// How it is announced; nil leaves it to the preset and the configuration.
  public var style: StyleRequest?
  /// When workout time zero is: nanoseconds of CLOCK_BOOTTIME, at most a week ahead; at once when nil.
  public var at: Int64?
  /// From what its surprises are drawn, instead of the preset's own seed or the day's; 0 or more.
  public var seed: Int64?
  /// The station at which it begins, 1 to 1000; the first when nil.
  public var group: Int?
  /// In whose numbers its intensities are; what is nil is as the coach's configuration has it.
  public var athlete: AthleteRequest?

  /// The arguments are taken as they are; what is decoded is checked.
  public init(
    preset: String? = nil, workout: String? = nil, lane: String? = nil,
    style: StyleRequest? = nil, at: Int64? = nil, seed: Int64? = nil, group: Int? = nil
  ) {
    self.seed = seed
    self.group = group
    self.preset = preset
    self.workout = workout
    self.lane = lane
    self.style = style
    self.at = at
  }
}

/// An athlete's own numbers. A nil field leaves it to the configuration.
public struct AthleteRequest: Hashable, Codable, Sendable {
  /// The threshold power, 20…1000 watts.
  public var ftp: Int?
  /// The greatest heart rate, 60…250 beats per minute.
  public var maxHeartRate: Int?
  /// The pace at the threshold, from 2:00/km to 20:00/km: "4:30/km".
  public var thresholdPace: String?

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case ftp, maxHeartRate, thresholdPace
  }

  /// Of all fields.
  static let names = CodingKeys.allCases.map(\.rawValue)

  /// The arguments are taken as they are; what is decoded is checked.
  public init(ftp: Int? = nil, maxHeartRate: Int? = nil, thresholdPace: String? = nil) {
    self.ftp = ftp
    self.maxHeartRate = maxHeartRate
    self.thresholdPace = thresholdPace
  }

  /// As a value; a pace that cannot be read is left out.
  public var athlete: Athlete {
    Athlete(
      thresholdPower: ftp.map(Double.init), maximumHeartRate: maxHeartRate.map(Double.init),
      thresholdPace: thresholdPace.flatMap(Athlete.pace))
  }

  fileprivate func check() throws {
    let numbers = [
      (ftp, Athlete.thresholdPowers, "ftp"),
      (maxHeartRate, Athlete.maximumHeartRates, "maxHeartRate"),
    ]
    for case (let number?, let range, let field) in numbers where !range.contains(number) {
      throw ControlError(
        .malformed,
        "athlete.\(field) \(number): expected a whole number from \(range.lowerBound) to \(range.upperBound)"
      )
    }
    if let thresholdPace, Athlete.pace(thresholdPace) == nil {
      throw ControlError(
        .malformed,
        "athlete.thresholdPace \"\(thresholdPace.shown)\": expected \(Athlete.expectedPace)")
    }
  }
}

/// How a workout is announced. A nil field leaves it to the preset and the configuration. The values are
/// those of `cuecoach run`'s options.
public struct StyleRequest: Hashable, Codable, Sendable {
  /// A language tag, such as "pt-br".
  public var language: String?
  /// The speech adapter's name of a voice, perhaps with a variant: "en-gb+f3".
  public var voice: String?
  /// The speech adapter's name of a variant.
  public var variant: String?
  /// Words a minute.
  public var rate: Int?
  /// 0…99; 50 is the voice's own.
  public var pitch: Int?
  /// 0…100; 100 is as loud as the sounds.
  public var speechVolume: Int?
  /// How much is said: the name of a `Density`.
  public var density: String?
  /// Length of the countdown to a boundary, 1…10 s.
  public var countdown: Int?
  /// The name of a sound pack or, on a `control` socket, a folder's path.
  public var sounds: String?
  /// The commands that are confirmed aloud: names of `Acknowledgement` with commas between, "all" or "none".
  public var acknowledge: String?

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case language, voice, variant, rate, pitch, speechVolume, density, countdown, sounds,
      acknowledge
  }

  /// Of all options.
  static let names = CodingKeys.allCases.map(\.rawValue)

  /// The options that are texts, by name.
  var texts: [(option: String, text: String)] {
    let all: [(CodingKeys, String?)] = [
      (.language, language), (.voice, voice), (.variant, variant), (.density, density),
      (.sounds, sounds), (.acknowledge, acknowledge),
    ]
    return all.compactMap { key, text in text.map { (key.rawValue, $0) } }
  }

  /// Everything is left to the preset and the configuration.
  public init() {}
}

extension RequestID: Codable {
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let number = try? value.decode(Int64.self) {
      self = .number(number)
      return
    }
    let text = try value.decode(String.self)
    guard text.count <= 64 else { throw ControlError(.malformed, "id: at most 64 characters") }
    self = .text(text)
  }

  public func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .number(let number): try value.encode(number)
    case .text(let text): try value.encode(text)
    }
  }
}

extension ControlRequest: Codable {
  /// Every field that a request may have.
  private enum Field: String, CodingKey, CaseIterable {
    case id, verb, preset, workout, lane, style, at, seed, group, athlete, volume, outline, limit,
      text, signal,
      name, number, unit, seconds, validFor, sentAt
  }

  /// Any key of the object, to find those that are no field of the verb.
  private struct AnyKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    func value<Value: Decodable>(_ field: Field, _ what: String) throws -> Value? {
      do {
        return try fields.decodeIfPresent(Value.self, forKey: field)
      } catch let error as ControlError {
        throw error
      } catch {
        throw ControlError(.malformed, "\(field.rawValue): expected \(what)")
      }
    }
    guard let id: RequestID = try value(.id, "a number or a text") else {
      throw ControlError(.malformed, "id: missing; expected a number or a text")
    }
    self.id = id
    guard let name: String = try value(.verb, "a text") else {
      throw ControlError(.malformed, "verb: missing; expected one of \(ControlVerb.list)")
    }
    guard let verb = ControlVerb(rawValue: name) else {
      throw ControlError(
        .unknownVerb, "verb \"\(name.shown)\": expected one of \(ControlVerb.list)")
    }
    let allowed = Self.fields(of: verb)
    for key in try decoder.container(keyedBy: AnyKey.self).allKeys {
      guard let field = Field(rawValue: key.stringValue), allowed.contains(field) else {
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        throw ControlError(
          .malformed,
          "\(key.stringValue.shown): \(verb.rawValue) has no such field; it has \(names)")
      }
      // "at": null would start at once, which nobody means who names an instant.
      guard try !fields.decodeNil(forKey: field) else {
        throw ControlError(
          .malformed, "\(field.rawValue): null, expected a value, or no \(field.rawValue)")
      }
    }
    sentAt = try value(.sentAt, "nanoseconds of CLOCK_BOOTTIME")
    let lane: String? = try value(.lane, "the name of a lane")
    let outline: Bool = try value(.outline, "true or false") ?? false
    switch verb {
    case .start:
      let style: StyleRequest? = try value(.style, "an object of options")
      for (field, names) in [(Field.style, StyleRequest.names), (.athlete, AthleteRequest.names)] {
        let object = try? fields.nestedContainer(keyedBy: AnyKey.self, forKey: field)
        for key in object?.allKeys ?? [] where !names.contains(key.stringValue) {
          throw ControlError(
            .malformed,
            "\(field.rawValue).\(key.stringValue.shown): expected one of \(names.joined(separator: ", "))"
          )
        }
        for key in object?.allKeys ?? [] where try object?.decodeNil(forKey: key) == true {
          throw ControlError(
            .malformed,
            "\(field.rawValue).\(key.stringValue.shown): null, expected a value, or no \(key.stringValue.shown)"
          )
        }
      }
      var start = try StartRequest(
        preset: value(.preset, "the name of a preset"),
        workout: value(.workout, "the text of a preset"), lane: lane, style: style,
        at: value(.at, "nanoseconds of CLOCK_BOOTTIME"),
        seed: value(.seed, "a whole number"), group: value(.group, "a whole number"))
      start.athlete = try value(.athlete, "an object of numbers")
      action = .start(try start.checked())
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
      guard let name: String = try value(.name, "the name of a live value") else {
        throw ControlError(.malformed, "name: missing; expected the name of a live value")
      }
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
    case .pause, .resume, .toggle, .next, .back, .stop, .rep, .whereAmI:
      action = .command(LaneCommand(rawValue: verb.rawValue)!, lane: lane)
    case .volume:
      let volume: Int? = try value(.volume, "a whole number from 0 to 100")
      if let volume, !(0...100).contains(volume) {
        throw ControlError(
          .malformed, "volume \(volume): expected a whole number from 0 to 100")
      }
      action = .volume(volume)
    case .status: action = .status(outline: outline)
    case .presets: action = .presets(try value(.preset, "the name of a preset"), outline: outline)
    case .sessions: action = .sessions
    case .history:
      let limit: Int = try value(.limit, "a whole number") ?? 20
      guard (1...ControlLimits.rows).contains(limit) else {
        throw ControlError(
          .malformed, "limit \(limit): expected a whole number from 1 to \(ControlLimits.rows)")
      }
      action = .history(limit: limit)
    case .say:
      guard let text: String = try value(.text, "a text"), !text.isEmpty else {
        throw ControlError(.malformed, "text: missing; expected what is to be said")
      }
      guard text.unicodeScalars.count <= ControlLimits.text else {
        throw ControlError(
          .malformed, "text: expected at most \(ControlLimits.text) characters")
      }
      action = .say(text, lane: lane)
    case .subscribe: action = .subscribe
    }
  }

  private static func fields(of verb: ControlVerb) -> [Field] {
    switch verb {
    case .start:
      [.id, .verb, .preset, .workout, .lane, .style, .at, .seed, .group, .athlete, .sentAt]
    case .pause, .resume, .toggle, .next, .back, .stop, .rep, .whereAmI:
      [.id, .verb, .lane, .sentAt]
    case .signal: [.id, .verb, .signal, .lane, .sentAt]
    case .value: [.id, .verb, .name, .number, .unit, .seconds, .text, .validFor, .lane]
    case .volume: [.id, .verb, .volume, .sentAt]
    case .status: [.id, .verb, .outline]
    case .presets: [.id, .verb, .preset, .outline]
    case .sessions, .subscribe: [.id, .verb]
    case .history: [.id, .verb, .limit]
    case .say: [.id, .verb, .text, .lane, .sentAt]
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(id, forKey: .id)
    try fields.encode(verb, forKey: .verb)
    try fields.encodeIfPresent(sentAt, forKey: .sentAt)
    switch action {
    case .start(let start):
      try fields.encodeIfPresent(start.preset, forKey: .preset)
      try fields.encodeIfPresent(start.workout, forKey: .workout)
      try fields.encodeIfPresent(start.lane, forKey: .lane)
      try fields.encodeIfPresent(start.style, forKey: .style)
      try fields.encodeIfPresent(start.at, forKey: .at)
      try fields.encodeIfPresent(start.seed, forKey: .seed)
      try fields.encodeIfPresent(start.group, forKey: .group)
      try fields.encodeIfPresent(start.athlete, forKey: .athlete)
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
    case .history(let limit): try fields.encode(limit, forKey: .limit)
    case .say(let text, let lane):
      try fields.encode(text, forKey: .text)
      try fields.encodeIfPresent(lane, forKey: .lane)
    case .sessions, .subscribe: break
    }
  }

  /// The verb under which the action is sent.
  public var verb: ControlVerb {
    switch action {
    case .start: .start
    case .command(let command, _): ControlVerb(rawValue: command.rawValue)!
    case .signal: .signal
    case .value: .value
    case .volume: .volume
    case .status: .status
    case .presets: .presets
    case .sessions: .sessions
    case .history: .history
    case .say: .say
    case .subscribe: .subscribe
    }
  }
}

extension StartRequest {
  fileprivate func checked() throws -> StartRequest {
    guard (preset == nil) != (workout == nil) else {
      throw ControlError(.malformed, "start: expected either preset or workout")
    }
    if let workout, workout.utf8.count > ControlLimits.workout {
      throw ControlError(
        .malformed, "workout: expected at most \(ControlLimits.workout) bytes")
    }
    if let seed, seed < 0 {
      throw ControlError(.malformed, "seed \(seed): expected a whole number, 0 or more")
    }
    if let group, !(1...1000).contains(group) {
      throw ControlError(.malformed, "group \(group): expected a whole number from 1 to 1000")
    }
    try athlete?.check()
    return self
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
