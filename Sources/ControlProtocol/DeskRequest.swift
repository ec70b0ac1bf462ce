import IntervalTimeline

/// What a surface asks for beside the workouts that run: the history, people, starts that repeat, the output.
public struct DeskRequest: Hashable, Sendable {
  /// A verb with its fields.
  package enum Action: Hashable, Sendable {
    /// Of all presets those behind that place.
    case presets(after: String, folder: String?)
    /// The sessions that have ended, by what is given.
    case history(HistoryQuery)
    /// Sums of them: of the lane and the tag, the days of a year. Nil: this year's.
    case summary(HistoryQuery, year: Int?)
    /// The phases of a session against the plan.
    case phases(session: String)
    /// Takes a session out of the history, for a while only.
    case delete(session: String)
    /// Puts it back.
    case restore(session: String)
    /// Ends what was interrupted under that name.
    case discard(lane: String)
    /// Under which names workouts were run.
    case people
    case favourite(preset: String, person: String, isOn: Bool)
    /// A start that repeats.
    case schedule(ScheduleOrder)
    case schedules
    case unschedule(String)
    case outputs
    case output(String)
    /// Silence, or an end of it; and a volume.
    case mute(Bool, volume: Int?)
    /// Several workouts of one order, which begin at one instant.
    case startTogether(StartOrder, lanes: [String])
  }

  package var action: Action

  package init(_ action: Action) { self.action = action }

  /// Under which it is sent.
  var verb: ControlVerb {
    switch action {
    case .presets: .presets
    case .history: .history
    case .summary: .historySummary
    case .phases: .historyPhases
    case .delete: .historyDelete
    case .restore: .historyRestore
    case .discard: .discard
    case .people: .people
    case .favourite: .favourite
    case .schedule: .schedule
    case .schedules: .schedules
    case .unschedule: .unschedule
    case .outputs: .outputs
    case .output: .output
    case .mute: .volume
    case .startTogether: .start
    }
  }
}

/// Which sessions of the history are asked for.
package struct HistoryQuery: Hashable, Sendable {
  /// How many of the latest.
  package var limit = 20
  /// Only those that are older than the session of this id.
  package var before: String?
  package var lane: String?
  package var tag: String?

  package init(
    limit: Int = 20, before: String? = nil, lane: String? = nil, tag: String? = nil
  ) {
    (self.limit, self.before, self.lane, self.tag) = (limit, before, lane, tag)
  }
}

/// A start that repeats, at a time of the local clock.
package struct ScheduleOrder: Hashable, Codable, Sendable {
  /// On which days.
  package enum Days: String, CaseIterable, Hashable, Codable, Sendable {
    case daily
    /// Monday to Friday.
    case weekdays
  }

  package var preset: String
  /// The lane's name; nil: the preset's.
  package var lane: String?
  package var style: AnnouncementStyle
  /// "18:00" or "18:00:30".
  package var time: String
  package var days: Days

  package init(
    preset: String, lane: String? = nil, style: AnnouncementStyle = AnnouncementStyle(),
    time: String, days: Days
  ) {
    (self.preset, self.lane, self.style, self.time, self.days) = (preset, lane, style, time, days)
  }

  /// What is started each time.
  package var order: StartOrder { StartOrder(preset: preset, lane: lane, style: style) }
}

extension DeskRequest {
  typealias Field = ControlRequest.Field

  /// The fields of a verb, besides `id` and `verb`; nil for a verb of another kind.
  static func fields(of verb: ControlVerb) -> [Field]? {
    switch verb {
    case .historySummary: [.lane, .tag, .year]
    case .historyPhases: [.session]
    case .historyDelete, .historyRestore: [.session, .sentAt]
    case .discard: [.lane, .sentAt]
    case .people, .schedules, .outputs: []
    case .favourite: [.preset, .person, .on, .sentAt]
    case .schedule: [.preset, .lane, .style, .time, .days, .sentAt]
    case .unschedule: [.schedule, .sentAt]
    case .output: [.output, .sentAt]
    default: nil
    }
  }

