/// Decides whether a request is taken at all: before its body, and before the coach hears of it.
package struct RequestGuard: Sendable {
  /// Bytes of a body: as many as a request of the coach has.
  package static let body = 64 * 1024
  /// Bytes of all bodies that are being read at once; beyond that only those of at most `smallBody` are.
  package static let bodies = 512 * 1024
  /// As large as any request but that of a preset's text.
  package static let smallBody = 4096
  /// Headers of one request.
  package static let headers = 64

  package enum Verdict: Hashable, Sendable {
    /// - Parameter usesToken: it was let in by the token.
    case taken(PageRoute, usesToken: Bool)
    /// It was let in by the token of those who only look on.
    case viewed(PageRoute)
    case refused(HTTPAnswer)
  }

  private let hosts: HostRule
  private let files: [String: Int]
  private var tokens = TokenGuard()

  /// - Parameter files: their paths; the number of a file is its place.
  package init(hosts: HostRule, files: [String]) {
    self.hosts = hosts
    self.files = Dictionary(files.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 })
  }

  /// - Parameters:
  ///   - token: what opens the page for others than this machine; nil: nothing does.
  ///   - view: what opens it to look on; nil: nothing does.
  package mutating func check(
    _ head: HTTPRequestHead, token: String?, view: String? = nil, at now: Int64
  ) -> Verdict {
    if let refusal = Self.formRefusal(head) { return .refused(refusal) }
    guard let host = head.value("host"), let kind = hosts.kind(of: host) else {
      return .refused(
        .refusal(421, "This server has another name. Allow a name with --host NAME."))
    }
    guard let route = route(head.path) else { return .refused(.refusal(404, "Nothing is here.")) }
    let isHead = head.method == "HEAD" && route.isOpen
    guard head.method == route.method || isHead else {
      return .refused(.refusal(405, "Use \(route.method).", [.init("Allow", route.method)]))
    }
    if let refusal = Self.bodyRefusal(head) { return .refused(refusal) }
    if route.isOpen { return .taken(route, usesToken: false) }
    if let refusal = Self.originRefusal(head, host: host) { return .refused(refusal) }
    let shown = Self.token(in: head)
    let isHere = head.peer.isLoopback && kind == .loopback && !hosts.hasOtherNames
    // Who shows the token of those who look on is one of them on this machine too.
    if isHere, !Self.wasForwarded(head), view == nil || shown != view {
      return .taken(route, usesToken: false)
    }
    switch tokens.check(shown, against: token, view: view, from: head.peer, at: now) {
    case .viewing: return .viewed(route)
    case .open: return .taken(route, usesToken: true)
    case .closed:
      return .refused(
        .refusal(
          401, "Open the link that `cuecoach-web link` prints.",
          [.init("WWW-Authenticate", "Bearer")]))
    case .wait(let seconds):
      return .refused(
        .refusal(429, "Too many wrong tokens.", [.init("Retry-After", "\(seconds)")]))
    }
  }

  /// These decide what a request means: with two of them, two readers may understand two things.
  private static let singles = [
    "host", "content-length", "transfer-encoding", "content-type", "authorization", "origin",
    "sec-fetch-site",
  ]

  private static func formRefusal(_ head: HTTPRequestHead) -> HTTPAnswer? {
    guard head.version == "HTTP/1.1" || head.version == "HTTP/1.0" else {
      return .refusal(505, "Use HTTP/1.1.")
    }
    guard head.headers.count <= headers else { return .refusal(431, "Too many headers.") }
    guard !head.isMalformed else {
      return .refusal(400, "A line of the request has a byte or an end that none can have.")
    }
    guard head.version == "HTTP/1.0" || head.count("host") > 0 else {
      return .refusal(400, "There is no Host.")
    }
    for name in singles where head.count(name) > 1 {
      return .refusal(400, "There is more than one \(name).")
    }
    return nil
  }

  private static func bodyRefusal(_ head: HTTPRequestHead) -> HTTPAnswer? {
    guard head.value("transfer-encoding") == nil else {
      return .refusal(411, "Send the body with its Content-Length.")
    }
    let text = head.value("content-length")
    let isNumber = text.map { !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }
    guard isNumber != false else { return .refusal(400, "Content-Length is no number.") }
    // More digits than an Int has is more than is taken.
    let length = text.map { Int($0) ?? .max }
    guard head.method == "POST" else {
      return (length ?? 0) == 0 ? nil : .refusal(413, "This request takes no body.")
    }
    guard let length else { return .refusal(411, "Send the body with its Content-Length.") }
    guard length <= body else { return .refusal(413, "A body has at most \(body) bytes.") }
    let type = head.value("content-type")?.lowercased() ?? ""
    guard type == "application/json" || type.hasPrefix("application/json;") else {
      return .refusal(415, "Send application/json.")
    }
    return nil
  }

  /// A page of another origin asks nothing here.
  private static func originRefusal(_ head: HTTPRequestHead, host: String) -> HTTPAnswer? {
    if let origin = head.value("origin")?.lowercased() {
      guard origin == "http://\(host.lowercased())" || origin == "https://\(host.lowercased())"
      else { return .refusal(403, "This request comes from another page.") }
    }
    if let site = head.value("sec-fetch-site"), site != "same-origin", site != "none" {
      return .refusal(403, "This request comes from another page.")
    }
    return nil
  }

  /// What proxies add to a request, beside the X-Forwarded headers.
  private static let proxyHeaders: Set = [
    "via", "forwarded", "x-real-ip", "cf-connecting-ip", "true-client-ip",
  ]

  /// What comes through a proxy of this machine is from elsewhere. A proxy that adds nothing may still
  /// speak HTTP/1.0, as nginx does and no browser.
  private static func wasForwarded(_ head: HTTPRequestHead) -> Bool {
    head.version == "HTTP/1.0"
      || head.headers.contains {
        proxyHeaders.contains($0.name) || $0.name.hasPrefix("x-forwarded-")
      }
  }

  private static func token(in head: HTTPRequestHead) -> String? {
    guard let value = head.value("authorization") else { return nil }
    return value.lowercased().hasPrefix("bearer ") ? String(value.dropFirst(7)) : ""
  }

  private func route(_ path: String) -> PageRoute? {
    switch path {
    case PageRoute.eventsPath: .events
    case PageRoute.clockPath: .clock
    case PageRoute.requestPath: .request
    default: files[path].map { .file($0) }
    }
  }
}
