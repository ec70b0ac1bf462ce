import IntervalTimeline

/// What a preset says of itself: `description`, `for`, `author`, `source` and `tags`.
enum FactsForm {
  static let keys = ["description", "for", "author", "source", "tags"]

  static func facts(_ map: YamlMap) throws(FileFault) -> WorkoutFacts {
    func text(_ key: String) throws(FileFault) -> String? {
      try map[key]?.name(atMost: WorkoutFacts.maximumText)
    }
    return WorkoutFacts(
      description: try text("description"), audience: try text("for"),
      author: try text("author"), source: try text("source"),
      tags: try map["tags"].map(tags) ?? [])
  }

  private static func tags(_ entry: YamlEntry) throws(FileFault) -> [String] {
    var tags: [String] = []
    for item in try entry.items(expected: "a list of tags, such as [running, intervals]") {
      let line = item.line
      guard let tag = item.text, WorkoutFacts.isTag(tag) else {
        throw FileFault(
          line: line, "\(item.found) in tags", expected: "tags of 1 to 30 of a-z, 0-9 and hyphens")
      }
      guard !tags.contains(tag) else {
        throw FileFault(line: line, "\(quoted(tag)) twice in tags", expected: "each tag once")
      }
      tags.append(tag)
    }
    guard tags.count <= WorkoutFacts.maximumTags else {
      throw entry.fault(
        "tags has \(tags.count) tags",
        expected: "at most \(WorkoutFacts.maximumTags)")
    }
    return tags
  }
}