  /// - Parameter fields: those of the verb alone.
  init(_ verb: ControlVerb, _ fields: RequestFields) throws {
    switch verb {
    case .historySummary:
      let year: Int? = try fields.value(.year, "a year")
      if let year, !(1970...2199).contains(year) {
        throw ControlError(.malformed, "year \(year): expected a year from 1970 to 2199")
      }
      action = .summary(try HistoryQuery(fields), year: year)
    case .historyPhases: action = .phases(session: try fields.required(.session, Self.session))
    case .historyDelete: action = .delete(session: try fields.required(.session, Self.session))
    case .historyRestore: action = .restore(session: try fields.required(.session, Self.session))
    case .discard: action = .discard(lane: try fields.required(.lane, "the name of a lane"))
    case .people: action = .people
    case .favourite:
      let person: String = try fields.required(.person, "a name, or an empty text")
      guard person.isEmpty || NameRule.lane.allows(person) else {
        throw ControlError(.malformed, "person: expected \(NameRule.lane.expected), or \"\"")
      }
      action = .favourite(
        preset: try fields.required(.preset, "the name of a preset"), person: person,
        isOn: try fields.required(.on, "true or false"))
    case .schedule: action = .schedule(try ScheduleOrder(fields))
    case .schedules: action = .schedules
    case .unschedule: action = .unschedule(try fields.required(.schedule, "the id of a schedule"))
    case .outputs: action = .outputs
    default: action = .output(try fields.required(.output, "one of those that outputs lists"))
    }
  }

  private static let session = "the id of a session"

  func encode(to fields: inout KeyedEncodingContainer<Field>) throws {
    switch action {
    case .presets(let name, let folder):
      try fields.encode(name, forKey: .after)
      try fields.encodeIfPresent(folder, forKey: .folder)
    case .history(let query):
      try fields.encode(query.limit, forKey: .limit)
      try query.encode(to: &fields)
    case .summary(let query, let year):
      try query.encode(to: &fields)
      try fields.encodeIfPresent(year, forKey: .year)
    case .phases(let session), .delete(let session), .restore(let session):
      try fields.encode(session, forKey: .session)
    case .discard(let lane): try fields.encode(lane, forKey: .lane)
    case .people, .schedules, .outputs: break
    case .favourite(let preset, let person, let isOn):
      try fields.encode(preset, forKey: .preset)
      try fields.encode(person, forKey: .person)
      try fields.encode(isOn, forKey: .on)
    case .schedule(let order):
      try fields.encode(order.preset, forKey: .preset)
      try fields.encodeIfPresent(order.lane, forKey: .lane)
      try fields.encodeIfPresent(StyleOptions(order.style), forKey: .style)
      try fields.encode(order.time, forKey: .time)
      try fields.encode(order.days, forKey: .days)
    case .unschedule(let id): try fields.encode(id, forKey: .schedule)
    case .output(let name): try fields.encode(name, forKey: .output)
    case .mute(let isMuted, let volume):
      try fields.encode(isMuted, forKey: .muted)
      try fields.encodeIfPresent(volume, forKey: .volume)
    case .startTogether(let order, let lanes):
      try order.encode(to: &fields)
      try fields.encode(lanes, forKey: .lanes)
    }
  }
}

extension HistoryQuery {
  init(_ fields: RequestFields) throws {
    before = try fields.value(.before, "the id of a session")
    lane = try fields.value(.lane, "the name of a lane")
    tag = try fields.value(.tag, "a tag")
  }

  fileprivate func encode(to fields: inout KeyedEncodingContainer<DeskRequest.Field>) throws {
    try fields.encodeIfPresent(before, forKey: .before)
    try fields.encodeIfPresent(lane, forKey: .lane)
    try fields.encodeIfPresent(tag, forKey: .tag)
  }
}

extension ScheduleOrder {
  fileprivate init(_ fields: RequestFields) throws {
    let lane: String? = try fields.value(.lane, "the name of a lane")
    if let lane, !NameRule.lane.allows(lane) {
      throw ControlError(.badName, "lane: expected \(NameRule.lane.expected)")
    }
    let time: String = try fields.required(.time, ClockTime.expected)
    guard ClockTime(time) != nil else {
      throw ControlError(.malformed, "time \"\(time.shown)\": expected \(ClockTime.expected)")
    }
    let name: String = try fields.required(.days, "daily or weekdays")
    guard let days = Days(rawValue: name) else {
      throw ControlError(.malformed, "days \"\(name.shown)\": expected daily or weekdays")
    }
    self.init(
      preset: try fields.required(.preset, "the name of a preset"), lane: lane, time: time,
      days: days)
    style = try fields.style() ?? AnnouncementStyle()
  }
}
