import ArgumentParser
import ControlSocket
import ForeignWorkouts
import Glibc
import IntervalTimeline
import Presets
import SurfaceProgram
import SystemIO
import SystemdLink

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract:
      "Connect to the sensors and send what they say. This is what happens without a command.")

  @OptionGroup var config: ConfigOption
  @Option(
    help: "A FIT record, or a table of seconds, kind and value, to be sent in place of sensors.")
  var replay: String?
  @Option(help: "With --replay: the name of the workout; all that run when left out.")
  var `as`: String?
  @Option(help: "The coach's socket; looked for where cuecoach serve makes it when left out.")
  var socket: String?

  func validate() throws {
    if `as` != nil, replay == nil { throw ValidationError("--as goes with --replay") }
    if let `as` { try checkWorkout(`as`) }
  }

  func run() throws {
    // One that comes while it starts ends it in order too.
    let endSignals = EndSignals.descriptor()
    let paths = socket.map { [$0] } ?? ControlPaths.ofClient(.sense, Places.environment)
    let sender = ValueSender(paths)
    let loop = SenseLoop(endSignals: endSignals)
    if let replay {
      try ReplayedReadings(Self.readings(replay), to: `as`, sender, loop).run()
      return
    }
    let service = try SenseService(config.pathToRead, sender: sender, loop: loop)
    ServiceNotice.ready.send()
    Footprint.releaseCode()
    service.run()
  }

  private static func readings(_ path: String) throws(Complaint) -> RecordedReadings {
    do throws(FileError) {
      let readings = try RecordedReadings.read(path: path)
      if let damage = readings.damage { Log.write(damage) }
      return readings
    } catch {
      throw .usage(error.description)
    }
  }
}

/// Recorded readings, sent when they are due. Its first second is the one in which a workout is there to hear it.
struct ReplayedReadings {
  private let readings: RecordedReadings
  private let workout: String?
  private let sender: ValueSender
  private let loop: SenseLoop
  private let log = ServiceLog { Log.write($0) }

  init(
    _ readings: RecordedReadings, to workout: String?, _ sender: ValueSender, _ loop: SenseLoop
  ) {
    (self.readings, self.workout, self.sender, self.loop) = (readings, workout, sender, loop)
  }

  private var isAwaited: Bool {
    workout.map(sender.lanes.contains) ?? !sender.lanes.isEmpty
  }

  func run() {
    var origin: BootInstant?
    var sent = 0
    while sent < readings.entries.count || sender.peer.wantsToWrite {
      let now = BootInstant.now
      if let line = sender.turn(at: now) { log.log(.notice, line) }
      if origin == nil, isAwaited { origin = now }
      while let origin, sent < readings.entries.count, origin + readings.entries[sent].time <= now {
        if isAwaited { sender.send(readings.entries[sent].reading, to: workout) }
        sent += 1
      }
      let next = origin.flatMap { origin in
        sent < readings.entries.count ? origin + readings.entries[sent].time : nil
      }
      if loop.wait(for: nil, sender, until: next ?? now + .milliseconds(500)) { break }
    }
    sender.peer.close()
  }
}
