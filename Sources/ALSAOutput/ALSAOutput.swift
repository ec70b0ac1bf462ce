import CALSA
import CueSound
import Synchronization

/// Plays through ALSA, on a thread of its own.
///
/// A device that is missing or vanishes is a state, not an end: the sound goes on being rendered
/// to nobody (and to the recording), the device is tried again, and the sound comes back in place.
public final class ALSAOutput: SoundOutput {
  struct Settings: Sendable {
    let device: String?
    let rate: Int
    let profile: OutputProfile
    let drifts: DriftMemory
    /// The profile's, nanoseconds.
    let latency: Int64
  }

  private let settings: Settings
  private let gain: Float
  private let tap: RecordingTap?
  private let wakeUp = WakeUp()
  private let stopping = Flag()
  private let activity = Activity()
  /// Protects the thread's handle between start and stop.
  private let thread = Mutex<AudioThread?>(nil)

  /// - Parameters:
  ///   - device: an ALSA PCM such as "default"; nil plays to nobody, at the same pace.
  ///   - gain: linear, over everything.
  ///   - profile: its latency and keep-alive are used; volume and warm-up are the caller's.
  ///   - drifts: what is known of cards met before.
  ///   - tap: gets a copy of everything rendered.
  public init(
    device: String?, rate: Int = SampleRate.standard, gain: Float = 1,
    profile: OutputProfile = .init(),
    drifts: DriftMemory = .none, tap: RecordingTap? = nil
  ) {
    let latency = profile.latency.components
    settings = Settings(
      device: device, rate: rate, profile: profile, drifts: drifts,
      latency: latency.seconds * 1_000_000_000 + latency.attoseconds / 1_000_000_000)
    self.gain = gain
    self.tap = tap
  }

  public var latency: Duration { max(.zero, settings.profile.latency) }

  public func start(_ link: MixerLink, events: @escaping @Sendable (OutputEvent) -> Void) {
    thread.withLock { thread in
      precondition(thread == nil, "an output is started once")
      // Its parts and not itself, so that an output that is let go of can stop its thread. The thread
      // owns them, and through the mixer the link: it may outlive `stop` in a driver that hangs.
      thread = AudioThread { [settings, gain, tap, wakeUp, stopping, activity] in
        let events = { @Sendable (event: OutputEvent) in if !stopping.isSet { events(event) } }
        AudioThread.name("cuecoach-sound")
        _ = cuecoach_alsa_silence_errors()
        if !AudioThread.askForRealtime(), settings.device != nil {
          events(.notRealtime(nanoseconds: MachineClock.now()))
        }
        if settings.device == nil { events(.plays(reach: 0)) }
        var mixer = Mixer(link: link, rate: settings.rate)
        mixer.gain = gain
        var loop = AudioLoop(
          mixer: mixer, settings: settings, tap: tap?.samples, events: events)
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

/// Set by any thread; read by the audio thread.
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
