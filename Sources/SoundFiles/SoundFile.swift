import CSndFile
import CueSound
import Glibc

/// Why a sound file cannot be read or written.
public struct SoundFileError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The file, as it was given.
  public let path: String
  /// What is wrong, in a few words.
  public let detail: String

  package init(path: String, detail: String) { (self.path, self.detail) = (path, detail) }

  /// The file and what is wrong, on one line.
  public var description: String { "\(path): \(detail)" }
}

/// Reads sound files: WAV, FLAC, Ogg and whatever else libsndfile knows.
public enum SoundFile {
  /// The longest sound read, in seconds, 30: a cue, not a song.
  package static let maxLength = 30

  /// The file's sound, its channels mixed to one, at `rate`. Blocks on the disk.
  ///
  /// - Parameters:
  ///   - path: a regular file; a pipe or a device is refused.
  ///   - rate: frames a second; that of the engine's sounds. A file of another rate is converted.
  /// - Throws: `SoundFileError` for a file that cannot be read, that is empty or longer than 30 s, or that has
  ///   less than 4 kHz, more than 384 kHz or more than 8 channels.
  public static func read(_ path: String, rate: Int) throws(SoundFileError) -> PCMClip {
    SampleRateLibrary().convert(try read(path, atMost: maxLength), to: rate)
  }

  /// The same at the file's own rate.
  ///
  /// - Parameter seconds: how long it may be.
  package static func read(
    _ path: String, atMost seconds: Int
  ) throws(SoundFileError) -> PCMClip {
    // Opening a pipe would wait.
    guard [nil, S_IFREG].contains(fileKind(path)) else {
      throw SoundFileError(path: path, detail: "expected a file")
    }
    var info = SF_INFO()
    guard let file = sf_open(path, Int32(SFM_READ), &info) else {
      throw SoundFileError(path: path, detail: soundLibraryReason(nil))
    }
    defer { sf_close(file) }
    let channels = Int(info.channels)
    guard info.frames > 0, (4_000...384_000).contains(info.samplerate),
      info.frames <= Int64(info.samplerate) * Int64(seconds), (1...8).contains(channels)
    else {
      throw SoundFileError(
        path: path,
        detail: "expected a sound of up to \(seconds) s, 4 to 384 kHz, 1 to 8 channels")
    }
    // As floats: when it reads integers, the library either wraps samples beyond full scale or scales every
    // file to its peak.
    var block = [Float](repeating: 0, count: channels > 1 ? blockFrames * channels : 0)
    var mono = [Float](repeating: 0, count: Int(info.frames))
    var (count, peak) = (0, Float(1))
    mono.withUnsafeMutableBufferPointer { mono in
      while count < mono.count {
        let part = UnsafeMutableBufferPointer(rebasing: mono[count...].prefix(blockFrames))
        let target = part.baseAddress!
        let most = Int64(part.count)
        let frames = Int(
          channels > 1
            ? sf_readf_float(file, &block, most) : sf_readf_float(file, target, most))
        guard frames > 0 else { break }
        if channels > 1 { mix(block, of: channels, into: target, frames) }
        for frame in 0..<frames {
          // A float may also be no number.
          if !target[frame].isFinite { target[frame] = 0 }
          peak = max(peak, target[frame].magnitude)
        }
        count += frames
      }
    }
    // A sound beyond full scale is scaled, not clipped.
    let whole = [Int16](unsafeUninitializedCapacity: count) { samples, length in
      mono.withUnsafeBufferPointer { mono in
        for index in 0..<count {
          let sample = peak > 1 ? mono[index] / peak : mono[index]
          samples[index] = PCMClip.whole(sample * 32_768)
        }
      }
      length = count
    }
    return PCMClip(rate: Int(info.samplerate), samples: whole)
  }

  private static let blockFrames = 4096

  private static func mix(
    _ block: [Float], of channels: Int, into target: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    block.withUnsafeBufferPointer { block in
      for frame in 0..<frames {
        var sample = block[frame * channels]
        for channel in 1..<channels { sample += block[frame * channels + channel] }
        target[frame] = sample / Float(channels)
      }
    }
  }
}

/// Why a call of libsndfile has failed: "No such file or directory" of "System error : No such file or directory.".
///
/// - Parameter file: nil for one that could not be opened.
func soundLibraryReason(_ file: OpaquePointer?) -> String {
  let text = String(cString: sf_strerror(file))
  let prefix = "System error : "
  guard text.hasPrefix(prefix), text.hasSuffix(".") else { return text }
  return String(text.dropFirst(prefix.count).dropLast())
}

/// The type of the file at the path; nil where there is none.
func fileKind(_ path: String) -> mode_t? {
  var info = stat()
  return stat(path, &info) == 0 ? info.st_mode & S_IFMT : nil
}
