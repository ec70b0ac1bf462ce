import CueSound
import Foundation
import SoundFiles
import TestSupport
import Testing

/// Music under cues, from files of several rates.
/// One after the other: standard error leads nowhere while a file is opened.
@Suite(.serialized) struct MusicMixTests {
  private let space = TestFolder()

  /// A tone of 1 kHz, `frames` long.
  private func music(
    _ name: String = "m.flac", frames: Int = 48_000, rate: Int = 48_000, channels: Int = 1,
    level: Double = 9_000
  ) throws -> String {
    let path = space.path(name)
    var samples: [Int16] = []
    for frame in 0..<frames {
      let phase = 2 * Double.pi * 1_000 * Double(frame) / Double(rate)
      for channel in 1...channels { samples.append(Int16(level * sin(phase) / Double(channel))) }
    }
    let format = try #require(SoundFormat(path: path))
    let writer = try SoundFileWriter(path, as: format, rate: rate, channels: channels)
    try writer.write(samples, count: frames)
    try writer.finish()
    return path
  }

  /// Mixes these cues, in pieces, with the music.
  private func mix(
    _ cues: [Int16], _ path: String, fadesFrom: Int? = nil, piece: Int = 24_000
  ) throws -> [Int16] {
    let mix = MusicMix(try MusicFile(path, rate: 48_000), rate: 48_000)
    mix.fadesFrom = fadesFrom
    var made: [Int16] = []
    var done = 0
    while done < cues.count {
      let count = min(piece, cues.count - done)
      let part = Array(cues[done..<done + count])
      if part.allSatisfy({ $0 == 0 }) {
        try mix.mixSilence(count) { made += $0 }
      } else {
        try part.withUnsafeBufferPointer { try mix.mix($0) { made += $0 } }
      }
      done += count
    }
    try mix.finish { made += $0 }
    return made
  }

  private func level(_ samples: ArraySlice<Int16>) -> Double {
    let sum = samples.reduce(0.0) { $0 + Double($1) * Double($1) }
    return 10 * log10(sum / Double(samples.count))
  }

  /// Each of several at once puts standard error back.
  @Test func standardErrorIsThereAfterSeveralFiles() throws {
    let path = try music()
    func target() -> String? {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/2")
    }
    let before = try #require(target())
    DispatchQueue.concurrentPerform(iterations: 64) { _ in _ = try? MusicFile(path, rate: 48_000) }
    #expect(target() == before)
  }

  @Test func musicIsTenDecibelsLowerUnderACueAndAsLoudAsBeforeAfterIt() throws {
    var cues = [Int16](repeating: 0, count: 240_000)
    // A cue that is heard, and leaves the music to be measured.
    for frame in 96_000..<120_000 { cues[frame] = 40 }
    let made = try mix(cues, music())
    // Until it has faded out after the end.
    #expect(made.count == 240_000 + 96_000)
    let full = level(made[24_000..<72_000])
    #expect(abs(level(made[96_000..<120_000]) - full + 10) < 0.05)
    #expect(abs(level(made[127_200..<175_200]) - full) < 0.01)
    #expect(abs(level(made[88_000..<88_480]) - full) < 0.05)
    // A file repeats without a gap: a second has whole waves.
    #expect(abs(level(made[191_760..<192_240]) - full) < 0.01)
  }

  @Test(arguments: [(44_100, 2, "m.flac"), (22_050, 1, "m.ogg"), (96_000, 3, "m.wav")])
  func musicOfAnotherRateKeepsItsPitch(rate: Int, channels: Int, name: String) throws {
    let path = try music(name, frames: rate * 3, rate: rate, channels: channels)
    let made = try mix([Int16](repeating: 0, count: 144_000), path)
    let heard = channels == 2 ? stride(from: 0, to: made.count, by: 2).map { made[$0] } : made
    #expect(heard.count == 144_000 + 96_000)
    let crossings = zip(heard[48_000..<96_000], heard[48_001...96_000]).count { $0 < 0 && $1 >= 0 }
    #expect((999...1_001).contains(crossings))
  }

  @Test func loudMusicIsAsLoudAsTheSounds() throws {
    let silence = [Int16](repeating: 0, count: 96_000)
    let loud = try mix(silence, music("loud.flac", level: 32_000))
    let soft = try mix(silence, music("soft.flac", level: 3_200))
    #expect(abs(level(loud[24_000..<72_000]) - level(soft[24_000..<72_000])) < 0.1)
    let clip = PCMClip(rate: 48_000, samples: Array(loud[24_000..<72_000]))
    #expect(abs(Loudness.momentary(of: clip) - Loudness.target) < 0.2)
  }

  @Test func musicFadesOutAfterTheFinish() throws {
    let made = try mix([Int16](repeating: 0, count: 60_000), music(), fadesFrom: 48_000)
    #expect(made.count == 144_000)
    let full = level(made[0..<48_000])
    #expect(abs(level(made[95_760..<96_240]) - full + 6.02) < 0.1)
    #expect(made[143_900...].allSatisfy { $0.magnitude < 10 })
  }

  /// Sound, silence and pieces of another size are the same.
  @Test func thePiecesChangeNothing() throws {
    let path = try music(frames: 30_000, rate: 44_100)
    var cues = [Int16](repeating: 0, count: 150_000)
    for frame in 50_000..<51_000 { cues[frame] = 9_000 }
    #expect(try mix(cues, path, piece: 24_000) == mix(cues, path, piece: 150_000))
    #expect(try mix(cues, path, piece: 24_000) == mix(cues, path, piece: 777))
  }

  @Test func aFileThatIsNoMusicSaysWhy() throws {
    let path = try music()
    func reason(_ path: String) -> String? {
      failure(SoundFileError.self) { _ = try MusicFile(path, rate: 48_000) }?.detail
    }
    #expect(reason(space.path("no.flac")) == "No such file or directory")
    #expect(reason(space.folder) == "expected a file")
    #expect(reason("/dev/null") == "expected a file")
    try Data("name: Tiny\n".utf8).write(to: URL(fileURLWithPath: path))
    let text = reason(path)
    #expect(text?.contains("expected a sound file, such as FLAC, Ogg or MP3") == true)
    #expect(try reason(music("empty.wav", frames: 0)) == "it has no sound")
  }
}
