import CueSound
import Foundation
import SoundFiles
import TestSupport
import Testing

struct SoundFilesTests {
  private let space = TestFolder()

  @Test func whatIsWrittenIsReadBackSampleForSample() throws {
    let path = space.path("a.wav")
    let samples = (0..<48_000).map { Int16(truncatingIfNeeded: $0 &* 7_919) }
    try write(samples, to: path)
    let clip = try SoundFile.read(path, rate: 48_000)
    #expect(Array(clip.samples) == samples)
    let header = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(4)
    #expect(String(decoding: header, as: UTF8.self) == "RIFF")
  }

  private func write(_ samples: [Int16], to path: String) throws {
    let writer = try WAVWriter(path)
    try writer.write(samples, count: samples.count)
  }

  @Test func aFileWhoseWriterWasKilledStillPlays() throws {
    let (path, copy) = (space.path("a.wav"), space.path("b.wav"))
    let writer = try WAVWriter(path)
    let samples = Array(repeating: Int16(5), count: 4_800)
    try writer.write(samples, count: samples.count)
    // The file on disk while the writer is alive.
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    #expect(try SoundFile.read(copy, rate: 48_000).count == 4_800)
    try writer.write(samples, count: samples.count)
  }

  @Test func theRecorderKeepsEverySampleOfTheTap() throws {
    let path = space.path("r.wav")
    let tap = RecordingTap()
    let recorder = try Recorder(path, tap: tap) { Issue.record("\($0)") }
    let samples = (0..<100_000).map { Int16(truncatingIfNeeded: $0) }
    #expect(tap.samples.push(samples, count: samples.count) == samples.count)
    recorder.finish()
    let clip = try SoundFile.read(path, rate: 48_000)
    #expect(Array(clip.samples) == samples)
  }

  @Test(arguments: ["/dev/full", "/nonexistent/x.wav", "/tmp"])
  func aPlaceThatTakesNothingIsAnErrorWithItsPath(_ path: String) {
    #expect {
      _ = try Recorder(path, tap: RecordingTap()) { Issue.record("told twice: \($0)") }
    } throws: { ($0 as? SoundFileError)?.path == path }
  }

  @Test(arguments: ["/nonexistent/x.wav", "/dev/null", "/etc/hostname", "/tmp"])
  func whatIsNoSoundIsAnErrorWithItsPath(_ path: String) {
    #expect {
      try SoundFile.read(path, rate: 48_000)
    } throws: { error in
      guard let error = error as? SoundFileError else { return false }
      return error.path == path && !error.detail.isEmpty
    }
  }

  @Test func theRateChangesAndTheOnsetStays() {
    let before = PCMClip(
      rate: 22_050,
      samples: (0..<22_050).map { $0 < 2_205 ? 0 : Int16(8_000 * sin(Double($0) * 0.2)) })
    let after = SampleRateLibrary().convert(before, to: 48_000)
    #expect(after.rate == 48_000)
    #expect(abs(after.count - 48_000) <= 2)
    let onset = after.samples.firstIndex { abs(Int($0)) > 800 } ?? 0
    // 100 ms is frame 4 800; the filter rings a little before it.
    #expect(abs(onset - 4_800) < 24)
  }
}
