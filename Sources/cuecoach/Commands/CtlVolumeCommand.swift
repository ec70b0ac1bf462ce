import ArgumentParser

struct CtlVolumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "volume", abstract: "Print the volume, or set it.")

  @Argument(
    help: "Per cent of the highest volume that config.yaml allows the output, 0 to 100.")
  var volume: Int?
  @OptionGroup var coach: CoachClient.Options

  func validate() throws {
    if let volume, !(0...100).contains(volume) {
      throw ValidationError("volume \(volume): expected a whole number from 0 to 100")
    }
  }

  func run() throws {
    let answer = try coach.connect().request(.volume(volume))
    Console.print("\(answer.volume ?? volume ?? 0)")
  }
}
