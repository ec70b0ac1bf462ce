import CueEngine
import CueSound
import IntervalTimeline

/// An output that plays into memory, up to the time that the test sets.
///
/// Frame 0 is heard at `origin`; the device is exact. Used by one thread.
public final class RecordingOutput: SoundOutput, @unchecked Sendable {
  // Unchecked: a test calls it from one thread.

  public let origin: BootInstant
  public let rate: Int
  public let latency: Duration
  /// Everything heard since `origin`.
  public private(set) var samples: [Int16] = []
  /// False for runs of many hours.
  public var keepsSamples = true
  private var played = 0
  public private(set) var wakes = 0
  /// What the device does with the sound.
  public var audience = Mixer.Audience.heard

  private var mixer: Mixer?
  private var events: (@Sendable (OutputEvent) -> Void)?
  private let map: FrameMap

  public init(origin: BootInstant, rate: Int = SampleRate.standard, latency: Duration = .zero) {
    self.latency = latency
    self.origin = origin
    self.rate = rate
    map = FrameMap(frame: 0, instant: SoundInstant(origin), rate: Double(rate))
  }

  public func start(_ link: MixerLink, events: @escaping @Sendable (OutputEvent) -> Void) {
    mixer = Mixer(link: link, rate: rate)
    self.events = events
  }

  public private(set) var activity = OutputActivity.idle

  public func setActivity(_ activity: OutputActivity) { self.activity = activity }

  public func wake() { wakes += 1 }

  public func stop() { mixer = nil }

  /// The frame that is heard at `instant`.
  public func frame(at instant: BootInstant) -> Int { Int(map.frame(at: SoundInstant(instant))) }

  /// Something happens to the device.
  public func report(_ event: OutputEvent) { events?(event) }

  /// The audio thread has learned how long before it is due a sound must be handed over.
  public func report(reach: Duration) {
    mixer?.reportReach(Nanoseconds(Int64(reach / .nanoseconds(1))))
  }

  /// Plays up to `instant`.
  public func advance(to instant: BootInstant) {
    guard mixer != nil else { return }
    let count = Int(map.frame(at: SoundInstant(instant))) - played
    guard count >= 0 else { return }
    var block = [Int16](repeating: 0, count: count)
    mixer!.takeCommands(map: map)
    block.withUnsafeMutableBufferPointer { block in
      guard let base = block.baseAddress else { return }
      mixer!.render(into: base, count: count, map: map)
    }
    if keepsSamples { samples += block }
    played += count
    mixer!.heard(upTo: Frames(played), map: map, by: audience)
  }
}
