/// What a path leads to.
public enum PageRoute: Hashable, Sendable {
  /// The file with this number.
  case file(Int)
  /// The stream of events.
  case events
  /// What the coach's clock shows.
  case clock
  /// A request to the coach.
  case request

  public static let eventsPath = "/api/events"
  public static let clockPath = "/api/clock"
  public static let requestPath = "/api/request"

  /// Which method it takes.
  public var method: String {
    self == .request ? "POST" : "GET"
  }

  /// A file is the same for everyone; the rest is the coach.
  public var isOpen: Bool {
    if case .file = self { true } else { false }
  }
}
