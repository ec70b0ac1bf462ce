import CueSound

/// The sounds of a run, at one rate and of one loudness.
public struct SoundPack: Sendable {
  public let rate: Int
  private let clips: [SoundMeaning: PCMClip]

  /// Built-in sounds, some of them replaced; each is brought to `Loudness.target`. `clips` must
  /// have the rate `rate`.
  public init(
    rate: Int = 48_000, tones: TonePack = .standard, replacing clips: [SoundMeaning: PCMClip] = [:]
  ) {
    self.rate = rate
    self.clips = Dictionary(
      uniqueKeysWithValues: SoundMeaning.allCases.map { meaning in
        let clip = clips[meaning] ?? tones[meaning].clip(rate: rate)
        return (meaning, clip.scaled(by: Self.gain(of: clip)))
      })
  }

  public subscript(meaning: SoundMeaning) -> PCMClip {
    guard let clip = clips[meaning] else { preconditionFailure("no sound for \(meaning)") }
    return clip
  }

  /// The linear gain with which a sound or a word is as loud as every other one.
  public static func gain(of clip: PCMClip) -> Float { Loudness.gain(of: clip) }
}
