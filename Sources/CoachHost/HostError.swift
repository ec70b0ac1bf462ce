import SessionStore

/// Why a host refused a request: a line for people, and a kind for programs.
public struct HostError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What a program can tell apart.
  public enum Kind: Hashable, Sendable {
    /// The sessions cannot be read or written.
    case store(StoreError.Kind)
    /// Another process runs a workout under that name.
    case nameInUse(by: Int32)
    /// A workout that is not over has that name.
    case nameTaken
    /// A file cannot be written.
    case file
    /// The workout or its sounds do not fit; the line says how.
    case refused
    /// `shutDown` was called.
    case shutDown
  }

  /// What is wrong, for a program.
  public let kind: Kind
  /// One line, without a file or line number.
  public let description: String

  package init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
