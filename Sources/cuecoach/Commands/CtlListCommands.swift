import ArgumentParser
import ControlProtocol
import IntervalTimeline

struct CtlPresetsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "presets", abstract: "List the presets that the coach can start by name.")

  @Flag(help: "Print one JSON object per preset.") var json = false
  @OptionGroup var coach: CoachClient.Options

  func run() throws {
    try coach.list(.presets(nil, outline: false), \.presets, json: json) { presets in
      var list = PresetList(names: presets.map(\.name))
      for preset in presets {
        func text(_ seconds: Double) -> String {
          Duration.milliseconds(Int64((seconds * 1000).rounded())).clockText
        }
        let length =
          preset.aboutSeconds.map { "about \(text($0))" } ?? preset.seconds.map(text) ?? "open"
        let about = preset.error ?? "\(length)  \((preset.workout ?? "").shownName)"
        context.printSentences(
          list.lines(preset.name, in: preset.folder, about, preset.description))
      }
      if presets.isEmpty { context.complain("the coach has no presets") }
    }
  }
}

struct CtlSessionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions", abstract: "List the interrupted sessions of the coach.")

  @Flag(help: "Print one JSON object per session.") var json = false
  @OptionGroup var coach: CoachClient.Options

  func run() throws {
    try coach.list(.sessions, \.sessions, json: json) { sessions in
      for session in sessions {
        let ago = Duration.seconds(session.age).passedText
        context.printSentences([
          "\(session.lane): \(session.workout.shownName), \(session.place), interrupted \(ago) ago"
        ])
      }
      if sessions.isEmpty { context.complain("there is no unfinished session") }
    }
  }
}

struct CtlHistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "List the last sessions of the coach, the latest first.")

  @Flag(help: "Print one JSON object per session.") var json = false
  @Option(parsing: .unconditional, help: "How many, 1 to \(ControlLimits.rows).") var limit = 20
  @OptionGroup var coach: CoachClient.Options

  func validate() throws {
    guard (1...ControlLimits.rows).contains(limit) else {
      throw ValidationError(
        "--limit \(limit): expected a whole number from 1 to \(ControlLimits.rows)")
    }
  }

  func run() throws {
    try coach.list(.history(limit: limit), \.history, json: json) { history in
      var table = TextTable([
        ("Started", .left), ("Length", .right), ("Lane", .left), ("Workout", .left),
        ("Outcome", .left),
      ])
      for item in history {
        table.add([
          String(item.startedAt.prefix(16).map { $0 == "T" ? " " : $0 }),
          Duration.seconds(item.seconds).passedText, TextTable.cell(item.lane, atMost: 16),
          TextTable.cell(item.workout, atMost: 32), item.outcome,
        ])
      }
      if history.isEmpty {
        context.complain("no session has ended yet; the history is empty")
      } else {
        context.print(table.lines.joined(separator: "\n"))
      }
    }
  }
}

extension CoachClient.Options {
  /// Asks the coach for a list, and shows it or prints it as JSON. Says how many entries it lacks.
  func list<Entry: Encodable>(
    _ action: ControlRequest.Action, _ entries: KeyPath<ControlAnswer, [Entry]?>, json: Bool,
    show: ([Entry]) -> Void
  ) throws(UserError) {
    let client = try connect()
    let answer = try ControlAnswer.whole(action, client.request)
    let entries = answer[keyPath: entries] ?? []
    if json { for entry in entries { try context.printObject(entry) } } else { show(entries) }
    if let count = answer.omitted {
      context.complain("\(count) more are left out, because the list is too long")
    }
  }
}

extension CommandContext {
  /// Prints a value of the control socket's protocol as one line.
  func printObject(_ value: some Encodable) throws(UserError) {
    do throws(ControlError) {
      write(String(decoding: try ControlCoding.line(value), as: UTF8.self))
    } catch {
      throw .failed(error.message)
    }
  }
}
