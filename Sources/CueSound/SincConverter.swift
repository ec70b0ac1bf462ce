import Synchronization

/// Changes rates by band-limited interpolation, for words, without any library: images and aliases are 70 dB
/// down, and the lower rate's band passes up to 76 %. Any thread.
///
/// The product `SoundFiles` has a better and faster one, `SampleRateLibrary`, which links libsamplerate.
public final class SincConverter: SampleRateConverter {
  private struct Rates: Hashable {
    let source: Int
    let target: Int
  }

  /// Protects the kernels that have been made; few programs have more than one.
  private let kernels = Mutex<[Rates: SincKernel]>([:])

  /// It has no settings.
  public init() {}

  public func convert(_ clip: PCMClip, to rate: Int) -> PCMClip {
    precondition(clip.rate > 0 && rate > 0, "a conversion from \(clip.rate) to \(rate) Hz")
    guard clip.rate != rate, clip.count > 0 else { return clip }
    let kernel = kernels.withLock { kernels in
      let rates = Rates(source: clip.rate, target: rate)
      let kernel = kernels[rates] ?? SincKernel(from: clip.rate, to: rate)
      kernels[rates] = kernel
      return kernel
    }
    let count = (clip.count * kernel.phases + kernel.step - 1) / kernel.step
    return PCMClip(rate: rate, unwritten: count) { target in
      kernel.weights.withUnsafeBufferPointer { weights in
        guard let weights = weights.baseAddress else { return }
        var index = 0
        while index < count {
          let place = index * kernel.step
          target[index] = PCMClip.whole(
            kernel.sample(
              of: clip.memory, at: place / kernel.phases, place % kernel.phases, weights))
          index += 1
        }
      }
    }
  }
}
