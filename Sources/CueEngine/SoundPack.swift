import CueSound
import Synchronization

/// The sounds of a run, at one rate and of one loudness.
public struct SoundPack: Sendable {
  /// Samples a second, of every clip in it.
  public let rate: Int
  private let clips: Clips

  /// Built-in sounds, some of them replaced; each is brought to ``/CueSound/Loudness/target``, but for the softer `change`.
  ///
  /// - Precondition: `rate` is one of ``/Instants/SampleRate/permitted``, and all clips have it. Anything else
  ///   ends the program with a sentence.
  /// - Parameters:
  ///   - rate: frames a second: that of the engine's output and speech.
  ///   - tones: the built-in sounds.
  ///   - clips: what replaces them.
  public init(
    rate: Int = SampleRate.standard, tones: TonePack = .standard,
    replacing clips: [SoundRole: PCMClip] = [:]
  ) {
    guard SampleRate.permitted.contains(rate) else {
      fatalError(
        "a sound pack of \(rate) samples a second, expected \(SampleRate.permitted.lowerBound) to "
          + "\(SampleRate.permitted.upperBound)")
    }
    for (meaning, clip) in clips where clip.rate != rate {
      fatalError(
        "the sound for \(meaning) has \(clip.rate) samples a second, its pack \(rate): convert it "
          + "first")
    }
    if clips.isEmpty, tones == .standard, rate == Self.standard.rate {
      self = Self.standard
    } else {
      self.init(rate) { clips[$0] ?? tones[$0].clip(rate: rate) }
    }
  }

  private init(_ rate: Int, _ clip: @escaping @Sendable (SoundRole) -> PCMClip) {
    self.rate = rate
    clips = Clips(clip)
  }

  /// Each is made when it is first wanted: a workout has few of them, and one that is only checked none.
  private final class Clips: Sendable {
    private let raw: @Sendable (SoundRole) -> PCMClip
    private let made = Mutex<[SoundRole: PCMClip]>([:])

    init(_ raw: @escaping @Sendable (SoundRole) -> PCMClip) { self.raw = raw }

    subscript(meaning: SoundRole) -> PCMClip {
      made.withLock { made in
        if let clip = made[meaning] { return clip }
        let clip = raw(meaning)
        let gain = meaning.isTick ? Loudness.tickGain(of: clip) : Loudness.gain(of: clip)
        let levelled = clip.scaled(by: gain * meaning.gain)
        made[meaning] = levelled
        return levelled
      }
    }
  }

  /// One for all: most programs have no other.
  private static let standard = SoundPack(SampleRate.standard) {
    TonePack.standard[$0].clip(rate: SampleRate.standard)
  }

  /// The clip for a meaning, brought to `Loudness.target`. There is one for each; the first call for it makes it.
  public subscript(meaning: SoundRole) -> PCMClip { clips[meaning] }
}
