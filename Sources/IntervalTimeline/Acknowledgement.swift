/// A command after which the coach says that it was heard.
public enum Acknowledgement: String, CaseIterable, Hashable, Codable, Sendable {
  case pause, resume, next, back
}

extension Acknowledgement {
  /// From `all`, `none` or names with commas; nil where one of them is no command that is answered.
  public static func set(named list: String) -> Set<Acknowledgement>? {
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
