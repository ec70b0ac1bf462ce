import ControlSocket
import Glibc
import IntervalTimeline
import SensorFormats
import SurfaceProgram
import SystemIO
import SystemdLink

/// Waits for whatever of this process comes first: the bus, the coach, an instant, the end.
struct SenseLoop {
  let endSignals: Int32

  /// True where the process is to end.
  ///
  /// - Parameters:
  ///   - watch: one more descriptor whose input ends the waiting.
  ///   - instant: when something is to be done at the latest.
  func wait(
    for bus: BlueZBus?, _ sender: ValueSender?, _ watch: Int32 = -1, until instant: BootInstant
  ) -> Bool {
    var wait = SurfaceWait(endSignals)
    if let bus {
      wait.add(bus.descriptor, writes: bus.wantsToWrite, within: bus.read, timeout: bus.timeout)
    }
    if let peer = sender?.peer {
      wait.add(peer.descriptor, writes: peer.wantsToWrite)
      if !peer.isConnected { wait.add(until: peer.attemptAt) }
    }
    wait.add(watch)
    wait.add(until: instant.nanoseconds)
    return wait.wait()
  }
}

/// Keeps the connections to the sensors of the file, and passes on what they say.
final class SenseService {
  private let path: String
  private let sender: ValueSender
  private let loop: SenseLoop
  private let bus = BlueZBus()
  private var link = SensorLink([])
  private var file = SensorsFile()
  private var stamp = SensorsFileStamp()
  private var watch = FolderWatch([])
  private var busAt = BootInstant.boot
  private var busBackOff = BackOff(from: .seconds(2), to: .seconds(30))
  private let log = ServiceLog { Log.write($0) }
  /// What BlueZ, the sensors and the coach do may come all at once.
  private var lines = LineLimit()
  /// Whether a low battery has been logged, by the sensor's place.
  private var lowBatteries: Set<Int> = []

  /// How often it is looked whether the file has changed, where its folder cannot be watched.
  private static let look = Duration.seconds(2)
  private static let lowBattery = 10
  /// For the last calls.
  private static let farewell = Duration.seconds(3)

  init(_ path: String, sender: ValueSender, loop: SenseLoop) throws(Complaint) {
    (self.path, self.sender, self.loop) = (path, sender, loop)
    watchFolder()
    stamp = SensorsFileStamp(path)
    file = try SensorsFile.read(path)
  }

  private func watchFolder() {
    let folders = [path, SensorsFile.target(of: path)].map(Folder.of)
    watch = FolderWatch(Set(folders), seesWriting: true)
  }

  func run() {
    while true {
      let now = BootInstant.now
      openBus(at: now)
      let deadlines = [
        bus.isOpen ? link.deadline : file.entries.isEmpty ? nil : busAt, lines.due,
        watch.isComplete ? nil : now + Self.look,
      ]
      let deadline = deadlines.compactMap { $0 }.min() ?? .never
      if loop.wait(for: bus, sender, watch.descriptor, until: deadline) { break }
      turn(at: .now)
      reread()
      if let line = lines.take(at: .now) {
        log.log(.notice, line)
      }
    }
    end()
  }

  private func openBus(at now: BootInstant) {
    guard !bus.isOpen, busAt <= now, !file.entries.isEmpty else { return }
    if let reason = bus.open() { return lost(reason, at: now) }
    busBackOff.reset()
    link = SensorLink(file.entries.map { .address($0.address) })
    perform(link.start(at: now))
  }

  private func lost(_ reason: String, at now: BootInstant) {
    bus.close()
    busAt = now + busBackOff.next()
    lines.add("no Bluetooth: \(reason); trying again")
  }

  private func turn(at now: BootInstant) {
    if let line = sender.turn(at: now) { lines.add(line) }
    guard bus.isOpen else { return }
    if let reason = bus.process() { return lost(reason, at: now) }
    handle(at: now)
    perform(link.check(at: now))
  }

  /// Calls are answered among the events, and events lead to calls.
  private func handle(at now: BootInstant) {
    while case let events = bus.takeEvents(), !events.isEmpty {
      for event in events { perform(link.handle(event, at: now)) }
    }
  }

  private func perform(_ actions: [LinkAction]) {
    for action in actions {
      switch action {
      case .call(let number, let call): bus.perform(number, call)
      case .report(let sensor, let report): take(report, of: sensor)
      case .heard: break
      case .log(let line): lines.add(line)
      }
    }
  }

  private func take(_ report: SensorReport, of sensor: Int) {
    guard file.entries.indices.contains(sensor) else { return }
    let entry = file.entries[sensor]
    if let battery = report.battery, battery <= Self.lowBattery,
      lowBatteries.insert(sensor).inserted
    {
      log.log(.notice, "the battery of sensor …\(entry.address.suffix(5)) is at \(battery) %")
    }
    sender.send(report, of: sensor, to: entry.workout, at: report.instant)
  }

  /// `pair` has written another file: everything begins anew.
  private func reread() {
    // Its folder may have come, or be another one.
    if watch.clear() || !watch.isComplete { watchFolder() }
    let stamp = SensorsFileStamp(path)
    guard stamp != self.stamp else { return }
    self.stamp = stamp
    do throws(Complaint) {
      let file = try SensorsFile.read(path)
      guard file.entries != self.file.entries else { return }
      disconnect()
      self.file = file
      lowBatteries = []
      busAt = .boot
    } catch {
      log.log(.warning, "\(error.message); the sensors stay as they were")
    }
  }

  private func end() {
    disconnect()
    sender.peer.close()
  }

  /// A link outlives its client: it is ended here.
  private func disconnect() {
    guard bus.isOpen else { return }
    let end = BootInstant.now + Self.farewell
    perform(link.stop(at: .now))
    while !link.isFinished, case let now = BootInstant.now, now < end {
      // A second signal does not cut it short, for it takes no longer than that.
      var wait = pollfd(
        fd: bus.descriptor, events: Int16(bus.wantsToWrite ? POLLIN | POLLOUT : POLLIN), revents: 0)
      _ = poll(&wait, 1, 100)
      guard bus.process() == nil else { break }
      handle(at: now)
    }
    bus.close()
  }
}

/// Whether a file has been replaced.
struct SensorsFileStamp: Equatable {
  private var inode: UInt = 0
  private var seconds = 0
  private var nanoseconds = 0
  private var size = 0

  init() {}

  init(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    (inode, size) = (UInt(status.st_ino), Int(status.st_size))
    (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
  }
}
