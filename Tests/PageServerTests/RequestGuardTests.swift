import PageServer
import Testing

@Suite struct RequestGuardTests {
  private static let phone = PeerAddress(192, 168, 1, 30)

  private func guarding() -> RequestGuard {
    RequestGuard(hosts: HostRule(names: ["pi.local"]), files: ["/", "/page.js"])
  }

  /// A request that is taken, with what `change` makes of it.
  private func verdict(
    _ change: (inout HTTPRequestHead) -> Void, token: String? = nil
  ) -> RequestGuard.Verdict {
    var head = HTTPRequestHead(
      method: "POST", path: "/api/request",
      headers: [
        .init("host", "localhost:8642"), .init("content-type", "application/json"),
        .init("content-length", "20"),
      ])
    change(&head)
    var requests = guarding()
    return requests.check(head, token: token, at: 0)
  }

  private func status(
    token: String? = nil, _ change: (inout HTTPRequestHead) -> Void
  ) -> Int {
    switch verdict(change, token: token) {
    case .taken, .viewed: 200
    case .refused(let answer): answer.status
    }
  }

  private func status(adding name: String, _ value: String) -> Int {
    status { $0.headers.append(.init(name, value)) }
  }

  private func status(with name: String, _ value: String?) -> Int {
    status { head in
      head.headers.removeAll { $0.name == name }
      if let value { head.headers.append(.init(name, value)) }
    }
  }

  @Test func aRequestOfThisMachineIsTaken() {
    #expect(verdict { _ in } == .taken(.request, usesToken: false))
  }

  @Test func theFormIsChecked() {
    #expect(status { $0.version = "HTTP/0.9" } == 505)
    #expect(status { $0.version = "" } == 505)
    #expect(status { $0.version = "HTTP/2.0" } == 505)
    #expect(status { $0.isMalformed = true } == 400)
    #expect(status { $0.headers += (0..<64).map { .init("x-\($0)", "") } } == 431)
    let singles = [
      "host", "content-length", "transfer-encoding", "content-type", "authorization", "origin",
      "sec-fetch-site",
    ]
    for name in singles {
      #expect(status { $0.headers += [.init(name, "1"), .init(name, "1")] } == 400, "\(name)")
    }
  }

  @Test func aHeaderWithAControlCharacterIsMalformed() {
    for bytes in [[0], [10], [13], [127], [65, 0, 65]] as [[UInt8]] {
      var head = HTTPRequestHead(method: "GET", path: "/")
      head.add(name: Array("x".utf8), value: bytes)
      #expect(head.isMalformed)
    }
    var head = HTTPRequestHead(method: "GET", path: "/")
    head.add(name: Array("X-Name".utf8), value: Array("Zoë\tb".utf8))
    #expect(!head.isMalformed)
    #expect(head.value("x-name") == "Zoë\tb")
  }

