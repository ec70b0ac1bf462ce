import ALSAOutput
import ArgumentParser
import CueEngine
import CueSound
import Glibc

struct TestSoundCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test-sound", abstract: "Play every cue sound and an announcement.",
    discussion: """
      Each is named when it is heard, as the device's own clock tells. Ends with 1
      where the device does not play them all.

      Examples:
        cuecoach test-sound
        cuecoach test-sound --device plughw:CARD=Headphones --volume 60
        cuecoach test-sound --device bluealsa --latency 150 --keep-alive dither
      """)

  @OptionGroup var output: OutputOptions
  @Option(help: "The voice, as cuecoach voices names it.") var voice: String?

  func run() throws {
    Console.patience = 1000
    let warn = { (message: String) in Console.complain(message) }
    let choice = try output.choice(OutputChoice.configuration(), warn: warn)
    let voice = try Sounds.voice(option: voice, preset: nil, warn: warn)
    let test = SoundTest(choice)
    test.add(Sounds.pack(warn: warn))
    let speech = Sounds.speech(warn: warn)
    let isSpoken = speech.map { test.addAnnouncement($0, voice: SpeechVoice(name: voice)) } ?? false
    if speech != nil, !isSpoken { warn("the voice says nothing; try another --voice") }
    let code = test.run()
    withExtendedLifetime(test) {
      if code != 0 || !isSpoken { Glibc.exit(max(code, 1)) }
    }
  }
}
