import ArgumentParser
import ControlProtocol

struct CtlSayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "say",
    abstract: "Say a text in a workout's voice, as soon as there is room between its cues.")

  @Argument(help: "The text, at most \(ControlLimits.text) characters.") var text: String
  @Option(
    help: "The name of the workout; needed where several run.", completion: Completions.lanes)
  var lane: String?
  @OptionGroup var coach: CoachClient.Options

  func validate() throws {
    let count = text.unicodeScalars.count
    guard (1...ControlLimits.text).contains(count) else {
      throw ValidationError(
        "a text of \(count) characters: expected 1 to \(ControlLimits.text)")
    }
  }

  func run() throws {
    _ = try coach.connect().request(.say(text, lane: lane))
  }
}
