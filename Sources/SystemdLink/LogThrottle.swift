/// Lets each line of a log through at most once in a time: a fault that lasts fills no disk.
public struct LogThrottle: Sendable {
  private struct Entry {
    var text: String
    var since: Duration
    var passedOver: Int
  }

  private let interval: Duration
  /// The latest last, at most `greatest`.
  private var entries: [Entry] = []
  private static let greatest = 64

  public init(interval: Duration = .seconds(60)) { self.interval = interval }

  /// The line to be written, with how often it was passed over; nil where it is to be passed over.
  ///
  /// - Parameter now: on any clock that only runs forward.
  public mutating func line(_ text: String, at now: Duration) -> String? {
    guard let index = entries.firstIndex(where: { $0.text == text }) else {
      if entries.count == Self.greatest { entries.removeFirst() }
      entries.append(Entry(text: text, since: now, passedOver: 0))
      return text
    }
    guard now - entries[index].since >= interval else {
      entries[index].passedOver += 1
      return nil
    }
    let passedOver = entries[index].passedOver
    entries.remove(at: index)
    entries.append(Entry(text: text, since: now, passedOver: 0))
    return passedOver == 0 ? text : "\(text) (\(passedOver) more since the last line)"
  }
}
