/// A command that the coach confirms aloud.
public enum Acknowledgement: String, CaseIterable, Hashable, Codable, Sendable {
  /// The commands of these names. `pause` and `resume` have a sound besides the words.
  case pause, resume, next, back
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
