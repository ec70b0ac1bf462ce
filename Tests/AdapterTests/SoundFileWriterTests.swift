import CSndFile
import Foundation
import SoundFiles
import TestSupport
import Testing

/// Sound files that appear whole.
struct SoundFileWriterTests {
  private let space = TestFolder()

  /// Two seconds: a tone of a quarter of a second each half second.
  private static let sound = (0..<96_000).map { frame -> Int16 in
    let phase = 2 * Double.pi * 1_000 * Double(frame) / 48_000
    return frame % 24_000 < 12_000 ? Int16(9_000 * sin(phase)) : 0
  }

  /// Reads a file as libsndfile has it: its channels, and what it says of itself.
  private func read(_ path: String) throws -> (samples: [Int16], info: SF_INFO, title: String?) {
    var info = SF_INFO()
    let file = try #require(sf_open(path, Int32(SFM_READ), &info))
    defer { sf_close(file) }
    // As floats: libsndfile scales when it reads integers of a lossy file.
    var samples = [Float](repeating: 0, count: Int(info.frames) * Int(info.channels))
    #expect(sf_readf_float(file, &samples, info.frames) == info.frames)
    let title = sf_get_string(file, Int32(SF_STR_TITLE)).map { String(cString: $0) }
    return (samples.map { Int16(max(-32_768, min(32_767, $0 * 32_768))) }, info, title)
  }

  @Test(arguments: SoundFormat.allCases)
  func everyFormatIsAsLongAsWhatWasWrittenAndHasItsSoundsInPlace(format: SoundFormat) throws {
    for ending in format.endings {
      let path = space.path("a.\(ending.uppercased())")
      #expect(SoundFormat(path: path) == format)
      let writer = try SoundFileWriter(
        path, as: format, rate: 48_000, tags: .init(title: "Zäh", album: "All", track: 2))
      try writer.write(Self.sound, count: 50_000)
      try Self.sound[50_000...].withUnsafeBufferPointer {
        try writer.write($0.baseAddress!, count: $0.count)
      }
      try writer.writeSilence(count: 30_001)
      try writer.finish()
      let (samples, info, title) = try read(path)
      #expect(samples.count == 126_001)
      #expect(info.samplerate == 48_000 && info.channels == 1)
      #expect(title == (format == .wav ? nil : "Zäh"))
      if format.isLossless {
        #expect(Array(samples[..<96_000]) == Self.sound)
        #expect(samples[96_000...].allSatisfy { $0 == 0 })
      }
      // Each tone begins within 2 ms of its place.
      for begin in stride(from: 24_000, to: 96_000, by: 24_000) {
        let first = samples[(begin - 2_400)...].firstIndex { $0.magnitude > 2_000 }
        #expect(abs(try #require(first) - begin) < 96, "\(format) at \(begin)")
      }
    }
  }

  @Test(arguments: SoundFormat.allCases)
  func stereoStaysStereo(format: SoundFormat) throws {
    let path = space.path("a.\(format.endings[0])")
    let writer = try SoundFileWriter(path, as: format, rate: 48_000, channels: 2)
    let stereo = Self.sound.flatMap { sample -> [Int16] in [sample, 0] }
    try writer.write(stereo, count: 96_000)
    try writer.writeSilence(count: 1_000)
    try writer.finish()
    let (samples, info, _) = try read(path)
    #expect(info.channels == 2 && samples.count == 194_000)
    let left = stride(from: 0, to: samples.count, by: 2).map { samples[$0].magnitude }.max()!
    let right = stride(from: 1, to: samples.count, by: 2).map { samples[$0].magnitude }.max()!
    #expect(left > 8_000 && right < 500)
  }

  @Test(arguments: SoundFormat.allCases)
  func aFileThatIsNotFinishedLeavesTheOldOne(format: SoundFormat) throws {
    let path = space.path("a")
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    func begin() throws -> SoundFileWriter {
      let writer = try SoundFileWriter(path, as: format, rate: 48_000)
      try writer.write(Self.sound, count: 96_000)
      #expect(FileManager.default.contents(atPath: path) == Data("old".utf8))
      return writer
    }
    do { _ = try begin() }
    #expect(FileManager.default.contents(atPath: path) == Data("old".utf8))
    #expect(try space.names == ["a"])
    let writer = try begin()
    try writer.finish()
    #expect(try read(path).samples.count == 96_000)
    #expect(try space.names == ["a"])
  }

  @Test func aLinkStaysALinkAndTheFileKeepsItsMode() throws {
    let (path, link) = (space.path("a.flac"), space.path("link.flac"))
    try Data("old".utf8).write(to: URL(fileURLWithPath: path))
    chmod(path, 0o600)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    let writer = try SoundFileWriter(link, as: .flac, rate: 48_000)
    try writer.write(Self.sound, count: 96_000)
    try writer.finish()
    var info = stat()
    #expect(lstat(link, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK)
    #expect(stat(path, &info) == 0 && info.st_mode & 0o777 == 0o600)
    #expect(try read(path).samples == Self.sound)
  }

  /// Why the sound cannot be written there; nil where it can.
  private func reason(_ path: String, _ format: SoundFormat) -> String? {
    failure(SoundFileError.self) {
      let writer = try SoundFileWriter(path, as: format, rate: 48_000)
      try writer.write(Self.sound, count: 96_000)
      try writer.finish()
    }?.detail
  }

  /// The encoders keep some sound back, so a full disk may show only at the end.
  @Test(arguments: SoundFormat.allCases)
  func aFullDiskIsAnError(format: SoundFormat) throws {
    #expect(reason("/dev/full", format) == "No space left on device")
  }

  @Test func whatCannotBeWrittenSaysWhy() throws {
    #expect(reason(space.path("no/a.ogg"), .vorbis) == "No such file or directory")
  }
}
