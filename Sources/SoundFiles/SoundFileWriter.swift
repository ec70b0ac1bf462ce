import CSndFile
import Glibc

/// Writes 16-bit sound to a file of any `SoundFormat`, which appears under its name when it is finished. Until
/// then, and after an error, a file of that name stays as it was.
///
/// Used by one thread at a time.
package final class SoundFileWriter {
  /// What players show.
  package struct Tags: Sendable {
    package var title: String
    package var album: String?
    /// From 1.
    package var track: Int?

    package init(title: String, album: String? = nil, track: Int? = nil) {
      (self.title, self.album, self.track) = (title, album, track)
    }
  }

  private let path: String
  private let target: WholeFile
  /// Nil once it is finished.
  private var file: OpaquePointer?
  private let channels: Int
  private let isSparse: Bool
  /// The encoder of Vorbis takes memory on the stack for all that it is given at once.
  private let framesAtOnce: Int

  /// - Parameters:
  ///   - path: of the file; an existing one is replaced in the end.
  ///   - rate: Opus takes 48 000, 24 000, 16 000, 12 000 and 8 000 alone.
  ///   - seconds: how long the sound may become; 0: that is not known.
  ///   - tags: nil for none; a WAV file has none in any case, because not every program passes over them.
  package init(
    _ path: String, as format: SoundFormat, rate: Int, channels: Int = 1, seconds: Int = 0,
    tags: Tags? = nil
  ) throws(SoundFileError) {
    // It would be waited for.
    guard fileKind(path) != S_IFIFO else {
      throw SoundFileError(path: path, detail: "expected a file, not a pipe")
    }
    let target = try WholeFile(path)
    var info = SF_INFO()
    info.samplerate = Int32(rate)
    info.channels = Int32(channels)
    info.format = format.code(bytes: seconds * rate * channels * 2)
    var calls = WholeFile.calls
    guard
      let file = sf_open_virtual(
        &calls, Int32(SFM_WRITE), &info, Unmanaged.passUnretained(target).toOpaque())
    else {
      throw SoundFileError(path: path, detail: Self.reason(target, nil))
    }
    self.path = path
    self.target = target
    self.file = file
    self.channels = channels
    isSparse = format == .wav && target.isRegular
    framesAtOnce = format.isLossless ? 1 << 16 : 1 << 12
    // A command of RF64 alone; elsewhere it does nothing.
    sf_command(file, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, Int32(SF_TRUE))
    guard format != .wav, let tags else { return }
    sf_set_string(file, Int32(SF_STR_TITLE), tags.title)
    if let album = tags.album { sf_set_string(file, Int32(SF_STR_ALBUM), album) }
    if let track = tags.track { sf_set_string(file, Int32(SF_STR_TRACKNUMBER), "\(track)") }
  }

  deinit { if let file { sf_close(file) } }

  /// Appends `count` frames.
  package func write(_ samples: UnsafePointer<Int16>, count: Int) throws(SoundFileError) {
    var done = 0
    while done < count {
      let part = min(framesAtOnce, count - done)
      let written = sf_writef_short(file, samples + done * channels, Int64(part))
      guard written == part, target.failure == 0 else { throw failure }
      done += part
    }
  }

  /// Appends `count` frames of silence. In a WAV file they are a hole, which takes neither time nor room on the
  /// disk.
  package func writeSilence(count: Int) throws(SoundFileError) {
    var left = count
    // The last one is written, which makes the file as long as it is to be.
    if isSparse, left > 1, sf_seek(file, Int64(left - 1), SEEK_CUR) >= 0 { left = 1 }
    let zeros = [Int16](repeating: 0, count: min(left, framesAtOnce) * channels)
    while left > 0 {
      let part = min(left, framesAtOnce)
      try write(zeros, count: part)
      left -= part
    }
  }

  /// Completes the file and gives it its name. Nothing can be written afterwards.
  package func finish() throws(SoundFileError) {
    guard let file else { return }
    self.file = nil
    sf_close(file)
    guard target.commit() else { throw failure }
  }

  private var failure: SoundFileError {
    SoundFileError(path: path, detail: Self.reason(target, file))
  }

  private static func reason(_ target: WholeFile, _ file: OpaquePointer?) -> String {
    if target.failure != 0 { return String(cString: strerror(target.failure)) }
    return soundLibraryReason(file)
  }
}
