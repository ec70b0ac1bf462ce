import PageServer
import Testing

@Suite struct HostRuleTests {
  static let hosts: [(String, HostRule.Kind?)] = [
    ("localhost", .loopback), ("LocalHost:8642", .loopback), ("localhost.", .loopback),
    ("127.0.0.1:8642", .loopback), ("127.9.9.9", .loopback), ("[::1]:8642", .loopback),
    ("192.168.1.20:8642", .known), ("[fd00::12]", .known), ("pi.local:8642", .known),
    ("PI.LOCAL.", .known),
    ("", nil), ("evil.example", nil), ("evil.example:8642", nil), ("127.0.0.1.evil.example", nil),
    ("localhost.evil.example", nil), ("pi.local.evil.example", nil), ("127.0.0.1@evil", nil),
    ("127.1", nil), ("0177.0.0.1", nil), ("[::1", nil), ("[evil]", nil), ("[::1]x", nil),
    ("localhost:", nil), ("localhost:99999", nil), ("localhost:80:80", nil), (":8642", nil),
  ]

  @Test(arguments: hosts) func onlyOurNamesAreTaken(_ host: String, _ kind: HostRule.Kind?) {
    #expect(HostRule(names: ["pi.local"]).kind(of: host) == kind)
  }
}
