import ArgumentParser
import ControlProtocol

struct CtlVolumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "volume", abstract: "Print the volume, or set it.")

  @Argument(
    help: "Per cent of the highest volume that config.yaml allows the output, 0 to 100.")
  var volume: Int?
  @Flag(
    inversion: .prefixedNo, help: "Silence instead; the volume is kept. --no-mute ends it.")
  var mute: Bool?
  @OptionGroup var coach: CoachClient.Options

  func validate() throws {
    if let volume, !(0...100).contains(volume) {
      throw ValidationError("volume \(volume): expected a whole number from 0 to 100")
    }
  }

  func run() throws {
    let action: ControlRequest.Action =
      if let mute { .desk(DeskRequest(.mute(mute, volume: volume))) } else { .volume(volume) }
    let answer = try coach.connect().request(action)
    context.print("\(answer.volume ?? volume ?? 0)\(answer.muted == true ? ", muted" : "")")
  }
}
