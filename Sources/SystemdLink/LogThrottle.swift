/// Lets each line of a log through at most once an interval: a lasting fault does not fill the disk.
package struct LogThrottle: Sendable {
  private struct Entry {
    var text: String
    /// When it was last let through.
    var since: Duration
    /// How often it was held back since then.
    var heldBack: Int
  }

  private let interval: Duration
  /// The latest last, at most `greatest`.
  private var entries: [Entry] = []
  private static let maxEntries = 64

  package init(interval: Duration = .seconds(60)) { self.interval = interval }

  /// The line to be written, with how often it was held back before; nil if it is held back now.
  ///
  /// - Parameter now: on any monotonic clock.
  package mutating func line(_ text: String, at now: Duration) -> String? {
    guard let index = entries.firstIndex(where: { $0.text == text }) else {
      if entries.count == Self.maxEntries { entries.removeFirst() }
      entries.append(Entry(text: text, since: now, heldBack: 0))
      return text
    }
    guard now - entries[index].since >= interval else {
      entries[index].heldBack += 1
      return nil
    }
    let heldBack = entries[index].heldBack
    entries.remove(at: index)
    entries.append(Entry(text: text, since: now, heldBack: 0))
    return heldBack == 0 ? text : "\(text) (\(heldBack) more since the last line)"
  }
}
