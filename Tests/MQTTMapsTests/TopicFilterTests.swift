import Testing

@testable import MQTTMaps

@Suite struct TopicFilterTests {
  @Test(arguments: [
    ("a/b", "a/b", true), ("a/b", "a/c", false), ("a/b", "a", false), ("a", "a/b", false),
    ("a/+/c", "a/b/c", true), ("a/+/c", "a//c", true), ("a/+/c", "a/b/d", false),
    ("a/+", "a", false), ("a/+", "a/b/c", false), ("a/#", "a", true), ("a/#", "a/b/c", true),
    ("a/#", "ab", false), ("#", "a/b", true), ("+", "a", true), ("+/+", "/a", true),
    // Those of the broker itself (MQTT 3.1.1, 4.7.2).
    ("#", "$SYS/uptime", false), ("+/uptime", "$SYS/uptime", false),
    ("$SYS/#", "$SYS/uptime", true),
  ])
  func aFilterMatchesAsTheStandardSays(filter: String, topic: String, matches: Bool) throws {
    #expect(try #require(TopicFilter(filter)).matches(topic) == matches)
  }

  @Test(arguments: ["", "a#", "a/#/b", "#/a", "a+", "a/b+/c", "a\0b"])
  func whatABrokerRefusesIsNoFilter(text: String) { #expect(TopicFilter(text) == nil) }
}
