import CueSound
import Synchronization

/// An output that plays into memory, up to the instant that a test sets with `advance`.
///
/// Frame 0 is heard at `origin`; the device is exact and never lost, unless the test reports that. Any thread;
/// never blocks.
public final class RecordingOutput: SoundOutput {
  /// The instant at which the first frame is heard.
  public let origin: BootInstant
  /// Frames a second; the engine's sounds and words must have this rate.
  public let rate: Int
  public let latency: Duration

  private struct State: ~Copyable {
    var samples: [Int16] = []
    var keepsSamples = true
    var played = 0
    var audience = Mixer.Audience.heard
    var mixer: Mixer?
    var events: (@Sendable (OutputEvent) -> Void)?
  }

  /// Protects everything that changes.
  private let state = Mutex(State())
  private let map: FrameMap

  /// An output that has played nothing yet.
  ///
  /// - Parameters:
  ///   - origin: the clock's instant when the engine is made.
  ///   - rate: 8000 is enough where samples are not looked at, and faster.
  ///   - latency: how much earlier than it is due a sound must be handed over.
  public init(origin: BootInstant, rate: Int = SampleRate.standard, latency: Duration = .zero) {
    self.latency = latency
    self.origin = origin
    self.rate = rate
    map = FrameMap(frame: 0, instant: origin, rate: Double(rate))
  }

  /// Everything heard since `origin`: mono, from −32 768 to 32 767.
  public var samples: [Int16] { state.withLock { $0.samples } }

  /// False for runs of many hours: `samples` grows no more. True at first.
  public var keepsSamples: Bool {
    get { state.withLock { $0.keepsSamples } }
    set { state.withLock { $0.keepsSamples = newValue } }
  }

  /// What becomes of the sound: it is heard at first.
  public var audience: Mixer.Audience {
    get { state.withLock { $0.audience } }
    set { state.withLock { $0.audience = newValue } }
  }

  public func start(_ link: MixerLink, events: @escaping @Sendable (OutputEvent) -> Void) {
    state.withLock { state in
      guard state.mixer == nil else {
        fatalError("a RecordingOutput has been started already: it serves one engine")
      }
      state.mixer = Mixer(link: link, rate: rate)
      state.events = events
    }
  }

  public func setActivity(_ activity: OutputActivity) {}

  public func wake() {}

  public func stop() {
    state.withLock { state in
      state.mixer?.abandon()
      state.mixer = nil
      state.events = nil
    }
  }

  /// The number of the frame that is heard at `instant`: an index into `samples`.
  public func frame(at instant: BootInstant) -> Int { Int(map.frame(at: instant)) }

  /// Reports to the engine that something has happened to the device, such as its loss. Nothing before
  /// `start`.
  public func report(_ event: OutputEvent) { state.withLock { $0.events }?(event) }

  /// Reports that a sound must be handed over this long before it is due.
  public func report(minimumLeadTime: Duration) {
    state.withLock { $0.mixer?.reportMinimumLeadTime(minimumLeadTime) }
  }

  /// Plays everything that is due before `instant`; nothing where it has played further already, or has been
  /// stopped.
  public func advance(to instant: BootInstant) {
    state.withLock { state in
      guard state.mixer != nil else { return }
      let count = Int(map.frame(at: instant)) - state.played
      guard count >= 0 else { return }
      var block = [Int16](repeating: 0, count: count)
      state.mixer!.takeCommands(map: map)
      block.withUnsafeMutableBufferPointer { block in
        guard let base = block.baseAddress else { return }
        state.mixer!.render(into: base, count: count, map: map)
      }
      if state.keepsSamples { state.samples += block }
      state.played += count
      state.mixer!.heard(upTo: Frames(state.played), map: map, by: state.audience)
    }
  }
}
