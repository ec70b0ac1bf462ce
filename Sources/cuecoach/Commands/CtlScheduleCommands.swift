import ArgumentParser
import ControlProtocol
import IntervalTimeline

struct CtlScheduleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedule",
    abstract: "Start a preset again and again, at a time of the coach's clock.",
    discussion: """
      Examples:
        cuecoach ctl schedule emom --at 18:00
        cuecoach ctl schedule tabata --at 6:30 --weekdays --as anna
      """)

  @Argument(help: "The name of a preset.", completion: Completions.coachPresets)
  var preset: String
  @Option(parsing: .unconditional, help: "When, such as 18:00 or 18:00:30.") var at: String
  @Flag(help: "From Monday to Friday; otherwise daily.") var weekdays = false
  @Option(name: .customLong("as"), help: "Its name among the workouts; by default the preset's.")
  var name: String?
  @OptionGroup var speech: SpeechOptions
  @OptionGroup var coach: CoachClient.Options

  func validate() throws {
    guard ClockTime(at) != nil else {
      throw ValidationError("--at \"\(at.shownName)\": expected \(ClockTime.expected)")
    }
    if let name { try NameRule.checkLane(name) }
  }

  func run() throws {
    let order = ScheduleOrder(
      preset: preset, lane: name, style: try speech.style(), time: at,
      days: weekdays ? .weekdays : .daily)
    let answer = try coach.connect().request(.desk(DeskRequest(.schedule(order))))
    if let entry = answer.schedule { context.printSentences([entry.line]) }
  }
}

struct CtlSchedulesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schedules", abstract: "List the starts that repeat, the next one first.")

  @Flag(help: "Print one JSON object per start.") var json = false
  @OptionGroup var coach: CoachClient.Options

  func run() throws {
    try coach.list(.desk(DeskRequest(.schedules)), \.schedules, json: json) { schedules in
      context.printSentences(schedules.map(\.line))
      if schedules.isEmpty { context.complain("no start repeats") }
    }
  }
}

struct CtlUnscheduleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unschedule", abstract: "End a start that repeats.")

  @Argument(help: "Its id, as in the list of schedules.") var id: String
  @OptionGroup var coach: CoachClient.Options

  func run() throws {
    _ = try coach.connect().request(.desk(DeskRequest(.unschedule(id))))
  }
}

extension ScheduleEntry {
  /// "5c0f3a9e21d07b46: emom as ben, 18:00 on weekdays, next 2026-11-27 18:00".
  fileprivate var line: String {
    func minute(_ text: String) -> String {
      String(text.prefix(16).map { $0 == "T" ? " " : $0 })
    }
    let name = lane.map { " as \($0.shownName)" } ?? ""
    let missed = self.missed.map { ", missed \(minute($0))" } ?? ""
    return
      "\(id): \(preset.shownName)\(name), \(time) \(days == .daily ? "daily" : "on weekdays"), "
      + "next \(minute(next))\(missed)"
  }
}

struct CtlOutputCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "output", abstract: "Print the outputs that config.yaml offers, or choose one.",
    discussion: "The one in use has a * before it.")

  @Argument(help: "The output to use.") var output: String?
  @OptionGroup var coach: CoachClient.Options

  func run() throws {
    let action = output.map { DeskRequest.Action.output($0) } ?? .outputs
    let answer = try coach.connect().request(.desk(DeskRequest(action)))
    context.printSentences(
      (answer.outputs ?? []).map { "\($0 == answer.output ? "*" : " ") \($0)" })
    if answer.outputs?.isEmpty == true { context.complain("this coach has no outputs to choose") }
  }
}

struct CtlDiscardCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "discard", abstract: "End an interrupted session, and put it into the history.")

  @Argument(help: "The name of the session.") var lane: String
  @OptionGroup var coach: CoachClient.Options

  func run() throws {
    _ = try coach.connect().request(.desk(DeskRequest(.discard(lane: lane))))
  }
}
