/// A command that is answered with a sound and words.
public enum Acknowledgement: String, CaseIterable, Hashable, Sendable {
  case pause, resume, next, back
}
