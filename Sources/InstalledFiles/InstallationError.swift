import IntervalTimeline
import Presets

/// Why something that is installed cannot be used: a line for the user and a kind for a program.
public struct InstallationError: Error, Hashable, Sendable, CustomStringConvertible,
  SaidInSentence
{
  /// What it is that cannot be used.
  public enum Kind: Hashable, Sendable {
    /// There is no such preset.
    case preset
    /// There is no such sound pack, or nothing in it.
    case sounds
    /// There is no catalogue of that language.
    case language
    /// There is no such voice, or no such variant of it.
    case voice
    /// A file cannot be read or has a mistake; the line begins with its place, `file:line:`.
    case file
  }

  /// What it is that cannot be used, for a program.
  public let kind: Kind
  /// One line that says what to do next.
  public var description: String { sentence.text }
  package let sentence: Sentence
  /// Where in a file the mistake is, `file:line`, of which `description` may quote a part; nil where it
  /// quotes nothing.
  public let place: String?

  init(_ kind: Kind, _ sentence: Sentence) {
    self.kind = kind
    self.sentence = sentence
    place = nil
  }

  init(_ error: FileError) {
    kind = .file
    sentence = error.sentence
    place = error.line.map { "\(error.file.singleLine):\($0)" }
  }
}

extension String {
  /// A name as a message repeats it: on one line, its beginning where it is long.
  package var quotedName: String {
    let line = singleLine
    return line.count > 30 ? "\"\(line.prefix(29))…\"" : "\"\(line)\""
  }
}
