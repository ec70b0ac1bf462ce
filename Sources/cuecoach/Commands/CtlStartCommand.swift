import ArgumentParser
import ControlProtocol
import CueEngine
import ForeignWorkouts
import FoundationEssentials
import InstalledFiles
import IntervalTimeline
import Presets
import SessionStore

struct CtlStartCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start", abstract: "Start a workout.",
    discussion: """
      A preset is a name that the coach looks up, or the path of a file here.

      Examples:
        cuecoach ctl start tabata
        cuecoach ctl start ./row.yaml --as anna
        cuecoach ctl start boxing --at 6:30 --language de
        cuecoach ctl start class --as red --group 2
        cuecoach ctl start emom --in 90s --density counts
      """)

  @Argument(
    help: "The name of a preset, or the path of one.", completion: Completions.coachPresets)
  var preset: String
  @Option(
    parsing: .unconditional,
    help: "Begin the next time the clock shows this, such as 18:00 or 18:00:30.")
  var at: String?
  @Option(
    name: .customLong("in"), parsing: .unconditional,
    help: "Begin in so long, such as 5m, 90s or 1:30.")
  var delay: String?
  @Option(name: .customLong("as"), help: "Its name among the workouts; by default the preset's.")
  var name: String?
  @Option(
    parsing: .unconditional,
    help: "Draw the surprises from this number instead of the preset's, or the day's.")
  var seed: Int64?
  @Option(help: "Begin at this station, from 1.")
  var group: Int?
  @OptionGroup var athlete: AthleteOptions
  @OptionGroup var speech: SpeechOptions
  @OptionGroup var coach: CoachLink.Options

  func validate() throws {
    if at != nil, delay != nil { throw ValidationError("--at cannot be combined with --in") }
    try CommonVariantOptions.check(group)
    if let seed, seed < 0 { throw ValidationError("--seed \(seed): expected 0 or more") }
    if let name, !NameRule.lane.allows(name) {
      throw ValidationError("--as \"\(name.shownName)\": expected \(NameRule.lane.expected)")
    }
  }

  func run() throws {
    let start = try request()
    let link = try coach.connect()
    let answer = try link.request(.start(start))
    for warning in answer.warnings ?? [] { Console.complain(warning) }
    try link.showPlaces(of: answer.lanes ?? [])
  }

  private func request() throws -> StartRequest {
    let instant = try instant()
    var start = StartRequest(lane: name, style: try style(), at: instant, seed: seed, group: group)
    let own = AthleteRequest(
      ftp: athlete.ftp, maxHeartRate: athlete.maxHeartRate, thresholdPace: athlete.thresholdPace)
    if own != AthleteRequest() { start.athlete = own }
    if isPath {
      start.workout = try Self.text(ofPreset: preset)
    } else {
      start.preset = preset
    }
    return start
  }

  /// Nil where nothing was chosen.
  private func style() throws(UserError) -> StyleRequest? {
    _ = try speech.style()
    var request = speech.request
    // The coach is in another folder.
    if let sounds = request.sounds, sounds.contains("/") {
      request.sounds = URL(fileURLWithPath: sounds).standardizedFileURL.path
    }
    return request == StyleRequest() ? nil : request
  }

  private var isPath: Bool {
    preset.contains("/") || PresetLibrary.suffixes.contains { preset.hasSuffix($0) }
  }

  /// A preset's file, or a preset of another program's file. It is sent as a text, because the coach may be
  /// another user.
  private static func text(ofPreset path: String) throws -> String {
    // A mistake in it is reported with its place.
    let file = try PresetLibrary(in: UserPaths.folders).document(path: path).file
    Console.complain(file.reports, about: path)
    let contents =
      file.format == .preset
      ? FileManager.default.contents(atPath: path) : Data(PresetWriter.text(of: file.workout).utf8)
    guard let bytes = contents else {
      throw UserError.failed("\(path.singleLine) cannot be read")
    }
    guard bytes.count <= ControlLimits.workout else {
      throw UserError.usage(
        "\(path.singleLine) has \(bytes.count) bytes; a coach takes at most "
          + "\(ControlLimits.workout)")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Nil: at once.
  private func instant() throws(UserError) -> Int64? {
    let now = BootClock.now().nanoseconds
    if let at {
      guard let time = ClockTime(at) else {
        throw .usage(
          "--at \"\(at.shownName)\": expected a time of day from 0:00 to 23:59:59, such as 18:00")
      }
      let wall = MachineClocks.wall
      return now + time.next(after: wall, in: WallTime.localZone) - wall
    }
    guard let delay else { return nil }
    do throws(LengthFault) {
      return now + (try LengthText.duration(of: delay)).wholeNanoseconds
    } catch {
      throw .usage(
        "--in \"\(delay.shownName)\" \(error.problem): expected \(error.expected)")
    }
  }
}
