/// What a path leads to.
package enum PageRoute: Hashable, Sendable {
  /// The file with this number.
  case file(Int)
  /// The stream of events.
  case events
  /// What the coach's clock shows.
  case clock
  /// A request to the coach.
  case request

  package static let eventsPath = "/api/events"
  package static let clockPath = "/api/clock"
  package static let requestPath = "/api/request"

  /// Which method it takes.
  package var method: String {
    self == .request ? "POST" : "GET"
  }

  /// A file is the same for everyone; the rest is the coach.
  package var isOpen: Bool {
    if case .file = self { true } else { false }
  }
}
