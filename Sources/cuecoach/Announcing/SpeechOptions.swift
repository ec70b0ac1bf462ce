import ArgumentParser
import ControlProtocol
import IntervalTimeline

/// The options of every command that announces a workout.
struct SpeechOptions: ParsableArguments {
  @Option(help: "The language of the announcements, such as en, de or fr.") var language: String?
  @OptionGroup var voice: VoiceOptions
  @Option(help: "How much to say.") var density: Density?
  @Option(
    parsing: .unconditional, help: "How many seconds to count down to a boundary, 0 to 10.")
  var countdown: Int?
  @Option(help: "The sound pack: a name, or a folder's path with a \"/\".") var sounds: String?
  @Option(
    help:
      "The commands to answer aloud: pause, resume, next, back, with commas between; all, or none.")
  var acknowledge: String?

  /// What was chosen, each value checked by itself.
  func style() throws(UserError) -> AnnouncementStyle { try options.style() }

  private var options: StyleOptions {
    var options = voice.options
    options.language = language
    options.density = density?.rawValue
    options.countdown = countdown
    options.sounds = sounds
    options.acknowledge = acknowledge
    return options
  }
}

/// The options of every command that speaks.
struct VoiceOptions: ParsableArguments {
  @Option(help: "The voice, as listed by cuecoach voices.") var voice: String?
  @Option(help: "Its variant, as listed by cuecoach voices --variants.") var variant: String?
  @Option(parsing: .unconditional, help: "How fast to speak, in words a minute: 80 to 450.")
  var rate: Int?
  @Option(parsing: .unconditional, help: "How high to speak, 0 to 99; 50 is the voice's own pitch.")
  var pitch: Int?
  @Option(
    parsing: .unconditional, help: "How loud to speak, 0 to 100; 100 is as loud as the sounds.")
  var speechVolume: Int?

  fileprivate var options: StyleOptions {
    var options = StyleOptions()
    options.voice = voice
    options.variant = variant
    options.rate = rate
    options.pitch = pitch
    options.speechVolume = speechVolume
    return options
  }
}

extension StyleOptions {
  /// Those of a command line.
  fileprivate func style() throws(UserError) -> AnnouncementStyle {
    do throws(StyleMistake) {
      return try checked { "--\($0)" }
    } catch {
      throw .usage(error.message)
    }
  }
}

extension Density: ExpressibleByArgument {}
