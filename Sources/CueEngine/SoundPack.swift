import CueSound

/// The sounds of a run, at one rate.
public struct SoundPack: Sendable {
  public let rate: Int
  private let clips: [SoundMeaning: PCMClip]

  /// The built-in sounds, some of them replaced. `clips` must have the rate `rate`.
  public init(rate: Int = 48_000, replacing clips: [SoundMeaning: PCMClip] = [:]) {
    self.rate = rate
    self.clips = Dictionary(
      uniqueKeysWithValues: SoundMeaning.allCases.map { meaning in
        (meaning, clips[meaning] ?? meaning.tone.clip(rate: rate))
      })
  }

  public subscript(meaning: SoundMeaning) -> PCMClip {
    guard let clip = clips[meaning] else { preconditionFailure("no sound for \(meaning)") }
    return clip
  }
}
