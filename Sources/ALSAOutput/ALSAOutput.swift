import CALSA
import CueSound
import Synchronization

/// Plays through ALSA, on a thread of its own.
///
/// A device that is missing or vanishes is a state, not an end: the sound goes on being rendered
/// to nobody (and to the recording), the device is tried again, and the sound comes back in place.
public final class ALSAOutput: SoundOutput {
  private let device: String?
  private let rate: Int
  private let gain: Float
  private let profile: OutputProfile
  private let drifts: DriftMemory
  private let tap: RecordingTap?
  private let wakeUp = WakeUp()
  private let stopping = Flag()
  /// Protects the thread's handle between start and stop.
  private let thread = Mutex<AudioThread?>(nil)

  /// - Parameters:
  ///   - device: an ALSA PCM such as "default"; nil plays to nobody, at the same pace.
  ///   - gain: linear, over everything.
  ///   - profile: its latency and keep-alive are used; volume and warm-up are the caller's.
  ///   - drifts: what is known of cards met before.
  ///   - tap: gets a copy of everything rendered.
  public init(
    device: String?, rate: Int = 48_000, gain: Float = 1, profile: OutputProfile = .init(),
    drifts: DriftMemory = .none, tap: RecordingTap? = nil
  ) {
    self.device = device
    self.rate = rate
    self.gain = gain
    self.profile = profile
    self.drifts = drifts
    self.tap = tap
  }

  public func start(_ link: MixerLink, events: @escaping @Sendable (OutputEvent) -> Void) {
    thread.withLock { thread in
      precondition(thread == nil, "an output is started once")
      // Its parts and not itself, so that an output that is let go of can stop its thread.
      thread = AudioThread { [device, rate, gain, tap, wakeUp, stopping] in
        _ = cuecoach_alsa_silence_errors()
        _ = AudioThread.askForRealtime()
        var mixer = Mixer(link: link, rate: rate)
        mixer.gain = gain
        var loop = AudioLoop(
          mixer: mixer, device: device, rate: rate, tap: tap?.samples, events: events)
        while !stopping.isSet { wakeUp.wait(loop.turn()) }
        loop.close()
      }
    }
  }

  public func wake() { wakeUp.signal() }

  public func stop() {
    guard
      let thread = thread.withLock({ thread in
        defer { thread = nil }
        return thread
      })
    else { return }
    stopping.set()
    wakeUp.signal()
    thread.join()
  }

  deinit { stop() }
}

/// Set once, by `stop`; read by the audio thread.
private final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}
