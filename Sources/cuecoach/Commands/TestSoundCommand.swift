import ALSAOutput
import ArgumentParser
import CueEngine
import CueSound
import Glibc
import IntervalTimeline

struct TestSoundCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test-sound", abstract: "Play every cue sound and an announcement.",
    discussion: """
      Names each one when it is heard, by the device's own clock. Exits with 1 if the device does not
      play them all.

      Examples:
        cuecoach test-sound
        cuecoach test-sound --device plughw:CARD=Headphones --volume 60
        cuecoach test-sound --device bluealsa --latency 150 --keep-alive dither
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var speech: SpeechOptions

  func run() throws {
    Console.patience = 1000
    let warn = { (message: String) in Console.complain(message) }
    let configuration = try OutputChoice.configuration()
    let choice = try output.choice(configuration, warn: warn)
    let speech = try SpeechChoice(speech, configuration)
    let anyWorkout = Workout(name: "", blocks: [])
    let style = try speech.style(of: anyWorkout, warn: warn)
    let test = SoundTest(choice)
    test.add(try speech.sounds(of: anyWorkout, warn: warn))
    let library = Speech.library(warn: warn)
    let isSpoken = library.map { test.addAnnouncement($0, style) } ?? false
    if library != nil, !isSpoken { warn("the voice says nothing; try another --voice") }
    let code = test.run()
    withExtendedLifetime(test) {
      Console.exit(isSpoken ? code : max(code, 1))
    }
  }
}
