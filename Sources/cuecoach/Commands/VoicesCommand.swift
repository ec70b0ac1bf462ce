import ArgumentParser
import CueEngine
import CueSound
import EspeakSpeech

struct VoicesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "voices", abstract: "List the voices that can speak.",
    discussion: """
      A variant changes any voice: --voice en-gb --variant f3.

      Example:
        cuecoach voices --variants
      """)

  @Flag(help: "List the variants, which work with every voice.") var variants = false
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    let synthesizer = EspeakSynthesizer()
    do throws(SpeechError) {
      if variants {
        for variant in try synthesizer.variants() {
          var object = JSONObject()
          object.add("variant", variant)
          Console.print(json ? object.text : variant)
        }
        return
      }
      for voice in try synthesizer.voices() {
        var object = JSONObject()
        object.add("voice", voice.language)
        object.add("name", voice.name)
        Console.print(json ? object.text : "\(voice.language)  (\(voice.name))")
      }
    } catch {
      throw UserError.failed("\(error.detail.singleLine); is espeak-ng-data installed?")
    }
  }
}
