import Glibc
import SoundFiles

/// What a command writes to a file. An existing file that is not empty is replaced only by one of its own kind, unless
/// the user says `--force`: the name alone may be mistyped, and a link may lead to anything.
enum WrittenKind {
  case sound(SoundFormat)
  case ledger
  case cueSheet

  /// For messages: "no WAV file".
  var name: String {
    switch self {
    case .sound(.wav): "WAV file"
    case .sound(.flac): "FLAC file"
    case .sound(.vorbis): "Ogg Vorbis file"
    case .sound(.opus): "Opus file"
    case .ledger: "ledger"
    case .cueSheet: "cue sheet"
    }
  }

  /// A line for a WAV file whose name does not say that it is one; nil for any other, and for a device.
  static func unsaidWAV(_ path: String, for option: String) -> String? {
    var info = stat()
    let isSpecial = stat(path, &info) == 0 && info.st_mode & S_IFMT != S_IFREG
    guard SoundFormat(path: path) != .wav, !isSpecial else { return nil }
    let ending = SoundFormat.ending(of: path)
    let name = ending.map { "ends in .\($0.singleLine)" } ?? "has no ending"
    return "\(option) \(path.singleLine): the name \(name), and the file is WAV"
  }

  /// Whether the regular file at `path` is of this kind, by its contents and, for a sound behind a link, by the name of
  /// the link's target. Blocks on the disk.
  func isKind(of path: String) -> Bool {
    guard hasMarks(of: Self.start(of: path)) else { return false }
    guard case .sound(let format) = self, let target = realpath(path, nil) else { return true }
    defer { free(target) }
    let other = SoundFormat(path: String(cString: target))
    return other == nil || other == format || SoundFormat(path: path) != format
  }

  /// The bytes that every file of the kind has at its beginning.
  private func hasMarks(of start: [UInt8]) -> Bool {
    func has(_ text: String, at offset: Int = 0) -> Bool {
      start.dropFirst(offset).starts(with: Array(text.utf8))
    }
    return switch self {
    case .sound(.wav): (has("RIFF") || has("RF64")) && has("WAVE", at: 8)
    case .sound(.flac): has("fLaC")
    case .sound(.vorbis): has("OggS") && has("vorbis", at: 29)
    case .sound(.opus): has("OggS") && has("OpusHead", at: 28)
    case .ledger: Self.beginsLedger(start)
    case .cueSheet: Self.beginsCueSheet(start)
    }
  }

  /// The first fields of a ledger's line: `{"event":"start","at":`, `{"event":"cue","lane":"`.
  private static func beginsLedger(_ start: [UInt8]) -> Bool {
    let fields = String(decoding: start, as: UTF8.self).split(
      separator: "\"", maxSplits: 6, omittingEmptySubsequences: false)
    guard fields.count > 5, fields[0] == "{", fields[1] == "event", fields[2] == ":" else {
      return false
    }
    switch fields[3] {
    case "cue": return fields[5] == "lane"
    case "omitted": return fields[5] == "count"
    default: return fields[5] == "at" && fields.count > 6 && fields[6].first == ":"
    }
  }

  /// The title and the first file.
  private static func beginsCueSheet(_ start: [UInt8]) -> Bool {
    let lines = String(decoding: start, as: UTF8.self).split(separator: "\n", maxSplits: 2)
    return lines.count > 1 && lines[0].hasPrefix("TITLE \"") && lines[1].hasPrefix("FILE \"")
  }

  private static func start(of path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(descriptor, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }
}
