import ButtonMaps
import ControlProtocol
import ControlSocket
import Glibc
import IntervalTimeline
import Presets
import SurfaceProgram
import SystemIO
import SystemdLink

/// Reads the devices of the map as they come and go, and asks the coach for what is pressed. One thread, which sleeps until
/// something is pressed.
final class ButtonService {
  private let map: ButtonMap
  private let coach: CoachPeer
  private let endSignals: Int32
  private let log = ServiceLog { Log.write($0) }
  private let isVerbose: Bool
  private var devices: [ReadDevice] = []
  private var watch = FolderWatch([])
  /// When a device that was refused is tried again.
  private var lookAt: Int64?
  private var limit = PressLimit()
  private var volume = VolumeSteps()
  /// The question for the volume.
  private var volumeAsked: RequestID?
  /// The presses that were sent and not yet answered, for the log.
  private var unanswered: [RequestID: String] = [:]
  private var rest = Footprint.Rest()

  /// Whoever makes a device allows it a moment later.
  private static let patience: Int64 = 1_000_000_000

  init(_ map: ButtonMap, sockets: [String], endSignals: Int32, isVerbose: Bool) {
    self.map = map
    self.endSignals = endSignals
    self.isVerbose = isVerbose
    coach = CoachPeer(sockets, subscribes: false)
  }

  /// Until a signal asks for the end.
  func run() {
    look()
    rest.use(at: MachineTime.boot)
    for (index, device) in map.devices.enumerated()
    where !devices.contains(where: { $0.index == index }) {
      log.log(.notice, "\"\(device.place.text)\" is not there yet")
    }
    while !wait() {
      let now = MachineTime.boot
      rest.check(at: now)
      if watch.clear() || !watch.isComplete || lookAt.map({ $0 <= now }) ?? false { look() }
      let presses = devices.flatMap { device in read(device, at: now) }
      devices.removeAll(where: \.isGone)
      // The coach's end is noticed before it is asked: a press that was made after it goes to the next coach.
      for event in coach.turn(at: now) { take(event) }
      for (press, lane) in presses { take(press, lane) }
    }
    coach.close()
  }

  /// - Returns: true where the process is to end.
  private func wait() -> Bool {
    var wait = SurfaceWait(endSignals)
    wait.add(watch.descriptor)
    wait.add(coach.descriptor, writes: coach.wantsToWrite)
    wait.add(until: lookAt)
    // The system may have no watch left, or a folder has gone in the meantime.
    if !watch.isComplete { wait.add(until: MachineTime.boot + Self.patience) }
    for device in devices {
      wait.add(device.input.descriptor, writes: false, within: device.read)
      wait.add(until: device.deadline)
    }
    wait.add(until: rest.deadline)
    return wait.wait()
  }

  // MARK: Devices

  /// Opens what has come, and closes what has gone.
  private func look() {
    let now = MachineTime.boot
    // Before the devices: what comes meanwhile is noticed.
    watch = FolderWatch(folders, seesMaking: true)
    for device in devices where InputDevice.Identity(device.input.path) != device.input.identity {
      lost(device)
    }
    devices.removeAll(where: \.isGone)
    let isLastTry = lookAt.map { $0 <= now } ?? false
    lookAt = nil
    let nodes =
      map.devices.contains { if case .name = $0.place { true } else { false } }
      ? InputNode.all() : []
    for (index, device) in map.devices.enumerated() {
      switch device.place {
      case .path(let path): open(path, index, isLastTry)
      case .name(let name):
        for node in nodes where node.name == name { open(node.path, index, isLastTry) }
      }
    }
  }

  /// Where devices come and go. One that is missing comes in a folder that is there.
  private var folders: Set<String> {
    var folders: Set<String> = []
    for device in map.devices {
      var folder = InputNode.folder
      if case .path(let path) = device.place {
        folder = Folder.of(path)
        // What a link leads to goes from another one.
        if path.hasPrefix("\(InputNode.folder)/") { folders.insert(InputNode.folder) }
      }
      folders.insert(folder)
    }
    return Set(
      folders.map { folder in
        var folder = folder
        while access(folder, F_OK) != 0, folder != "/" { folder = Folder.of(folder) }
        return folder
      })
  }

