import CSndFile
import CueSound
import Foundation
import SoundFiles
import TestSupport
import Testing

/// Sound files in the formats of other programs.
struct SoundFormatTests {
  private let space = TestFolder()

  struct Format: Sendable, CustomTestStringConvertible {
    let name: String
    let container: Int
    let coding: Int
    /// The tolerance of a sample.
    var tolerance = 1.0
    var testDescription: String { name }
  }

  private static let formats = [
    Format(name: "16.wav", container: SF_FORMAT_WAV, coding: SF_FORMAT_PCM_16),
    Format(name: "24.wav", container: SF_FORMAT_WAV, coding: SF_FORMAT_PCM_24),
    Format(name: "float.wav", container: SF_FORMAT_WAV, coding: SF_FORMAT_FLOAT),
    Format(name: "16.flac", container: SF_FORMAT_FLAC, coding: SF_FORMAT_PCM_16),
    Format(name: "24.flac", container: SF_FORMAT_FLAC, coding: SF_FORMAT_PCM_24),
    Format(
      name: "vorbis.ogg", container: SF_FORMAT_OGG, coding: SF_FORMAT_VORBIS, tolerance: 2_000),
    Format(
      name: "opus.oga", container: SF_FORMAT_OGG, coding: SF_FORMAT_OPUS, tolerance: 2_000),
  ]

  /// Half a second of 440 Hz after a tenth of silence.
  private static let sound = (0..<28_800).map {
    $0 < 4_800 ? 0 : 0.4 * sin(2 * Double.pi * 440 * Double($0) / 48_000)
  }

  private func write(
    _ format: Format, channels: Int, rate: Int = 48_000, gain: Double = 1
  ) throws -> String {
    let path = space.path(format.name)
    var info = SF_INFO()
    info.samplerate = Int32(rate)
    info.channels = Int32(channels)
    info.format = Int32(format.container | format.coding)
    let file = try #require(sf_open(path, Int32(SFM_WRITE), &info))
    defer { sf_close(file) }
    let frames = Self.sound.flatMap { Array(repeating: $0 * gain, count: channels) }
    #expect(sf_writef_double(file, frames, Int64(Self.sound.count)) == Self.sound.count)
    return path
  }

  @Test(arguments: formats, [1, 2]) func aFileIsReadAsItSounds(
    _ format: Format, _ channels: Int
  ) throws {
    let path = try write(format, channels: channels)
    let clip = try SoundFile.read(path, rate: 48_000)
    #expect(clip.rate == 48_000)
    #expect(abs(clip.count - Self.sound.count) < 960)
    let differences = zip(clip.samples, Self.sound).map { abs(Double($0) - $1 * 32_768) }
    // The onset and the end of a lossy format are not compared.
    let looked = format.tolerance > 1 ? 9_600..<28_000 : 0..<Self.sound.count
    #expect((differences[looked].max() ?? .infinity) <= format.tolerance)
    let onset = clip.samples.firstIndex { abs(Int($0)) > 1_300 } ?? .max
    #expect(abs(onset - 4_802) < 10)
  }

  @Test(arguments: formats.prefix(6)) func aFileOfAnotherRateKeepsItsPitch(_ format: Format) throws
  {
    let path = try write(format, channels: 1, rate: 24_000)
    let clip = try SoundFile.read(path, rate: 48_000)
    #expect(abs(clip.count - 2 * Self.sound.count) < 100)
    // 440 Hz at 48 kHz is 220 Hz at 24 kHz: 218 frames a period.
    let middle = Array(clip.samples[20_000..<50_000])
    let turns = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect(abs(turns - 30_000 * 220 / 48_000) <= 1)
  }

  @Test func whatIsLouderThanFullScaleIsScaledAndNotCut() throws {
    let path = try write(Self.formats[2], channels: 1, gain: 10)
    let clip = try SoundFile.read(path, rate: 48_000)
    let peak = Self.sound.reduce(0) { max($0, abs($1)) }
    let differences = zip(clip.samples, Self.sound).map { abs(Double($0) - $1 / peak * 32_767) }
    #expect((differences.max() ?? .infinity) < 3)
  }

  @Test func whatIsNoNumberIsSilence() throws {
    let path = try write(Self.formats[2], channels: 1, gain: .nan)
    #expect(try SoundFile.read(path, rate: 48_000).peak == 0)
  }

  @Test(arguments: formats) func aFileCutShortIsAnErrorOrTheRest(_ format: Format) throws {
    let path = try write(format, channels: 1)
    let whole = try Data(contentsOf: URL(fileURLWithPath: path))
    for length in [0, 3, 20, 60, whole.count / 2, whole.count - 1] {
      try whole.prefix(length).write(to: URL(fileURLWithPath: path))
      do throws(SoundFileError) {
        let clip = try SoundFile.read(path, rate: 48_000)
        #expect(clip.count <= Self.sound.count + 960)
      } catch {
        #expect(error.path == path && !error.detail.isEmpty)
      }
    }
  }
}
