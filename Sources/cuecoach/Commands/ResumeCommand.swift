import ArgumentParser
import CoachHost
import Glibc
import IntervalTimeline
import SessionStore

struct ResumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resume", abstract: "Continue interrupted sessions.",
    discussion: """
      Without names, all of them. The timers kept running, and what is due now is played. A workout \
      that was paused, or whose machine was restarted, continues where it was.

      Examples:
        cuecoach resume                 everything that was interrupted
        cuecoach resume anna --hold     paused where it was
      """)

  @Argument(help: "The names of the sessions.", completion: Completions.sessions)
  var names: [String] = []
  @Flag(help: "Pause where it was, however short the interruption.") var hold = false
  @OptionGroup var files: RunFiles
  @OptionGroup var output: OutputOptions

  func run() throws {
    var warnings: [String] = []
    let installed = try context.installation()
    let configuration = installed.configuration
    let choice = try output.choice(configuration, hasSound: !files.noSound) { warnings.append($0) }
    let repository = try SessionFolder.open()
    let sessions = try UserError.wrapping { try repository.sessions() }
    for name in names where !sessions.contains(where: { $0.lane == name }) {
      throw UserError.unknownSession(name, among: sessions)
    }
    var rules = Resumption.Rules(configuration.sessions)
    // An explicit request overrides the configuration, but not the situation.
    rules.configured = nil
    rules.maximumAge = .seconds(366 * 86_400)
    rules.policy = hold ? .hold : nil
    rules.isExplicit = true
    var resumption = Resumption(repository, rules) { warnings += $0.lines(installed) }
    var lanes: [OpenedWorkout] = []
    var wanted: [String] = []
    for name in names where !wanted.contains(name) { wanted.append(name) }
    for session in sessions where names.isEmpty && !wanted.contains(session.lane) {
      wanted.append(session.lane)
    }
    for name in wanted.prefix(LaneArgument.maximumCount) {
      try UserError.wrapping {
        if names.isEmpty, try repository.holder(of: name) != nil { return }
        if let lane = try resumption.lane(name) { lanes.append(lane) }
      }
    }
    guard !lanes.isEmpty else {
      warnings += resumption.endSessions()
      for warning in warnings { context.complain(warning) }
      throw UserError.failed("there is nothing to resume")
    }
    let options = RunOptions(
      lanes: lanes, installed: installed, output: choice, files: files,
      sessions: configuration.sessions, repository: repository)
    let session = try RunSession(options, warnings: warnings)
    for warning in resumption.endSessions() { session.warn(warning) }
    throw ExitCode(session.run())
  }
}
