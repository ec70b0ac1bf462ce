import ArgumentParser
import CoachHost
import CueEngine
import IntervalTimeline
import SessionStore

struct SessionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions", abstract: "List unfinished sessions, or end some.",
    subcommands: [List.self, Discard.self], defaultSubcommand: List.self)

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List where each session is, and which process runs it.")

    @Flag(help: "Print one JSON object per session.") var json = false

    func run() throws {
      let folder = try StateFolder.path(for: "the sessions")
      let sessions = try StateFolder.read(for: "the sessions")?.sessions ?? []
      let now = MachineClocks.now()
      for session in sessions {
        let timeline = try? Timeline(session.workout)
        let place = timeline.map { session.place(in: $0) }
        let process = LaneLocks.holder(of: session.lane, in: folder)
        let age = now.since(session.clocks)
        var object = JSONObject()
        object.add("name", session.lane)
        object.add("preset", session.workout.name)
        object.add("state", session.record.anchors.state.rawValue)
        object.add("place", place)
        object.add("age", seconds: age)
        object.add("process", process.map { Int64($0) })
        let ago = age.map { "\($0.passedText) ago" } ?? "before this machine was started"
        let how = process.map { "run by process \($0)" } ?? "interrupted \(ago)"
        let name = session.workout.name.shownName
        if json {
          context.print(object.text)
        } else {
          context.printSentences([
            "\(session.lane.singleLine): \(name), \(place ?? "?"), \(how)"
          ])
        }
      }
      if sessions.isEmpty, !json { context.complain("there is no unfinished session") }
    }
  }

  struct Discard: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "discard",
      abstract: "End sessions where they are, and put them into the history.")

    @Argument(help: "The names of the sessions.", completion: Completions.sessions)
    var names: [String]

    func run() throws {
      let repository = try SessionFolder.open()
      let resumption = Resumption(repository, Resumption.Rules()) { _ in }
      let sessions = try UserError.wrapping { try repository.sessions() }
      for name in names {
        let some = sessions.filter { $0.lane == name }
        guard !some.isEmpty else { throw UserError.unknownSession(name, among: sessions) }
        if let process = try UserError.wrapping({ try repository.take(name) }) {
          throw UserError.failed("\"\(name.singleLine)\" is being run by process \(process)")
        }
        try UserError.wrapping { for session in some { try resumption.discard(session) } }
      }
    }
  }
}

extension UserError {
  static func unknownSession(_ name: String, among sessions: [StoredSession]) -> UserError {
    let names = sessions.map { "\"\($0.lane.singleLine)\"" }.joined(separator: ", ")
    return .usage(
      "there is no unfinished session \"\(name.shownName)\"; "
        + (names.isEmpty ? "there is none" : "there are \(names)"))
  }
}
