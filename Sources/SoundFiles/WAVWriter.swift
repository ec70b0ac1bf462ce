import CSndFile
import CueSound
import Glibc

/// Writes 16-bit mono sound to a WAV file.
///
/// The header is right after every write, so that a file whose writer was killed still plays.
/// Used by one thread at a time.
package struct WAVWriter: ~Copyable {
  private let file: OpaquePointer
  private let path: String
  /// More than half a day at 48 kHz does not fit into a WAV file's 4 GiB.
  private static let maxSeconds = 12 * 3600

  /// Creates or empties the file.
  ///
  /// - Parameter seconds: how long the sound may become. Beyond 12 h the file may end as RF64,
  ///   which holds it; the simple form, which every program reads, serves otherwise.
  package init(_ path: String, rate: Int = SampleRate.standard, seconds: Int = 0)
    throws(SoundFileError)
  {
    // A WAV file is written to at its beginning too, and a pipe would be waited for.
    guard fileKind(path) != S_IFIFO else {
      throw SoundFileError(path: path, detail: "expected a file, not a pipe")
    }
    var info = SF_INFO()
    info.samplerate = Int32(rate)
    info.channels = 1
    let container = seconds > Self.maxSeconds ? SF_FORMAT_RF64 : SF_FORMAT_WAV
    info.format = Int32(container) | Int32(SF_FORMAT_PCM_16)
    guard let file = sf_open(path, Int32(SFM_WRITE), &info) else {
      throw SoundFileError(path: path, detail: soundLibraryReason(nil))
    }
    self.file = file
    self.path = path
    // A command of RF64 alone; elsewhere it does nothing.
    sf_command(file, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE))
    sf_command(file, Int32(SFC_SET_UPDATE_HEADER_AUTO), nil, Int32(SF_TRUE))
  }

  deinit { sf_close(file) }

  /// Appends `count` samples; after an error the file holds what was written before.
  package func write(_ samples: UnsafePointer<Int16>, count: Int) throws(SoundFileError) {
    guard sf_write_short(file, samples, Int64(count)) == count else {
      throw SoundFileError(path: path, detail: soundLibraryReason(file))
    }
  }
}
