import CueSound

/// Music under the cues of a workout: as loud as its sounds, 10 dB less around each of them (`Ducking`), again and
/// again until it fades out after the finish.
///
/// It runs a second behind the cues, whose next ones it must know; constant memory.
package final class MusicMix {
  /// Receives the mixed frames, interleaved.
  package typealias Sink = (UnsafeBufferPointer<Int16>) throws -> Void

  private let music: MusicFile
  private var ducking: Ducking
  private let rate: Int
  /// Cues that are not mixed yet.
  private var waiting: [Int16] = []
  /// Frames mixed so far.
  private var mixed = 0
  private var gains: [Float]
  private var sound: [Float]
  private let block: UnsafeMutableBufferPointer<Int16>
  private let silence: UnsafeMutableBufferPointer<Int16>
  /// The frame from which on the music fades out over two seconds; nil while that is not known.
  package var fadesFrom: Int?

  /// Of what it makes.
  package let channels: Int

  package init(_ music: MusicFile, rate: Int) {
    self.rate = rate
    channels = music.channels
    ducking = Ducking(rate: rate)
    let size = rate / 2
    gains = Array(repeating: 1, count: size)
    sound = Array(repeating: 0, count: size * music.channels)
    block = .allocate(capacity: size * music.channels)
    block.initialize(repeating: 0)
    silence = .allocate(capacity: size)
    silence.initialize(repeating: 0)
    self.music = music
    waiting.reserveCapacity(ducking.reach + 3 * size)
  }

  deinit {
    block.deallocate()
    silence.deallocate()
  }

  /// The next frames of the cues.
  package func mix(
    _ cues: UnsafeBufferPointer<Int16>, into sink: Sink
  ) throws {
    ducking.hear(cues)
    waiting.append(contentsOf: cues)
    while waiting.count >= ducking.reach + gains.count { try mixBlock(gains.count, into: sink) }
  }

  /// The same for frames of silence.
  package func mixSilence(_ count: Int, into sink: Sink) throws {
    var left = count
    while left > 0 {
      let part = min(left, silence.count)
      try mix(UnsafeBufferPointer(rebasing: silence[..<part]), into: sink)
      left -= part
    }
  }

  /// The cues are over: the rest of the music, until it has faded out.
  package func finish(into sink: Sink) throws {
    let end = (fadesFrom ?? ducking.known) + 2 * rate
    if end > ducking.known { try mixSilence(end - ducking.known, into: sink) }
    while !waiting.isEmpty { try mixBlock(min(waiting.count, gains.count), into: sink) }
  }

  private func mixBlock(_ count: Int, into sink: Sink) throws {
    ducking.write(to: &gains, from: mixed, count: count)
    try music.read(into: &sound, frames: count)
    if let fadesFrom, mixed + count > fadesFrom {
      for index in max(0, fadesFrom - mixed)..<count {
        gains[index] *= max(0, 1 - Float(mixed + index - fadesFrom) / Float(2 * rate))
      }
    }
    let level = music.gain * 32_768
    for index in 0..<count {
      let gain = gains[index] * level
      let cue = Float(waiting[index])
      for place in index * channels..<(index + 1) * channels {
        block[place] = Int16(max(-32_768, min(32_767, (cue + sound[place] * gain).rounded())))
      }
    }
    waiting.removeFirst(count)
    mixed += count
    try sink(UnsafeBufferPointer(rebasing: block[..<(count * channels)]))
  }
}