  private func open(_ path: String, _ index: Int, _ isLastTry: Bool) {
    guard !devices.contains(where: { $0.input.path == path }), access(path, F_OK) == 0 else {
      return
    }
    let device = map.devices[index]
    do throws(InputDevice.Fault) {
      let input = try InputDevice(path)
      // Its number may be another's by now.
      if case .name(let name) = device.place, input.name != name { return }
      if device.isGrabbed, !input.grab() {
        log.log(.warning, "\(path) is another program's: that one gets what it sends")
      }
      devices.append(ReadDevice(input, device, index))
      log.log(.notice, "\"\(device.place.text)\" is there: \(path)")
    } catch {
      if error.isDenied, !isLastTry {
        lookAt = MachineTime.boot + Self.patience
      } else {
        log.log(.warning, "\(path) cannot be read: \(error.reason)")
      }
    }
  }

  private func lost(_ device: ReadDevice) {
    device.isGone = true
    log.log(.notice, "\"\(map.devices[device.index].place.text)\" is gone: \(device.input.path)")
  }

  // MARK: Presses

  private func read(_ device: ReadDevice, at now: Int64) -> [(press: Press, lane: String?)] {
    let presses = device.take(at: now).map { ($0, map.devices[device.index].lane) }
    if device.isGone { lost(device) }
    return presses
  }

  private func take(_ press: Press, _ lane: String?) {
    let what = "\(KeyName.name(of: press.code)), \(press.gesture.rawValue): \(press.action.text)"
    guard limit.allows(at: press.at) else {
      log.log(.warning, "too many presses: some are left out")
      return
    }
    let now = MachineTime.boot
    rest.use(at: now)
    // There is no need of a connection before.
    if let reason = coach.connectIfDue(at: max(now, coach.attemptAt)) {
      log.log(.notice, "\(what) is lost, for the coach is not there: \(reason)")
      return
    }
    if isVerbose { log.answer(.info, what) }
    if case .volume(let steps) = press.action {
      if volume.press(steps) { volumeAsked = coach.request(.volume(nil), sentAt: press.at) }
    } else if let action = press.action.request(for: lane) {
      if let id = coach.request(action, sentAt: press.at) {
        unanswered[id] = what
      } else {
        log.log(.notice, "\(what) is lost, for the coach does not read")
      }
    }
  }

  private func take(_ event: CoachPeer.Event) {
    switch event {
    case .ended:
      (volume, volumeAsked) = (VolumeSteps(), nil)
      for what in unanswered.values.sorted() {
        log.log(.notice, "\(what) may be lost, for the coach has ended")
      }
      unanswered = [:]
    case .message(.answer(let answer)):
      if let id = answer.id { unanswered[id] = nil }
      if let refusal = answer.refusal { log.log(.notice, "the coach refuses: \(refusal.message)") }
      guard let asked = volumeAsked, answer.id == asked else { return }
      volumeAsked = nil
      if let next = volume.request(after: answer) { coach.request(next) }
    case .message, .speech: break
    }
  }
}

/// A device of the map that is there.
private final class ReadDevice {
  let input: InputDevice
  /// Its place in the map.
  let index: Int
  var isGone = false
  private var reader: DeviceReader
  /// False while it may have sent more than was read: what its keys are to mean is not decided then.
  private var isReadWhole = true
  /// Ten times the bytes that the quickest mouse sends.
  private(set) var read = ReadLimit(1024 * KeyEventReader.size)

  init(_ input: InputDevice, _ device: ButtonMap.Device, _ index: Int) {
    (self.input, self.index) = (input, index)
    reader = DeviceReader(device)
  }

  var deadline: Int64? { isReadWhole ? reader.deadline : nil }

  func take(at now: Int64) -> [Press] {
    var presses: [Press] = []
    isReadWhole = false
    while read.rest(at: now) == nil, !isReadWhole, !isGone {
      let reading = input.read { bytes in
        read.take(bytes.count, at: now)
        presses += reader.take(bytes, at: now)
      }
      (isReadWhole, isGone) = (reading == .all, reading == .gone)
    }
    if isReadWhole { presses += reader.check(at: now) }
    return presses
  }
}