  @Test func theBodyHasALengthWithinTheLimit() {
    #expect(status(with: "content-length", nil) == 411)
    #expect(status(with: "content-length", "65536") == 200)
    #expect(status(with: "content-length", "65537") == 413)
    #expect(status(with: "content-length", "99999999999999999999") == 413)
    for text in ["", "-1", "+1", "1,1", "0x1", " 1"] {
      #expect(status(with: "content-length", text) == 400, "\(text)")
    }
    #expect(status(adding: "transfer-encoding", "chunked") == 411)
    #expect(
      status {
        $0.method = "GET"
        $0.path = "/"
      } == 413)
  }

  @Test func onlyJSONChangesAnything() {
    #expect(status(with: "content-type", "application/json; charset=utf-8") == 200)
    for type in [nil, "text/plain", "application/x-www-form-urlencoded", "application/jsonx"] {
      #expect(status(with: "content-type", type) == 415)
    }
    for method in ["GET", "PUT", "DELETE", "OPTIONS", "HEAD", "get"] {
      #expect(status { $0.method = method } == 405, "\(method)")
    }
  }

  @Test func aNameThatIsNotOursIsRefused() {
    #expect(status(with: "host", nil) == 400)
    #expect(status(with: "host", "evil.example") == 421)
  }

  @Test func anotherOriginIsRefused() {
    #expect(status(adding: "origin", "http://localhost:8642") == 200)
    #expect(status(adding: "origin", "https://localhost:8642") == 200)
    for origin in ["http://localhost", "http://localhost:8211", "http://evil.example", "null", ""] {
      #expect(status(adding: "origin", origin) == 403, "\(origin)")
    }
    #expect(status(adding: "sec-fetch-site", "same-origin") == 200)
    #expect(status(adding: "sec-fetch-site", "none") == 200)
    #expect(status(adding: "sec-fetch-site", "cross-site") == 403)
    #expect(status(adding: "sec-fetch-site", "same-site") == 403)
  }

  @Test func onlyThePathsThatAreServedLeadAnywhere() {
    func path(_ path: String) -> Int {
      status { head in
        head.method = "GET"
        head.path = path
        head.headers.removeAll { $0.name != "host" }
      }
    }
    #expect(path("/") == 200)
    #expect(path("/page.js") == 200)
    for other in ["", "/page.js/", "//page.js", "/../page.js", "/%70age.js", "/page.js\0", "/api"] {
      #expect(path(other) == 404, "\(other)")
    }
  }

  @Test func othersNeedTheToken() {
    func asPhone(_ shown: String?, token: String? = "right", host: String = "pi.local") -> Int {
      status(token: token) { head in
        head.peer = Self.phone
        head.headers[0] = .init("host", host)
        if let shown { head.headers.append(.init("authorization", shown)) }
      }
    }
    #expect(asPhone("Bearer right") == 200)
    #expect(asPhone("bearer right") == 200)
    for wrong in [nil, "right", "Basic right", "Bearer wrong", "Bearer ", "Bearer right "] {
      #expect(asPhone(wrong) == 401)
    }
    #expect(asPhone("Bearer ", token: nil) == 401)
    #expect(asPhone(nil, host: "localhost") == 401)
    // The page itself is no secret: its script reads the token from the link.
    let file = verdict { head in
      head = HTTPRequestHead(
        method: "GET", path: "/", headers: [.init("host", "pi.local")], peer: Self.phone)
    }
    #expect(file == .taken(.file(0), usesToken: false))
  }

  @Test func whatComesThroughAProxyNeedsTheToken() {
    #expect(status(adding: "x-forwarded-for", "1.2.3.4") == 401)
    #expect(status(adding: "forwarded", "for=1.2.3.4") == 401)
    #expect(status(with: "host", "pi.local") == 401)
    for name in [
      "via", "x-forwarded-host", "x-forwarded-proto", "x-real-ip", "cf-connecting-ip",
      "true-client-ip",
    ] {
      #expect(status(adding: name, "") == 401, "\(name)")
    }
    // By default nginx sends this; no browser does.
    #expect(status { $0.version = "HTTP/1.0" } == 401)
  }

  /// A proxy that adds nothing to a request looks like a browser of this machine.
  @Test func withAProxysNameThisMachineNeedsTheToken() {
    var requests = RequestGuard(
      hosts: HostRule(names: ["pi.local"], others: ["coach.example.org"]), files: [])
    for host in ["localhost:8642", "127.0.0.1:8642", "coach.example.org"] {
      var head = HTTPRequestHead(
        method: "GET", path: PageRoute.eventsPath, headers: [.init("host", host)])
      guard case .refused(let refusal) = requests.check(head, token: "right", at: 0) else {
        Issue.record("\(host) is let in")
        continue
      }
      #expect(refusal.status == 401)
      head.headers.append(.init("authorization", "Bearer right"))
      #expect(
        requests.check(head, token: "right", at: 0) == .taken(.events, usesToken: true))
    }
  }
}
