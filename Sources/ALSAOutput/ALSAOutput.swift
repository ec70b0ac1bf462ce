import CALSA
import CueSound
import Synchronization
import SystemIO

/// Plays through ALSA, on a thread of its own.
///
/// A missing device ends nothing: the sound is rendered all the same (for the recording, if there is
/// one), the device is tried again, and the sound comes back in place.
public final class ALSAOutput: SoundOutput {
  struct Settings: Sendable {
    let device: String?
    let rate: Int
    let profile: OutputProfile
    let drifts: DriftMemory
    /// The profile's.
    let latency: Duration
  }

  private let settings: Settings
  private let selection: DeviceSelection
  private let gain: Float
  private let tap: RecordingTap?
  private let wakeUp = WakeUp()
  private let stopping = Flag()
  private let wasStarted = Flag()
  private let activity = Activity()
  /// Protects the thread's handle between start and stop.
  private let thread = Mutex<AudioThread?>(nil)

  /// - Parameters:
  ///   - device: an ALSA PCM such as "default"; nil renders at the same pace and plays nothing.
  ///   - rate: samples a second; that of the engine's sounds.
  ///   - gain: linear, over everything.
  ///   - profile: its latency and keep-alive are used; volume and warm-up are the caller's.
  ///   - drifts: the drifts of cards that have been used before.
  ///   - tap: gets a copy of everything rendered.
  public init(
    device: String?, rate: Int = SampleRate.standard, gain: Float = 1,
    profile: OutputProfile = .init(),
    drifts: DriftMemory = .none, tap: RecordingTap? = nil
  ) {
    settings = Settings(
      device: device, rate: rate, profile: profile, drifts: drifts,
      latency: profile.latency)
    selection = DeviceSelection(device)
    self.gain = gain
    self.tap = tap
  }

  public var latency: Duration { max(.zero, settings.profile.latency) }

  public func start(_ link: MixerLink, events: @escaping @Sendable (OutputEvent) -> Void) {
    thread.withLock { thread in
      // Not a precondition, which says nothing in a release build.
      guard !wasStarted.value.exchange(true, ordering: .relaxed) else {
        fatalError("an output is started once: each engine needs an output of its own")
      }
      // It captures the output's parts and not the output, whose `deinit` can so stop the thread. The thread
      // owns them and, through the mixer, the link: in a driver that hangs it may outlive `stop`.
      thread = AudioThread { [settings, selection, gain, tap, wakeUp, stopping, activity] in
        let events = { @Sendable (event: OutputEvent) in if !stopping.isSet { events(event) } }
        AudioThread.name("cuecoach-sound")
        _ = cuecoach_alsa_silence_errors()
        if !AudioThread.askForRealtime(), settings.device != nil {
          events(.notRealtime(at: .now))
        }
        if settings.device == nil { events(.plays(minimumLeadTime: .zero)) }
        var mixer = Mixer(link: link, rate: settings.rate)
        mixer.gain = gain
        var loop = AudioLoop(
          mixer: mixer, settings: settings, selection: selection, tap: tap?.samples, events: events)
        while !stopping.isSet {
          let wait = loop.turn(for: activity.current)
          wakeUp.wait(wait, orFor: loop.hardwareDescriptor)
        }
        loop.close()
      }
    }
  }

  public func setActivity(_ activity: OutputActivity) {
    self.activity.value.store(activity.rawValue, ordering: .releasing)
    wakeUp.signal()
  }

  /// Plays on another device from now on, with the settings of the first; workouts go on. Without effect where none was
  /// asked for at first. Any thread; returns at once.
  package func select(_ device: String) {
    selection.set(device)
    wakeUp.signal()
  }

  public func wake() { wakeUp.signal() }

  public func stop() {
    guard
      let thread = thread.withLock({ thread in
        defer { thread = nil }
        return thread
      })
    else { return }
    stopping.value.store(true, ordering: .releasing)
    wakeUp.signal()
    thread.join()
  }

  deinit { stop() }
}

/// Set by any thread; read by the audio thread, or by `start`.
private final class Flag: Sendable {
  let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .acquiring) }
}

/// Set by any thread; read by the audio thread.
private final class Activity: Sendable {
  let value = Atomic(OutputActivity.idle.rawValue)
  var current: OutputActivity {
    OutputActivity(rawValue: value.load(ordering: .acquiring)) ?? .running
  }
}
