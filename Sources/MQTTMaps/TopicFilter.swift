/// A topic with `+` for one level and `#` for all that follow (MQTT 3.1.1, 4.7).
package struct TopicFilter: Hashable, Sendable {
  package let text: String
  private let levels: [Substring]

  /// Nil for what a broker would refuse.
  package init?(_ text: String) {
    let levels = text.split(separator: "/", omittingEmptySubsequences: false)
    guard (1...1024).contains(text.utf8.count), !text.utf8.contains(0) else { return nil }
    for (index, level) in levels.enumerated() {
      let isLast = index == levels.count - 1
      if level.contains("#"), level != "#" || !isLast { return nil }
      if level.contains("+"), level != "+" { return nil }
    }
    self.text = text
    self.levels = levels
  }

  package func matches(_ topic: String) -> Bool {
    let names = topic.split(separator: "/", omittingEmptySubsequences: false)
    // Topics of the broker itself are not among "all".
    if topic.hasPrefix("$"), levels[0] == "+" || levels[0] == "#" { return false }
    for (index, level) in levels.enumerated() {
      if level == "#" { return true }
      guard index < names.count, level == "+" || level == names[index] else { return false }
    }
    return levels.count == names.count
  }
}
