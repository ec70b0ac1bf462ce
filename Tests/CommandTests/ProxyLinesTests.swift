import PageServer
import Testing

@testable import cuecoach_web

/// What Documentation/page.md has for nginx, as the page's server receives it.
@Suite struct ProxyLinesTests {
  /// A directive and its parameters.
  private static let directives: [[String]] = {
    let page = DocumentationPage.all.first { $0.name == "Documentation/page.md" }
    let lines = page?.blocks.first { $0.language == "nginx" }?.lines ?? []
    return lines.filter { $0.hasSuffix(";") }.map {
      $0.dropLast().split(separator: " ").map(String.init)
    }
  }()

  @Test func theyLeadToThePageAndKeepNoEventsBack() {
    #expect(Self.directives.contains(["proxy_pass", "http://127.0.0.1:\(WebPlaces.port)"]))
    #expect(Self.directives.contains(["proxy_buffering", "off"]))
    #expect(Self.directives.contains(["proxy_http_version", "1.1"]))
  }

  /// The proxy is recognised without --host too, and with it a browser's request is taken.
  @Test func whatComesThroughNeedsTheToken() {
    let values = ["$http_host": "coach.example.org", "$proxy_add_x_forwarded_for": "203.0.113.7"]
    var headers = Self.directives.filter { $0.first == "proxy_set_header" }.map {
      HTTPRequestHead.Header($0[1].lowercased(), values[$0[2]] ?? "")
    }
    #expect(headers.map(\.name) == ["host", "x-forwarded-for"])
    headers += [
      .init("origin", "https://coach.example.org"), .init("content-type", "application/json"),
      .init("content-length", "20"),
    ]
    var head = HTTPRequestHead(method: "POST", path: PageRoute.requestPath, headers: headers)
    var requests = RequestGuard(
      hosts: HostRule(names: [], others: ["coach.example.org"]), files: [])
    if case .taken = requests.check(head, token: "right", at: 0) { Issue.record("without a token") }
    head.headers.append(.init("authorization", "Bearer right"))
    #expect(requests.check(head, token: "right", at: 0) == .taken(.request, usesToken: true))

    head.headers[0] = .init("host", "localhost")
    head.headers.removeAll { ["origin", "authorization"].contains($0.name) }
    var alone = RequestGuard(hosts: HostRule(names: []), files: [])
    if case .taken = alone.check(head, token: "right", at: 0) { Issue.record("without --host") }
  }
}
