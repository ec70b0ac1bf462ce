/// A command that the coach confirms aloud.
public enum Acknowledgement: String, CaseIterable, Hashable, Codable, Sendable {
  /// `Command.pause`: a sound, and the words of `PhraseKey.paused`.
  case pause
  /// `Command.resume`: a sound, and the words of `PhraseKey.resumed`.
  case resume
  /// `Command.next`: the words of `PhraseKey.skipped`.
  case next
  /// `Command.back`: the words of `PhraseKey.wentBack`.
  case back
}

extension Acknowledgement {
  /// Parses `all`, `none` or names separated by commas. Nil if one of them is not such a command.
  package static func set(named list: String) -> Set<Acknowledgement>? {
    switch list {
    case "all": return Set(allCases)
    case "none": return []
    default:
      let names = list.split(separator: ",", omittingEmptySubsequences: false)
      let commands = names.compactMap { Acknowledgement(rawValue: String($0)) }
      return commands.count == names.count ? Set(commands) : nil
    }
  }
}
