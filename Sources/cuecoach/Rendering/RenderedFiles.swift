import CueSound
import Glibc
import IntervalTimeline
import SoundFiles

/// The files that a workout is rendered to: one, or with `--split` one for each part. They are cut where the parts
/// begin, to the sample, so that played one after another they are the whole.
final class RenderedFiles {
  /// One of the files.
  struct Piece {
    let path: String
    let tags: SoundFileWriter.Tags
    /// The phase with which it begins.
    let phase: Int
  }

  /// Of the sound; 1 unless it is changed before anything is written.
  var channels = 1

  private let pieces: [Piece]
  private let marks: PhaseMarks
  private let format: SoundFormat
  private let seconds: Int
  private let claim: (String) throws -> Void
  /// Of the current file; nil before the first one.
  private var writer: SoundFileWriter?
  private var current = 0
  /// Frames written so far, in all files.
  private var position = 0

  /// - Parameters:
  ///   - pieces: one or more, in order.
  ///   - marks: have each piece's beginning before sound from there on is written.
  ///   - seconds: how long the sound may become.
  ///   - claim: called with each file's path before it is written.
  init(
    _ pieces: [Piece], marks: PhaseMarks, format: SoundFormat, seconds: Int,
    claim: @escaping (String) throws -> Void
  ) {
    self.pieces = pieces
    self.marks = marks
    self.format = format
    self.seconds = seconds
    self.claim = claim
  }

  /// The next frames, interleaved.
  func write(_ samples: UnsafeBufferPointer<Int16>) throws {
    var done = 0
    let count = samples.count / channels
    while done < count {
      let part = try room(for: count - done)
      try writer!.write(samples.baseAddress! + done * channels, count: part)
      position += part
      done += part
    }
  }

  /// The next frames are silent.
  func writeSilence(count: Int) throws {
    var left = count
    while left > 0 {
      let part = try room(for: left)
      try writer!.writeSilence(count: part)
      position += part
      left -= part
    }
  }

  /// Completes the last file.
  func finish() throws {
    if writer == nil { try begin() }
    try writer!.finish()
  }

  /// How many of the next `count` frames belong to the current file, after the next one has begun where it is
  /// time for that.
  private func room(for count: Int) throws -> Int {
    if writer == nil { try begin() }
    while current + 1 < pieces.count, let next = marks.start(of: pieces[current + 1].phase) {
      guard next <= position else { return min(count, next - position) }
      try writer!.finish()
      current += 1
      try begin()
    }
    return count
  }

  private func begin() throws {
    let piece = pieces[current]
    try claim(piece.path)
    writer = try SoundFileWriter(
      piece.path, as: format, rate: SampleRate.standard, channels: channels, seconds: seconds,
      tags: piece.tags)
  }

  // MARK: Names

  /// By the ending of the name; where it has none, as that of a device, WAV.
  static func format(of path: String) throws(UserError) -> SoundFormat {
    if let format = SoundFormat(path: path) { return format }
    // A preset is refused as such.
    guard let ending = SoundFormat.ending(of: path),
      !["yaml", "yml"].contains(ending.lowercased())
    else { return .wav }
    throw .usage(
      "--output \(path.singleLine): .\(ending.singleLine) is not written; "
        + "expected .wav, .flac, .ogg or .opus")
  }

  /// The most files: each is locked until the end.
  private static let maxCount = 500

  /// The files of the parts: "tabata-01.flac" and so on, where `output` is "tabata.flac".
  ///
  /// - Parameter replaces: false for an error where one exists.
  static func pieces(
    _ parts: [WorkoutPart], of workout: Workout, _ output: String, replaces: Bool
  ) throws(UserError) -> [Piece] {
    guard parts.count <= maxCount else {
      throw .usage("--split: \(parts.count) sets, expected at most \(maxCount)")
    }
    try OutputFiles.checkIsNoFolder(output, for: "--output")
    let width = width(of: parts.count)
    var pieces: [Piece] = []
    for (index, part) in parts.enumerated() {
      let path = path(of: index + 1, output, width: width)
      guard replaces || !TextOutput(path).isFilled else {
        throw .usage("--split: \(path.singleLine) exists; expected another name, or --force")
      }
      let tags = SoundFileWriter.Tags(title: part.title, album: workout.name, track: index + 1)
      pieces.append(Piece(path: path, tags: tags, phase: part.phase))
    }
    return pieces
  }

  private static func width(of count: Int) -> Int { max(2, "\(count)".count) }

  private static func path(of number: Int, _ output: String, width: Int) -> String {
    let ending = SoundFormat.ending(of: output).map { ".\($0)" } ?? ""
    return output.dropLast(ending.count) + "-" + number.padded(to: width) + ending
  }

  /// Removes the tracks that a longer workout of the same name has left: files with such a name and of this format.
  /// One that this command reads or another program writes stays. Returns those that it has removed.
  static func removeLeftOver(
    after count: Int, of output: String, as format: SoundFormat, _ files: OutputFiles
  ) -> [String] {
    var removed: [String] = []
    for width in 2...3 {
      let first = width == self.width(of: count) ? count + 1 : 1
      for number in first...max(first, maxCount) where "\(number)".count <= width {
        let path = path(of: number, output, width: width)
        if WrittenKind.sound(format).isKind(of: path), files.removeUnused(path) {
          removed.append(path)
        }
      }
    }
    return removed
  }
}
