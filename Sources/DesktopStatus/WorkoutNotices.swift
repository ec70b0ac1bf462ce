import ControlProtocol
import IntervalTimeline
import NoticeRules
import Phrases

/// Decides what the user is notified of, and when. What the coach says goes in; notices come out.
package struct WorkoutNotices: Sendable {
  package enum Effect: Hashable, Sendable {
    case show(Notice)
    /// The notice of a workout, or with nil that of the sound, says what is no longer so.
    case withdraw(String?)
    case ask(ControlRequest.Action)

    /// Whose notice is shown; nil where none is, or that of the sound.
    fileprivate var lane: String? { if case .show(let notice) = self { notice.lane } else { nil } }
  }

  /// The words of a language.
  package typealias Words = (String) -> PhraseCatalogue

  private let kinds: Set<NoticeKind>
  private var watch = CoachWatch()
  /// Those whose notice says where they are.
  private var followed: Set<String> = []
  /// The language of the workout that began last.
  private var language = "en"
  /// By workout: Stop was pressed once, and until then a second press ends it.
  private var stopping: [String: Int64] = [:]
  /// What was interrupted before, and of what the user knows.
  private var earlier: EarlierSessions

  /// Between two presses of Stop.
  private static let doubt: Int64 = 10_000_000_000

  /// - Parameter told: what `told` was when the program last ended.
  package init(_ kinds: Set<NoticeKind>, told: String = "") {
    self.kinds = kinds
    earlier = EarlierSessions(told)
  }

  /// When something is due; nil: not before the coach says more.
  package var deadline: Int64? { ([watch.deadline].compactMap { $0 } + stopping.values).min() }

  // MARK: What the coach says

  package mutating func take(
    _ snapshot: CoachSnapshot, at now: Int64, _ words: Words
  ) -> [Effect] {
    let before = watch
    let news = watch.take(snapshot, at: now)
    return snapshot.lanes.flatMap { take($0, before, words) } + tell(news, words)
  }

  package mutating func take(
    _ event: ControlEvent, at now: Int64, _ words: Words
  ) -> [Effect] {
    let before = watch
    let news = watch.take(event, at: now)
    // One that the coach gives up may come back.
    let isGivenUp = event.event == .ended && (event.lane.map { watch.isMissing($0.name) } ?? false)
    let lane = isGivenUp ? nil : event.lane
    return (lane.map { take($0, before, words, isEnd: event.event == .ended) } ?? [])
      + tell(news, words)
  }

  private mutating func take(
    _ lane: WorkoutStatus, _ known: CoachWatch, _ words: Words, isEnd: Bool = false
  ) -> [Effect] {
    let before = known.workout(lane.name)
    language = lane.language
    earlier.isRunning(lane.name)
    if lane.isOver || isEnd {
      followed.remove(lane.name)
      stopping[lane.name] = nil
      // Its `ended` follows once its last sounds have been heard.
      let isTold = before?.isOver == true || lane.state == .finished && kinds.contains(.complete)
      return isTold ? [] : [.withdraw(lane.name)]
    }
    guard let before, !before.isOver else {
      if known.isMissing(lane.name), followed.contains(lane.name) { return follow(lane, words) }
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
    // One whose time is over does not come again for each phase and each pause.
    return followed.contains(lane.name) && isNew
      ? [.show(progress(lane, words, onlyReplaces: true))] : []
  }

  private mutating func tell(_ news: [CoachWatch.News], _ words: Words) -> [Effect] {
    news.compactMap { news in
      switch news {
      case .complete(let lane):
        kinds.contains(.complete) ? .show(complete(lane, words(lane.language))) : nil
      case .interrupted(let lane, let canResume):
        kinds.contains(.interrupted)
          ? .show(interrupted(lane, words(lane.language), buttons: canResume ? [.resume] : []))
          : .withdraw(lane.name)
      case .unclear: kinds.contains(.interrupted) ? .ask(.sessions) : nil
      case .noSound:
        kinds.contains(.noSound)
          ? .show(
            Notice(
              lane: nil, title: "cuecoach", lines: [words(language).screen(.silent)], isLow: false))
          : nil
      case .sound: kinds.contains(.noSound) ? .withdraw(nil) : nil
      }
    }
  }

  /// - Parameter now: nanoseconds of CLOCK_BOOTTIME.
  package mutating func lose(at now: Int64) {
    watch.lose(at: now)
    stopping = [:]
  }

  /// What is due.
  package mutating func check(at now: Int64, _ words: Words) -> [Effect] {
    tell(watch.check(at: now), words) + endDoubt(at: now, words)
  }

  /// Ends the waits for a second Stop: the notices show the workouts again.
  private mutating func endDoubt(at now: Int64, _ words: Words) -> [Effect] {
    let ended = stopping.filter { $0.value <= now }.keys.sorted()
    for lane in ended { stopping[lane] = nil }
    return ended.compactMap { lane in
      watch.workout(lane).map { .show(progress($0, words, onlyReplaces: true)) }
    }
  }

  // MARK: What was interrupted before

  /// Asks for it, once. To be called where notices can be shown.
  package mutating func askForEarlier() -> [Effect] {
    guard kinds.contains(.interrupted), watch.snapshot != nil, earlier.isAsking() else { return [] }
    return [.ask(.sessions)]
  }

  package mutating func take(_ sessions: [SessionEntry], _ words: Words) -> [Effect] {
    let effects = tell(watch.take(sessions), words)
    let news = earlier.take(sessions.filter { !watch.isKnown($0.lane) }, told: effects.map(\.lane))
    guard kinds.contains(.interrupted) else { return effects }
    return effects
      + news.map { session in
        let phrases = words(session.language ?? language)
        let text = phrases.screen(
          .foundAgo,
          [
            "lane": session.lane, "workout": session.workout, "place": session.place,
            "time": Duration.seconds(session.age).passedText,
          ])
        return .show(
          Notice(
            lane: session.lane, title: "cuecoach", lines: [text],
            buttons: labelled([.resume], phrases)))
      }
  }

  /// The notice of a workout is on the desktop, or was refused. Returns true where `told` has changed.
  package mutating func shown(_ lane: String, isRefused: Bool) -> Bool {
    earlier.shown(lane, isRefused: isRefused)
  }

  /// There is another notification server: it may show what the last one refused.
  package mutating func beginAnew() { earlier.beginAnew() }

  /// What the user was told of interrupted workouts, to be kept until the program is started again.
  package var told: String { earlier.told }

  // MARK: Buttons

  /// Whether the server shows buttons is its affair.
  ///
  /// - Parameter now: nanoseconds of CLOCK_BOOTTIME.
  package mutating func press(
    _ button: Notice.Button, of lane: String?, at now: Int64, _ words: Words
  ) -> [Effect] {
    guard let lane else { return [] }
    if button != .stop, stopping[lane] != nil { stopping[lane] = now }
    switch button {
    case .pause: return [.ask(.command(.pause, lane: lane))]
    case .resume: return [.ask(.command(.resume, lane: lane))]
    case .next: return [.ask(.command(.next, lane: lane))]
    case .stop:
      if let until = stopping[lane], now < until {
        stopping[lane] = nil
        return [.ask(.command(.stop, lane: lane))]
      }
      guard let status = watch.workout(lane), !status.isOver else { return [] }
      stopping[lane] = now + Self.doubt
      return [.show(progress(status, words))]
    }
  }

  /// The coach does not take a workout up again: the notice with that button is no longer true.
  package func refused(_ lane: String, _ reason: String) -> [Effect] {
    watch.workout(lane) == nil
      ? [.show(Notice(lane: lane, title: "cuecoach", lines: [reason]))] : []
  }

  // MARK: Texts

  private mutating func follow(_ lane: WorkoutStatus, _ words: Words) -> [Effect] {
    followed.insert(lane.name)
    return [.show(progress(lane, words))]
  }

  private func progress(_ lane: WorkoutStatus, _ words: Words, onlyReplaces: Bool = false) -> Notice
  {
    let phrases = words(lane.language)
    var line = [lane.label ?? ""]
    if lane.state == .paused { line.insert(phrases.screen(.paused), at: 0) }
    if let set = lane.set {
      line.append(phrases.screen(.set, ["set": "\(set)", "sets": "\(lane.sets ?? set)"]))
    }
    let isAsking = stopping[lane.name] != nil
    var notice = notice(
      of: lane,
      lines: [
        isAsking
          ? phrases.screen(.stopAgain) : line.filter { !$0.isEmpty }.joined(separator: ", ")
      ], phrases,
      buttons: [lane.state == .paused ? .resume : .pause, .next, .stop])
    notice.onlyReplaces = onlyReplaces
    return notice
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
      lines: lines, buttons: labelled(buttons, phrases))
  }

  private func labelled(_ buttons: [Notice.Button], _ phrases: PhraseCatalogue)
    -> [Notice.LabelledButton]
  {
    buttons.map { button in
      let key: ScreenKey =
        switch button {
        case .pause: .pauseButton
        case .resume: .resumeButton
        case .next: .nextButton
        case .stop: .stopButton
        }
      return Notice.LabelledButton(button: button, label: phrases.screen(key))
    }
  }
}
