import CueSound
import IntervalTimeline
import Phrases

/// Chapter marks as a cue sheet, which players read beside a sound file.
struct CueSheet {
  /// A chapter.
  struct Track {
    let title: String
    /// Frames since the beginning of its file.
    let start: Int
  }

  /// The most tracks that a cue sheet has.
  static let maxCount = 99

  let title: String
  /// The sound files by their names as the sheet has them, each with its chapters in order.
  let files: [(name: String, tracks: [Track])]

  /// The sheet's text: UTF-8, a line each.
  var text: String {
    var lines = ["TITLE \(Self.quoted(title))"]
    var number = 0
    for file in files {
      lines.append("FILE \(Self.quoted(file.name)) WAVE")
      for track in file.tracks {
        number += 1
        lines.append("  TRACK \(number.padded(to: 2)) AUDIO")
        lines.append("    TITLE \(Self.quoted(track.title))")
        lines.append("    INDEX 01 \(Self.time(track.start))")
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Minutes, seconds and 75ths of a second, rounded down: a chapter never begins after its sound.
  static func time(_ frame: Int) -> String {
    let parts = frame * 75 / SampleRate.standard
    return [parts / 75 / 60, parts / 75 % 60, parts % 75].map { $0.padded(to: 2) }.joined(
      separator: ":")
  }

  /// A sound file's name in a sheet: players look for it beside the sheet.
  static func name(of path: String, from sheet: String) -> String {
    func folder(_ path: String) -> Substring {
      path.lastIndex(of: "/").map { path[...$0] } ?? ""
    }
    guard folder(path) == folder(sheet) else { return path }
    return String(path.dropFirst(folder(path).count))
  }

  /// A cue sheet has no way to write a quotation mark within a text.
  private static func quoted(_ text: String) -> String {
    "\"" + String(text.singleLine.map { $0 == "\"" ? "'" : $0 }) + "\""
  }
}

extension CueSheet {
  /// Has a chapter for each phase, or where those are more than 99 one for each part.
  ///
  /// - Parameters:
  ///   - pieces: the files that were written, and the name of each for the sheet.
  ///   - marks: of the whole run.
  init(
    _ timeline: Timeline, _ phrases: PhraseCatalogue, parts: [WorkoutPart],
    pieces: [(name: String, phase: Int)], marks: PhaseMarks
  ) {
    title = timeline.workout.name
    var chapters: [(phase: Int, title: String)]
    if timeline.count <= Self.maxCount {
      chapters = timeline.entries.enumerated().map { index, entry in
        let name = phrases.name(of: entry.phase)
        return (index, WorkoutPart.setText(entry, phrases).map { "\(name), \($0)" } ?? name)
      }
    } else {
      chapters = parts.map { ($0.phase, $0.title) }
    }
    files = pieces.enumerated().map { index, piece in
      let end = index + 1 < pieces.count ? pieces[index + 1].phase : timeline.count
      let first = marks.start(of: piece.phase) ?? 0
      let tracks = chapters.filter { (piece.phase..<end).contains($0.phase) }.map { chapter in
        Track(title: chapter.title, start: (marks.start(of: chapter.phase) ?? first) - first)
      }
      return (piece.name, tracks)
    }
  }
}
