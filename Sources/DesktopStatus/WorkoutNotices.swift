import ControlProtocol
import IntervalTimeline
import Phrases

/// Decides what the user is notified of, and when. What the coach says goes in; notices come out.
package struct WorkoutNotices: Sendable {
  package enum Effect: Hashable, Sendable {
    case show(Notice)
    /// The notice of a workout, or with nil that of the sound, says what is no longer so.
    case withdraw(String?)
    case ask(ControlRequest.Action)
  }

  /// The words of a language.
  package typealias Words = (String) -> PhraseCatalogue

  private let kinds: Set<NoticeKind>
  /// By name, as the coach last said.
  private var lanes: [String: WorkoutStatus] = [:]
  /// When it said so, nanoseconds of CLOCK_BOOTTIME.
  private var said: [String: Int64] = [:]
  /// Those whose notice says where they are.
  private var followed: Set<String> = []
  private var isSilent = false
  /// The language of the workout that began last.
  private var language = "en"
  /// Workouts of a coach that went away, and how they stood.
  private var missing: [String: WorkoutStatus] = [:]
  /// When those are given up; nil: none is missing.
  package private(set) var deadline: Int64?
  private var isThere = false
  /// Stop was pressed, and until when a second press ends the workout.
  private var stopping: (lane: String, until: Int64)?

  /// A coach that is started anew resumes its workouts sooner.
  private static let patience: Int64 = 10_000_000_000
  /// Between two presses of Stop.
  private static let doubt: Int64 = 10_000_000_000

  package init(_ kinds: Set<NoticeKind>) { self.kinds = kinds }

  // MARK: What the coach says

  package mutating func take(
    _ snapshot: CoachSnapshot, _ words: Words
  ) -> [Effect] {
    isThere = true
    var effects: [Effect] = []
    let now = Dictionary(snapshot.lanes.map { ($0.name, $0) }) { first, _ in first }
    // Two snapshots of one connection: what ended between them has its event.
    for name in lanes.keys where now[name] == nil { (lanes[name], said[name]) = (nil, nil) }
    for lane in snapshot.lanes {
      effects += take(lane, words)
      said[lane.name] = snapshot.at
    }
    return effects + take(snapshot.device, words)
  }

  package mutating func take(_ event: ControlEvent, _ words: Words) -> [Effect] {
    if let name = event.lane?.name { said[name] = event.at }
    return switch event.event {
    case .lane: event.lane.map { take($0, words) } ?? []
    case .ended: event.lane.map { end($0, words) } ?? []
    case .device: event.device.map { take($0, words) } ?? []
    case .volume, .warning: []
    }
  }

  private mutating func take(_ lane: WorkoutStatus, _ words: Words) -> [Effect] {
    let before = lanes[lane.name]
    language = lane.language
    let isBack = missing.removeValue(forKey: lane.name) != nil
    if missing.isEmpty { deadline = nil }
    if lane.isOver { return before?.isOver == true ? [] : end(lane, words) }
    lanes[lane.name] = lane
    guard let before, !before.isOver else {
      if isBack, followed.contains(lane.name) { return follow(lane, words) }
      // What the last one left there is old, and so is that it was interrupted.
      followed.remove(lane.name)
      let isBeginning = lane.state == .running && lane.elapsed < .seconds(2)
      guard isBeginning, kinds.contains(.begins) else { return [.withdraw(lane.name)] }
      return follow(lane, words)
    }
    if before.state == .ready, lane.state == .running, kinds.contains(.begins) {
      return follow(lane, words)
    }
    if kinds.contains(.sets), lane.set != nil, lane.set != before.set || lane.sets != before.sets {
      return follow(lane, words)
    }
    let isNew = before.state != lane.state || before.phase != lane.phase
    return followed.contains(lane.name) && isNew ? follow(lane, words) : []
  }

  private mutating func end(_ lane: WorkoutStatus, _ words: Words) -> [Effect] {
    let wasOver = lanes[lane.name]?.isOver == true
    // Its `ended` follows once its last sounds have been heard.
    lanes[lane.name] = lane
    followed.remove(lane.name)
    guard !wasOver else { return [] }
    guard lane.state == .finished, kinds.contains(.complete) else { return [.withdraw(lane.name)] }
    return [.show(complete(lane, words(lane.language)))]
  }

  private mutating func take(_ device: DeviceSnapshot, _ words: Words) -> [Effect] {
    let isSilent = device.state == .lost
    defer { self.isSilent = isSilent }
    guard kinds.contains(.noSound), isSilent != self.isSilent else { return [] }
    guard isSilent else { return [.withdraw(nil)] }
    let notice = Notice(
      lane: nil, title: "cuecoach", lines: [words(language).screen(.silent)], isLow: false)
    return [.show(notice)]
  }

  // MARK: A coach that goes away

  /// - Parameter now: nanoseconds of CLOCK_BOOTTIME.
  package mutating func lose(at now: Int64) {
    isThere = false
    for var lane in lanes.values where !lane.isOver && lane.state != .ready {
      lane.advance(
        from: BootInstant(nanoseconds: said[lane.name] ?? now), to: BootInstant(nanoseconds: now))
      missing[lane.name] = lane
    }
    (lanes, said) = ([:], [:])
    stopping = nil
    if !missing.isEmpty, deadline == nil { deadline = now + Self.patience }
  }

  /// What is due: workouts that did not come back. A coach that is there is asked which of them can be resumed.
  package mutating func check(at now: Int64, _ words: Words) -> [Effect] {
    guard let deadline, deadline <= now else { return [] }
    self.deadline = nil
    guard kinds.contains(.interrupted) else {
      missing = [:]
      return []
    }
    if isThere { return [.ask(.sessions)] }
    defer { missing = [:] }
    return missing.values.sorted { $0.name < $1.name }.map {
      .show(interrupted($0, words($0.language), buttons: []))
    }
  }

  package mutating func take(_ sessions: [SessionEntry], _ words: Words) -> [Effect] {
    defer { missing = [:] }
    return sessions.compactMap { session in
      guard let lane = missing[session.lane] else { return nil }
      return .show(interrupted(lane, words(lane.language), buttons: [.resume]))
    }
  }

  // MARK: Buttons

  /// Whether the server shows buttons is its affair.
  ///
  /// - Parameter now: nanoseconds of CLOCK_BOOTTIME.
  package mutating func press(
    _ button: Notice.Button, of lane: String?, at now: Int64, _ words: Words
  ) -> [Effect] {
    guard let lane else { return [] }
    defer { if button != .stop { stopping = nil } }
    switch button {
    case .pause: return [.ask(.command(.pause, lane: lane))]
    case .resume: return [.ask(.command(.resume, lane: lane))]
    case .next: return [.ask(.command(.next, lane: lane))]
    case .stop:
      if let stopping, stopping.lane == lane, now < stopping.until {
        self.stopping = nil
        return [.ask(.command(.stop, lane: lane))]
      }
      guard let status = lanes[lane], !status.isOver else { return [] }
      stopping = (lane, now + Self.doubt)
      let phrases = words(status.language)
      var notice = progress(status, phrases)
      notice.lines = [phrases.screen(.stopAgain)]
      return [.show(notice)]
    }
  }

  // MARK: Texts

  private mutating func follow(_ lane: WorkoutStatus, _ words: Words) -> [Effect] {
    followed.insert(lane.name)
    return [.show(progress(lane, words(lane.language)))]
  }

  private func progress(_ lane: WorkoutStatus, _ phrases: PhraseCatalogue) -> Notice {
    var line = [lane.label ?? ""]
    if lane.state == .paused { line.insert(phrases.screen(.paused), at: 0) }
    if let set = lane.set {
      line.append(phrases.screen(.set, ["set": "\(set)", "sets": "\(lane.sets ?? set)"]))
    }
    return notice(
      of: lane, lines: [line.filter { !$0.isEmpty }.joined(separator: ", ")], phrases,
      buttons: [lane.state == .paused ? .resume : .pause, .next, .stop])
  }

  private func complete(_ lane: WorkoutStatus, _ phrases: PhraseCatalogue) -> Notice {
    var done = [
      phrases.screen(.done, ["done": "\(lane.done)", "phases": "\(lane.phases)"])
    ]
    if lane.setsDone > 0 { done.insert(phrases.count(Int64(lane.setsDone), .set), at: 0) }
    if lane.skipped > 0 { done.append(phrases.screen(.skipped, ["skipped": "\(lane.skipped)"])) }
    var notice = notice(
      of: lane,
      lines: [
        phrases.screen(.complete, ["time": lane.elapsed.passedText]), done.joined(separator: ", "),
      ], phrases, buttons: [])
    notice.isLow = false
    return notice
  }

  private func interrupted(
    _ lane: WorkoutStatus, _ phrases: PhraseCatalogue, buttons: [Notice.Button]
  ) -> Notice {
    var line = [phrases.screen(.interrupted, ["time": lane.elapsed.passedText])]
    if let set = lane.set {
      line.append(phrases.screen(.set, ["set": "\(set)", "sets": "\(lane.sets ?? set)"]))
    }
    return notice(of: lane, lines: [line.joined(separator: ", ")], phrases, buttons: buttons)
  }

  private func notice(
    of lane: WorkoutStatus, lines: [String], _ phrases: PhraseCatalogue, buttons: [Notice.Button]
  ) -> Notice {
    let isNamed = lane.name != lane.workout
    return Notice(
      lane: lane.name, title: isNamed ? "\(lane.name): \(lane.workout)" : lane.workout,
      lines: lines,
      buttons: buttons.map { button in
        let key: ScreenKey =
          switch button {
          case .pause: .pauseButton
          case .resume: .resumeButton
          case .next: .nextButton
          case .stop: .stopButton
          }
        return Notice.LabelledButton(button: button, label: phrases.screen(key))
      })
  }
}
