import ArgumentParser
import ControlProtocol
import IntervalTimeline

/// A command to the workouts of a coach.
protocol CtlLaneCommand: ParsableCommand {
  static var command: ControlRequest.LaneCommand { get }
  var target: LaneTarget { get }
}

/// What such a command is for.
struct LaneTarget: ParsableArguments {
  @Argument(help: "The name of a workout; by default all.", completion: Completions.lanes)
  var lane: String?
  @OptionGroup var coach: CoachClient.Options
}

extension CtlLaneCommand {
  func run() throws {
    let link = try target.coach.connect()
    let answer = try link.request(.command(Self.command, lane: target.lane))
    for warning in answer.warnings ?? [] { context.complain(warning) }
    try link.showPlaces(of: answer.lanes ?? [])
  }

  fileprivate static func described(_ abstract: String) -> CommandConfiguration {
    CommandConfiguration(commandName: command.rawValue, abstract: abstract)
  }
}

struct CtlPauseCommand: CtlLaneCommand {
  static let command = ControlRequest.LaneCommand.pause
  static let configuration = described("Pause.")
  @OptionGroup var target: LaneTarget
}

struct CtlResumeCommand: CtlLaneCommand {
  static let command = ControlRequest.LaneCommand.resume
  static let configuration = described("Continue after a pause.")
  @OptionGroup var target: LaneTarget
}

struct CtlToggleCommand: CtlLaneCommand {
  static let command = ControlRequest.LaneCommand.toggle
  static let configuration = described("Pause, or continue after a pause.")
  @OptionGroup var target: LaneTarget
}

struct CtlNextCommand: CtlLaneCommand {
  static let command = ControlRequest.LaneCommand.next
  static let configuration = described("Go to the next phase.")
  @OptionGroup var target: LaneTarget
}

struct CtlBackCommand: CtlLaneCommand {
  static let command = ControlRequest.LaneCommand.back
  static let configuration = described(
    "Go to the start of the phase; within its first three seconds, to the phase before.")
  @OptionGroup var target: LaneTarget
}

struct CtlWhereAmICommand: CtlLaneCommand {
  static let command = ControlRequest.LaneCommand.whereAmI
  static let configuration = described("Say where the workout is, and print it.")
  @OptionGroup var target: LaneTarget
}

struct CtlSayTimeCommand: CtlLaneCommand {
  static let command = ControlRequest.LaneCommand.sayTime
  static let configuration = described("Say the time since the start of the workout.")
  @OptionGroup var target: LaneTarget
}

struct CtlRepCommand: CtlLaneCommand {
  static let command = ControlRequest.LaneCommand.rep
  static let configuration = described(
    "Count a repetition aloud; the last one of a phase ends it.")
  @OptionGroup var target: LaneTarget
}

struct CtlSignalCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "signal", abstract: "End the phases that last until a signal.")
  @Argument(help: "The signal's name, as in the preset: `rest: {until: heart-rate-low}`.")
  var name: String
  @OptionGroup var target: LaneTarget

  func validate() throws {
    if name == "next" {
      throw ValidationError("no signal is called next; cuecoach ctl next goes to the next phase")
    }
    guard OpenEnd.isSignal(name) else {
      throw ValidationError(
        "expected the name of a signal: at most 40 of a-z, 0-9 and hyphens, from a letter, instead of "
          + name.shownName)
    }
  }

  func run() throws {
    let link = try target.coach.connect()
    let answer = try link.request(.signal(name, lane: target.lane))
    try link.showPlaces(of: answer.lanes ?? [])
  }
}

struct CtlStopCommand: CtlLaneCommand {
  static let command = ControlRequest.LaneCommand.stop
  static let configuration = described("Stop for good.")
  @OptionGroup var target: LaneTarget

  func run() throws {
    let link = try target.coach.connect()
    let answer = try link.request(.command(.stop, lane: target.lane))
    context.printSentences((answer.lanes ?? []).map { "\($0): stopped" })
  }
}
