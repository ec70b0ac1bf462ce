/// What a request gets.
package struct HTTPAnswer: Hashable, Sendable {
  package enum Body: Hashable, Sendable {
    case bytes([UInt8])
    /// The file with this number; see `PageFiles`.
    case file(Int)
  }

  package var status: Int
  /// Beside those that every answer has.
  package var headers: [HTTPRequestHead.Header]
  package var body: Body

  package init(_ status: Int, headers: [HTTPRequestHead.Header] = [], body: Body = .bytes([])) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// A refusal, with a reason for a person.
  package static func refusal(
    _ status: Int, _ reason: String, _ headers: [HTTPRequestHead.Header] = []
  ) -> HTTPAnswer {
    HTTPAnswer(
      status, headers: headers + [.init("Content-Type", "text/plain; charset=utf-8")],
      body: .bytes(Array("\(reason)\n".utf8)))
  }

  package static func json(_ status: Int, _ bytes: [UInt8]) -> HTTPAnswer {
    HTTPAnswer(
      status,
      headers: [.init("Content-Type", "application/json"), .init("Cache-Control", "no-store")],
      body: .bytes(bytes))
  }

  /// What the page may do: nothing of other hosts, no script of its own text, no frame around it.
  package static let everywhere: [HTTPRequestHead.Header] = [
    .init(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        + "connect-src 'self'; media-src 'self'; manifest-src 'self' data:; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'"),
    .init("X-Content-Type-Options", "nosniff"),
    .init("Referrer-Policy", "no-referrer"),
    .init("Cross-Origin-Resource-Policy", "same-origin"),
  ]
}
