import Instants

/// One line a minute at most. Of those that come too early, the newest is written later.
package struct LineLimit: Sendable {
  private static let pause = Duration.seconds(60)

  private var last: BootInstant?
  private var waiting: String?

  package init() {}

  package mutating func add(_ line: String) { waiting = line }

  /// The line that may be written now.
  package mutating func take(at now: BootInstant) -> String? {
    guard let due, due <= now, let line = waiting else { return nil }
    waiting = nil
    last = now
    return line
  }

  /// When a line may be written; nil where none waits.
  package var due: BootInstant? { waiting.map { _ in last.map { $0 + Self.pause } ?? .boot } }
}
