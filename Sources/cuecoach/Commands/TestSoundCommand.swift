import ArgumentParser
import CueEngine
import Glibc
import InstalledFiles
import IntervalTimeline

struct TestSoundCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test-sound", abstract: "Play every cue sound and an announcement.",
    discussion: """
      Names each one when it is heard, by the device's own clock. Exits with 1 if the device does not \
      play them all.

      Examples:
        cuecoach test-sound
        cuecoach test-sound --device plughw:CARD=Headphones --volume 60
        cuecoach test-sound --device bluealsa --latency 150 --keep-alive dither
      """)

  @OptionGroup var output: OutputOptions
  @OptionGroup var speech: SpeechOptions

  func run() throws {
    context.patience = 1000
    let warn = { (message: String) in context.complain(message) }
    let installed = try context.installation(asksPrograms: true)
    let choice = try output.choice(installed.configuration, warn: warn)
    let (style, sounds) = try installed.announcement(
      of: Workout(name: "", blocks: []), speech.style(), warn: warn)
    let test = SoundTest(choice)
    test.add(sounds)
    let library = SpeechEngine.library(installed.configuration, warn: warn)
    let isSpoken = library.map { test.addAnnouncement($0, style) } ?? false
    if library != nil, !isSpoken { warn("the voice says nothing; try another --voice") }
    let code = test.run()
    throw ExitCode(isSpoken ? code : max(code, 1))
  }
}
