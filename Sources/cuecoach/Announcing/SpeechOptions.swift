import ArgumentParser
import IntervalTimeline

/// The options of every command that announces a workout.
struct SpeechOptions: ParsableArguments {
  @Option(help: "The language of the announcements, such as en, de or fr.") var language: String?
  @OptionGroup var voice: VoiceOptions
  @Option(help: "How much is said.") var density: Density?
  @Option(
    parsing: .unconditional, help: "How many seconds are counted down to a boundary, 1 to 10.")
  var countdown: Int?
  @Option(help: "The sound pack: a name, or a folder with a \"/\" in it.") var sounds: String?
  @Option(
    help:
      "The commands that are answered aloud: pause, resume, next, back with commas, all or none.")
  var acknowledge: String?

  /// The options as they would be written, for a session that is taken up again.
  var arguments: [String] {
    let texts: [(String, String?)] = [
      ("language", language), ("voice", voice.voice), ("variant", voice.variant),
      ("rate", voice.rate.map { "\($0)" }), ("pitch", voice.pitch.map { "\($0)" }),
      ("speech-volume", voice.speechVolume.map { "\($0)" }), ("density", density?.rawValue),
      ("countdown", countdown.map { "\($0)" }), ("sounds", sounds), ("acknowledge", acknowledge),
    ]
    return texts.compactMap { name, value in value.map { "--\(name)=\($0)" } }
  }

  /// The commands to be acknowledged; nil where nothing is said of it.
  func acknowledged() throws(UserError) -> Set<Acknowledgement>? {
    switch acknowledge {
    case nil: return nil
    case "all": return Set(Acknowledgement.allCases)
    case "none": return []
    case let list?:
      var chosen: Set<Acknowledgement> = []
      for name in list.split(separator: ",", omittingEmptySubsequences: false) {
        guard let command = Acknowledgement(rawValue: String(name)) else {
          throw .usage(
            "--acknowledge \"\(list.singleLine)\": expected pause, resume, next, back with commas, "
              + "all or none")
        }
        chosen.insert(command)
      }
      return chosen
    }
  }
}

/// The options of every command that speaks.
struct VoiceOptions: ParsableArguments {
  @Option(help: "The voice, as cuecoach voices names it.") var voice: String?
  @Option(help: "The voice's variant, as cuecoach voices --variants names it.") var variant: String?
  @Option(parsing: .unconditional, help: "How fast it speaks, in words a minute: 80 to 450.")
  var rate: Int?
  @Option(parsing: .unconditional, help: "How high it speaks, 0 to 99; 50 is its own.")
  var pitch: Int?
  @Option(parsing: .unconditional, help: "How loud it speaks beside the sounds, 0 to 100.")
  var speechVolume: Int?

  /// What is asked for, each number in its range.
  func wish() throws(UserError) -> VoiceWish {
    if let voice, voice.isEmpty || voice.hasPrefix("+") || voice.hasSuffix("+") {
      throw .usage(
        "--voice \"\(voice.singleLine)\": expected a voice, or a voice and a variant as in en+f3")
    }
    try check("--rate", rate, VoiceWish.rates)
    try check("--pitch", pitch, VoiceWish.pitches)
    try check("--speech-volume", speechVolume, VoiceWish.volumes)
    return VoiceWish(
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
