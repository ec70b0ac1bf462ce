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
        cuecoach ctl start tabata --as anna --as ben
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
  @Option(
    name: .customLong("as"),
    help: "Its name among the workouts; by default the preset's. Once for each who begins in step.")
  var names: [String] = []
  @Option(
    parsing: .unconditional,
    help: "Draw the surprises from this number instead of the preset's, or the day's.")
  var seed: Int64?
  @Option(help: "Begin at this station, from 1.")
  var group: Int?
  @OptionGroup var athlete: AthleteOptions
  @OptionGroup var speech: SpeechOptions
  @OptionGroup var coach: CoachClient.Options

  func validate() throws {
    if at != nil, delay != nil { throw ValidationError("--at cannot be combined with --in") }
    try CommonVariantOptions.check(group)
    if let seed, seed < 0 { throw ValidationError("--seed \(seed): expected 0 or more") }
    for name in names { try NameRule.checkLane(name) }
    if Set(names).count < names.count { throw ValidationError("--as: expected different names") }
  }

  func run() throws {
    let order = try order()
    let link = try coach.connect()
    let answer = try link.request(.starting(order, as: names))
    for warning in answer.warnings ?? [] { context.complain(warning) }
    try link.showPlaces(of: answer.lanes ?? [])
  }

  private func order() throws -> StartOrder {
    var order = StartOrder(
      style: try speech.style(), at: try instant(), seed: seed, group: group)
    order.athlete = athlete.athlete
    // The coach is in another folder.
    if let sounds = order.style.sounds, sounds.contains("/") {
      order.style.sounds = URL(fileURLWithPath: sounds).standardizedFileURL.path
    }
    if isPath {
      order.workout = try Self.text(ofPreset: preset)
    } else {
      order.preset = preset
    }
    return order
  }

  private var isPath: Bool {
    preset.contains("/") || PresetLibrary.suffixes.contains { preset.hasSuffix($0) }
  }

  /// A preset's file, or a preset of another program's file. It is sent as a text, because the coach may be
  /// another user.
  private static func text(ofPreset path: String) throws -> String {
    // A mistake in it is reported with its place.
    let file = try PresetLibrary(in: context.folders).document(path: path).file
    context.complain(file.reports, about: path)
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
  private func instant() throws(UserError) -> BootInstant? {
    let now = BootClock.now()
    if let at {
      guard let time = ClockTime(at) else {
        throw .usage(
          "--at \"\(at.shownName)\": expected a time of day from 0:00 to 23:59:59, such as 18:00")
      }
      let wall = MachineClocks.wall
      return now + .nanoseconds(time.next(after: wall, in: context.zone) - wall)
    }
    guard let delay else { return nil }
    do throws(LengthFault) {
      return now + (try LengthText.duration(of: delay))
    } catch {
      throw .usage(
        "--in \"\(delay.shownName)\" \(error.problem): expected \(error.expected)")
    }
  }
}

struct CtlQuickCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "quick", abstract: "Start a timer of equal sets.",
    discussion: """
      Examples:
        cuecoach ctl quick 8 30s 15s
        cuecoach ctl quick 5 1:30 0s --prepare 5s --as anna
      """)

  @Argument(help: "How many sets, 1 to 99.") var sets: Int
  @Argument(help: "How long each is, such as 30s or 1:30.") var work: String
  @Argument(help: "How long the rest between them is; 0s: none.") var rest: String
  @Option(help: "How long it takes to get ready; by default 10s.") var prepare = "10s"
  @Option(
    name: .customLong("as"),
    help: "Its name among the workouts; by default its numbers. Once for each who begins in step.")
  var names: [String] = []
  @OptionGroup var coach: CoachClient.Options

  func validate() throws {
    for name in names { try NameRule.checkLane(name) }
    if let mistake = try timer().mistake { throw ValidationError(mistake) }
  }

  private func timer() throws -> QuickTimer {
    func seconds(_ text: String) throws -> Int {
      if ["0", "0s"].contains(text) { return 0 }
      let length: Duration
      do throws(LengthFault) {
        length = try LengthText.duration(of: text)
      } catch {
        throw ValidationError(
          "\"\(text.shownName)\" \(error.problem): expected \(error.expected)")
      }
      guard length.wholeNanoseconds % 1_000_000_000 == 0 else {
        throw ValidationError("\"\(text.shownName)\": expected whole seconds")
      }
      return Int(length / .seconds(1))
    }
    return QuickTimer(
      sets: sets, work: try seconds(work), rest: try seconds(rest), prepare: try seconds(prepare))
  }

  func run() throws {
    var order = StartOrder()
    order.quick = try timer()
    let link = try coach.connect()
    let answer = try link.request(.starting(order, as: names))
    for warning in answer.warnings ?? [] { context.complain(warning) }
    try link.showPlaces(of: answer.lanes ?? [])
  }
}

extension ControlRequest.Action {
  /// - Parameter names: those of several workouts, which begin at one instant, or of one; empty: its own.
  fileprivate static func starting(_ order: StartOrder, as names: [String]) -> Self {
    guard names.count < 2 else { return .desk(DeskRequest(.startTogether(order, lanes: names))) }
    var order = order
    order.lane = names.first
    return .start(order)
  }
}

extension NameRule {
  static func checkLane(_ name: String) throws {
    guard !lane.allows(name) else { return }
    throw ValidationError("--as \"\(name.shownName)\": expected \(lane.expected)")
  }
}
