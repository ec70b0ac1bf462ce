/// A command after which the coach says that it was heard.
public enum Acknowledgement: String, CaseIterable, Hashable, Codable, Sendable {
  case pause, resume, next, back
}
