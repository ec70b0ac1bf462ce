import CALSA
import CueSound
import SystemIO

/// Does on the audio thread what `OutputControl` decides: calls ALSA, and reads the clock around it.
///
/// While a device plays, a turn neither allocates, locks, logs nor counts references. Opening a device
/// and losing it may: nothing is heard then.
struct AudioLoop: ~Copyable {
  private var control: OutputControl
  private let settings: ALSAOutput.Settings
  private let selection: DeviceSelection
  private var selected = 0
  /// As ALSA names it.
  private var name: String
  private let events: @Sendable (OutputEvent) -> Void

  private var device: PCMDevice?
  /// The key under which the device's drift is kept.
  private var identity: String?
  private var hardware = HotplugMonitor()
  private var dither: Dither?
  private let mono: UnsafeMutablePointer<Int16>
  private let interleaved: UnsafeMutablePointer<Int16>

  /// - Parameter tap: the ring of a tap that outlives the loop.
  init(
    mixer: consuming Mixer, settings: ALSAOutput.Settings, selection: DeviceSelection,
    tap: Ring<Int16>?,
    events: @escaping @Sendable (OutputEvent) -> Void
  ) {
    self.settings = settings
    self.selection = selection
    name = settings.device ?? ""
    self.events = events
    let profile = settings.profile
    control = OutputControl(
      mixer: mixer, rate: settings.rate, latency: settings.latency,
      hasDevice: settings.device != nil,
      staysOpen: profile.keepAlive != .off || profile.warmUp > .zero, tap: tap,
      at: .now, asleep: .nanoseconds(MachineTime.asleep))
    dither = profile.keepAlive == .dither ? Dither() : nil
    mono = .allocate(capacity: OutputControl.block)
    interleaved = .allocate(capacity: OutputControl.block * 2)
  }

  deinit {
    mono.deallocate()
    interleaved.deallocate()
  }

  /// Does what is to be done now. Returns how long to wait then; `.unlimited`: until the thread is woken.
  ///
  /// - Parameter activity: what the output is needed for.
  mutating func turn(for activity: OutputActivity) -> Duration {
    if let device = selection.change(since: &selected), settings.device != nil { use(device) }
    var step = control.turn(
      at: .now, asleep: .nanoseconds(MachineTime.asleep), for: activity,
      hardwareChanged: hardware.hasChanged())
    while true {
      switch step {
      case .wait(let wait):
        if !control.isLost { hardware.close() }
        return wait
      case .rest(let wait):
        if device != nil { events(.closed) }
        closeDevice()
        hardware.close()
        return wait
      case .open: step = open()
      case .giveUp(let failure):
        closeDevice()
        step = lost(PCMDevice.error(failure, of: name))
      default:
        guard let device else {
          fatalError("the output asks for a step of a device that is not open")
        }
        step = perform(step, on: device)
      }
    }
  }

  /// Becomes readable when a device appears while the wanted one is missing; -1 otherwise.
  var hardwareDescriptor: Int32 { device == nil ? hardware.descriptor : -1 }

  /// Ends everything: what was still to be heard is reported as withdrawn.
  mutating func close() {
    control.end(at: .now)
    closeDevice()
  }

  // MARK: With a device

  private mutating func perform(_ step: OutputStep, on device: PCMDevice) -> OutputStep {
    let begin = BootInstant.now
    do throws(DeviceFailure) {
      switch step {
      case .observe:
        let position = try device.observe()
        return control.observed(position, from: begin, to: .now)
      case .countQueued:
        let queued = try device.queued()
        return control.counted(queued: queued, at: .now)
      case .render(let frames):
        return render(frames, channels: device.channels)
      case .write(let first, let frames):
        let taken = try device.write(interleaved + first * device.channels, frames: frames)
        return control.wrote(taken, at: .now)
      case .rewind(let frames):
        let count = try device.rewind(frames)
        return control.rewound(count, at: .now)
      case .start(let isNew):
        return try start(device, isNew: isNew)
      case .prepare:
        try device.prepare()
        return control.prepared(at: .now)
      case .resume:
        try device.wakeUp()
        return control.resumed(at: .now)
      case .open, .giveUp, .rest, .wait:
        fatalError("the output asks an open device for a step that has none")
      }
    } catch {
      return control.failed(error, from: begin, to: .now)
    }
  }

  private mutating func start(
    _ device: PCMDevice, isNew: Bool
  ) throws(DeviceFailure) -> OutputStep {
    // The report may allocate: the device does not play yet.
    if isNew { events(.plays(minimumLeadTime: control.minimumLeadTime)) }
    let begin = BootInstant.now
    try device.start()
    return control.started(from: begin, to: .now)
  }

  /// Renders the next frames into `interleaved`.
  private mutating func render(_ count: Int, channels: Int) -> OutputStep {
    let next = control.render(into: mono, frames: count)
    dither?.add(to: mono, count: count)
    for frame in 0..<count {
      for channel in 0..<channels { interleaved[frame * channels + channel] = mono[frame] }
    }
    return next
  }

  // MARK: Opening and losing

  private mutating func open() -> OutputStep {
    // The configuration may have been read before the device came back.
    if control.isLost { snd_config_update_free_global() }
    do throws(SoundOutputError) {
      let opened = try PCMDevice.open(name, rate: settings.rate)
      device = opened
      let known = identity
      identity = opened.identity(of: name)
      let about = PCMDescription(
        buffer: opened.bufferFrames, period: opened.periodFrames, isServer: opened.isServer,
        rewinds: opened.rewinds, isSame: known != nil && known == identity,
        drift: identity.flatMap(settings.drifts.recall))
      return control.opened(about, at: .now)
    } catch {
      return lost(error)
    }
  }

  /// Another device is wanted: this turn opens it.
  private mutating func use(_ other: String) {
    guard other != name else { return }
    name = other
    control.changeDevice(at: .now)
    closeDevice()
    identity = nil
  }

  private mutating func lost(_ error: SoundOutputError) -> OutputStep {
    let now = BootInstant.now
    if !control.isLost { events(.lost(error, at: now)) }
    hardware.open()
    return control.lost(at: now)
  }

  private mutating func closeDevice() {
    guard let device else { return }
    device.close()
    self.device = nil
    if let identity, let drift = control.learnedDrift { settings.drifts.keep(identity, drift) }
  }
}
