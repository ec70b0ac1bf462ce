import ControlProtocol
import IntervalTimeline

/// A message to somebody who is elsewhere: how a workout ended, or that there is no sound. It contains no readings of
/// sensors.
package struct Notice: Hashable, Sendable {
  package enum Event: String, CaseIterable, Hashable, Sendable {
    /// A workout came to its end.
    case complete
    /// The coach has gone while a workout ran, and did not take it up again.
    case interrupted
    /// The output device has failed, and does not work again.
    case failed
  }

  package var event: Event
  /// How the workout was; nil where the notice is of the device.
  package var workout: WorkoutStatus?
  /// Why the device failed, such as "gone".
  package var reason: String?

  package init(_ event: Event, workout: WorkoutStatus? = nil, reason: String? = nil) {
    (self.event, self.workout, self.reason) = (event, workout, reason)
  }

  /// Nil for news without a notice.
  package init?(_ news: CoachWatch.News) {
    switch news {
    case .complete(let workout): self.init(.complete, workout: workout)
    case .interrupted(let workout, _): self.init(.interrupted, workout: workout)
    case .noSound(let reason): self.init(.failed, reason: reason)
    case .sound, .unclear: return nil
    }
  }

  /// For a person.
  package var title: String {
    switch event {
    case .complete: "\(workout?.workout ?? "The workout"): complete"
    case .interrupted: "\(workout?.workout ?? "The workout"): interrupted"
    case .failed: "The coach has no sound"
    }
  }

  /// For a person: who, how long, how many sets, and how much was done.
  package var message: String {
    guard let workout else { return "The output device has failed: \(reason ?? "unknown")" }
    var parts = ["\(workout.name): \(workout.elapsed.passedText)"]
    if workout.setsDone > 0 {
      parts.append("\(workout.setsDone) \(workout.setsDone == 1 ? "set" : "sets")")
    }
    if workout.phases > 0 { parts.append("\(workout.done * 100 / workout.phases) % done") }
    return parts.joined(separator: ", ")
  }

  /// Its JSON, with fields of the user's, which take the place of those of the same name.
  package func json(with fields: [String: NoticeField] = [:]) -> [UInt8] {
    // Without the line feed.
    (try? ControlCoding.line(Body(notice: self, fields: fields)).dropLast()).map(Array.init) ?? []
  }
}

/// A value that the user adds to each notice.
package enum NoticeField: Hashable, Sendable {
  case text(String)
  case number(Int)
}

private struct Body: Encodable {
  let notice: Notice
  let fields: [String: NoticeField]

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    func put(_ key: String, _ value: (some Encodable)?) throws {
      guard fields[key] == nil else { return }
      try values.encodeIfPresent(value, forKey: Key(stringValue: key))
    }
    try put("event", notice.event.rawValue)
    try put("title", notice.title)
    try put("message", notice.message)
    try put("reason", notice.reason)
    if let workout = notice.workout {
      try put("name", workout.name)
      try put("workout", workout.workout)
      try put("preset", workout.preset)
      try put("seconds", Int(workout.elapsed / .seconds(1)))
      try put("phases", workout.phases)
      try put("phasesDone", workout.done)
      try put("setsDone", workout.setsDone > 0 ? workout.setsDone : nil)
    }
    for (key, field) in fields {
      switch field {
      case .text(let text): try values.encode(text, forKey: Key(stringValue: key))
      case .number(let number): try values.encode(number, forKey: Key(stringValue: key))
      }
    }
  }
}
