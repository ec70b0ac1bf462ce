import CSndFile

/// Writes 16-bit mono sound to a WAV file; one longer than 4 GiB becomes RF64, which holds it.
///
/// The header is right after every write, so that a file whose writer was killed still plays.
/// Used by one thread at a time.
public struct WAVWriter: ~Copyable {
  private let file: OpaquePointer
  private let path: String

  /// Creates or empties the file.
  public init(_ path: String, rate: Int = 48_000) throws(SoundFileError) {
    var info = SF_INFO()
    info.samplerate = Int32(rate)
    info.channels = 1
    info.format = Int32(SF_FORMAT_RF64) | Int32(SF_FORMAT_PCM_16)
    guard let file = sf_open(path, Int32(SFM_WRITE), &info) else {
      throw SoundFileError(path: path, detail: String(cString: sf_strerror(nil)))
    }
    self.file = file
    self.path = path
    sf_command(file, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE))
    sf_command(file, Int32(SFC_SET_UPDATE_HEADER_AUTO), nil, Int32(SF_TRUE))
  }

  deinit { sf_close(file) }

  /// Appends `count` samples; after an error the file holds what was written before.
  public func write(_ samples: UnsafePointer<Int16>, count: Int) throws(SoundFileError) {
    guard sf_write_short(file, samples, Int64(count)) == count else {
      throw SoundFileError(path: path, detail: String(cString: sf_strerror(file)))
    }
  }
}
