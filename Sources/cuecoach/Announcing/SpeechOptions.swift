import ArgumentParser
import IntervalTimeline

/// The options of every command that announces a workout.
struct SpeechOptions: ParsableArguments {
  @Option(help: "The language of the announcements, such as en, de or fr.") var language: String?
  @OptionGroup var voice: VoiceOptions
  @Option(help: "How much to say.") var density: Density?
  @Option(
    parsing: .unconditional, help: "How many seconds to count down to a boundary, 1 to 10.")
  var countdown: Int?
  @Option(help: "The sound pack: a name, or a folder's path with a \"/\".") var sounds: String?
  @Option(
    help:
      "The commands to answer aloud: pause, resume, next, back, with commas between; all, or none.")
  var acknowledge: String?

  /// What was chosen, each value checked by itself.
  func style() throws(UserError) -> AnnouncementStyle {
    if let countdown, !AnnouncementStyle.countdowns.contains(countdown) {
      let range = AnnouncementStyle.countdowns
      throw .usage(
        "--countdown \(countdown): expected a whole number from \(range.lowerBound) to "
          + "\(range.upperBound)")
    }
    var style = AnnouncementStyle(
      language: language?.lowercased(), voice: try voice.wish(), sounds: sounds,
      density: density, countdown: countdown)
    style.acknowledge = try acknowledged()
    return style
  }

  /// The commands to be acknowledged; nil where nothing is said of it.
  func acknowledged() throws(UserError) -> Set<Acknowledgement>? {
    guard let acknowledge else { return nil }
    guard let commands = Acknowledgement.set(named: acknowledge) else {
      throw .usage(
        "--acknowledge \"\(acknowledge.singleLine)\": expected pause, resume, next, back with "
          + "commas between, all, or none")
    }
    return commands
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

  /// What is asked for, each number in its range.
  func wish() throws(UserError) -> VoiceSettings {
    if let voice, voice.isEmpty || voice.hasPrefix("+") || voice.hasSuffix("+") {
      throw .usage(
        "--voice \"\(voice.singleLine)\": expected a voice, or a voice and a variant as in en+f3")
    }
    try check("--rate", rate, VoiceSettings.rates)
    try check("--pitch", pitch, VoiceSettings.pitches)
    try check("--speech-volume", speechVolume, VoiceSettings.volumes)
    return VoiceSettings(
      name: voice, variant: variant, rate: rate, pitch: pitch, volume: speechVolume)
  }

  private func check(
    _ option: String, _ value: Int?, _ range: ClosedRange<Int>
  ) throws(UserError) {
    guard let value, !range.contains(value) else { return }
    throw .usage(
      "\(option) \(value): expected a whole number from \(range.lowerBound) to \(range.upperBound)")
  }
}

extension Density: ExpressibleByArgument {}
