import CSndFile
import CueSound

/// Why a sound file cannot be read or written.
public struct SoundFileError: Error, Hashable, Sendable {
  public let path: String
  /// What is wrong, in a few words.
  public let detail: String
}

/// Reads sound files: WAV, FLAC, Ogg and whatever else libsndfile knows.
public enum SoundFile {
  /// The longest sound read, in seconds: a cue, not a song.
  public static let greatestLength = 30

  /// The file's sound, its channels mixed to one, at `rate`.
  public static func read(_ path: String, rate: Int) throws(SoundFileError) -> PCMClip {
    var info = SF_INFO()
    guard let file = sf_open(path, Int32(SFM_READ), &info) else {
      throw SoundFileError(path: path, detail: String(cString: sf_strerror(nil)))
    }
    defer { sf_close(file) }
    let channels = Int(info.channels)
    guard info.frames > 0, (4_000...384_000).contains(info.samplerate),
      info.frames <= Int64(info.samplerate) * Int64(greatestLength), (1...8).contains(channels)
    else {
      throw SoundFileError(
        path: path,
        detail: "expected a sound of up to \(greatestLength) s, 4 to 384 kHz, 1 to 8 channels")
    }
    // Floats louder than full scale are scaled, not wrapped.
    sf_command(file, Int32(SFC_SET_SCALE_FLOAT_INT_READ), nil, Int32(SF_TRUE))
    var samples = [Int16](repeating: 0, count: Int(info.frames) * channels)
    let frames = Int(sf_readf_short(file, &samples, info.frames))
    let mono = (0..<frames).map { frame in
      let sum = (0..<channels).reduce(0) { $0 + Int(samples[frame * channels + $1]) }
      return Int16(sum / channels)
    }
    return SampleRateLibrary().convert(PCMClip(rate: Int(info.samplerate), samples: mono), to: rate)
  }
}
