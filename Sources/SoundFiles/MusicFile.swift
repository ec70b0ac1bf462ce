import CSndFile
import CSoxr
import CueSound
import Glibc
import Synchronization

/// A sound file that is played again and again, a piece at a time: of any length, and never loaded whole.
package final class MusicFile {
  private let path: String
  private let file: OpaquePointer
  /// Nil where the file has the rate that is wanted.
  private let converter: OpaquePointer?
  private let isMPEG: Bool
  private let sourceChannels: Int
  /// 2 for stereo, else 1: more are mixed to one.
  package let channels: Int
  /// Makes it as loud as the sounds are, at its loudest: linear.
  package private(set) var gain: Float = 1
  /// Decoded, not yet converted; `used` frames of them are taken.
  private var decoded: [Float]
  private var raw: [Float]
  private var used = 0
  private var count = 0
  /// Frames since the beginning of the file.
  private var position = 0

  private static let framesAtOnce = 4096
  /// How much of it is listened to for its loudness.
  private static let listened = 600

  /// Opens the file, and listens to its first ten minutes for its loudness. Blocks on the disk.
  ///
  /// - Parameter rate: frames a second; a file of another rate is converted.
  package init(_ path: String, rate: Int) throws(SoundFileError) {
    guard access(path, R_OK) == 0 else {
      throw SoundFileError(path: path, detail: String(cString: strerror(errno)))
    }
    guard fileKind(path) == S_IFREG else {
      throw SoundFileError(path: path, detail: "expected a file")
    }
    var info = SF_INFO()
    let opened = withoutStandardError { sf_open(path, Int32(SFM_READ), &info) }
    guard let file = opened else {
      throw SoundFileError(
        path: path,
        detail: "no sound that can be read; expected a sound file, such as FLAC, Ogg or MP3")
    }
    let sourceRate = Int(info.samplerate)
    guard (4_000...384_000).contains(sourceRate), (1...8).contains(info.channels) else {
      sf_close(file)
      throw SoundFileError(path: path, detail: "expected 4 to 384 kHz and 1 to 8 channels")
    }
    self.path = path
    self.file = file
    isMPEG = info.format & Int32(SF_FORMAT_TYPEMASK) == SF_FORMAT_MPEG
    sourceChannels = Int(info.channels)
    channels = sourceChannels == 2 ? 2 : 1
    converter =
      sourceRate == rate
      ? nil
      : soxr_create(Double(sourceRate), Double(rate), UInt32(channels), nil, nil, nil, nil)
    raw = Array(repeating: 0, count: Self.framesAtOnce * sourceChannels)
    decoded = Array(repeating: 0, count: Self.framesAtOnce * channels)
    gain = try loudnessGain(sourceRate)
    sf_seek(file, 0, SEEK_SET)
    (used, count, position) = (0, 0, 0)
  }

  deinit {
    sf_close(file)
    if let converter { soxr_delete(converter) }
  }

  /// Ten seconds at a time.
  private func loudnessGain(_ rate: Int) throws(SoundFileError) -> Float {
    var least: Float = 8
    var piece: [Int16] = []
    piece.reserveCapacity(rate * 10 + Self.framesAtOnce)
    var heard = 0
    while true {
      try decode(repeats: false)
      heard += count
      for frame in 0..<count {
        var sum: Float = 0
        for channel in 0..<channels { sum += decoded[frame * channels + channel] }
        piece.append(Int16(max(-32_768, min(32_767, sum / Float(channels) * 32_768))))
      }
      let isOver = count == 0 || heard >= rate * Self.listened
      if piece.count >= rate * 10 || isOver {
        let clip = PCMClip(rate: rate, samples: piece)
        // Silence, such as a quiet beginning, is not raised.
        if clip.count > 0, clip.peak > 330 { least = min(least, Loudness.gain(of: clip)) }
        piece.removeAll(keepingCapacity: true)
      }
      if isOver { break }
    }
    guard heard > 0 else { throw SoundFileError(path: path, detail: "it has no sound") }
    return min(least, 4)
  }

  private func decodedFrames() -> Int {
    let decode = { [self] in Int(sf_readf_float(file, &raw, Int64(Self.framesAtOnce))) }
    return isMPEG ? withoutStandardError(decode) : decode()
  }

  /// Decodes the next frames; after the last one, with `repeats`, the first.
  private func decode(repeats: Bool) throws(SoundFileError) {
    used = 0
    count = decodedFrames()
    if count <= 0, repeats {
      guard position > 0, sf_seek(file, 0, SEEK_SET) == 0 else {
        throw SoundFileError(path: path, detail: "it cannot be read a second time")
      }
      position = 0
      count = decodedFrames()
      guard count > 0 else { throw SoundFileError(path: path, detail: "it has no sound") }
    }
    count = max(0, count)
    position += count
    for frame in 0..<count {
      if sourceChannels == channels {
        for place in frame * channels..<(frame + 1) * channels {
          // A float may also be no number.
          decoded[place] = raw[place].isFinite ? max(-1, min(1, raw[place])) : 0
        }
      } else {
        var sum: Float = 0
        for place in frame * sourceChannels..<(frame + 1) * sourceChannels { sum += raw[place] }
        let mean = sum / Float(sourceChannels)
        decoded[frame] = mean.isFinite ? max(-1, min(1, mean)) : 0
      }
    }
  }

  /// The next `frames`, interleaved.
  package func read(
    into target: UnsafeMutablePointer<Float>, frames: Int
  ) throws(SoundFileError) {
    var done = 0
    while done < frames {
      if used == count { try decode(repeats: true) }
      guard let converter else {
        let part = min(frames - done, count - used)
        decoded.withUnsafeBufferPointer {
          (target + done * channels).update(
            from: $0.baseAddress! + used * channels, count: part * channels)
        }
        used += part
        done += part
        continue
      }
      var (taken, given) = (0, 0)
      let error = decoded.withUnsafeBufferPointer { source in
        soxr_process(
          converter, source.baseAddress! + used * channels, count - used, &taken,
          target + done * channels, frames - done, &given)
      }
      if let error { throw SoundFileError(path: path, detail: String(cString: error)) }
      used += taken
      done += given
    }
  }
}

/// Calls `body` while what is written to standard error is lost, of every thread: libmpg123, by which MP3 files
/// are read, writes its notes on a damaged file there, and a fault is one line of our own.
private func withoutStandardError<Result>(_ body: () -> Result) -> Result {
  standardError.withLock { $0.silence() }
  defer { standardError.withLock { $0.restore() } }
  return body()
}

private let standardError = Mutex(StandardError())

/// Standard error, which leads nowhere while somebody needs that: the first one saves where it led, the last one restores it.
private struct StandardError {
  private var users = 0
  /// Where it led. Negative where that cannot be saved: then it is not silenced.
  private var kept: Int32 = -1

  mutating func silence() {
    users += 1
    guard users == 1 else { return }
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard nowhere >= 0 else { return }
    kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
    if kept >= 0 { dup2(nowhere, STDERR_FILENO) }
    close(nowhere)
  }

  mutating func restore() {
    users -= 1
    guard users == 0, kept >= 0 else { return }
    dup2(kept, STDERR_FILENO)
    close(kept)
    kept = -1
  }
}
