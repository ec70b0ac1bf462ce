import IntervalTimeline
import Presets

/// The contents of `notify.yaml`: the recipients, and the events that each of them gets.
///
///     notices:
///       - url: https://ntfy.sh
///         headers: {Authorization: Bearer tk_x}
///         fields: {topic: gym, priority: 4}
///         for: [interrupted, failed]
///       - run: [/usr/local/bin/lamp, --on]
package struct NotifySettings: Hashable, Sendable {
  package struct Target: Hashable, Sendable {
    package enum Way: Hashable, Sendable {
      case post(Post)
      /// A program and its arguments, which no shell reads.
      case run([String])
    }

    package var way: Way
    package var events: Set<Notice.Event> = Set(Notice.Event.allCases)
    /// In each notice, by their names.
    package var fields: [String: NoticeField] = [:]

    package init(way: Way) { self.way = way }

    /// For a person, without what may be a secret.
    package var text: String {
      switch way {
      case .post(let post): post.host
      case .run(let command): command[0]
      }
    }
  }

  package struct Post: Hashable, Sendable {
    package var url: String
    /// "Name: value".
    package var headers: [String] = []
    /// The certificates of an authority of one's own; nil: those of the system.
    package var authorities: String?

    package init(_ url: String) { self.url = url }

    /// Of the address: the rest of it may be a secret.
    package var host: String {
      let rest = url.drop { $0 != "/" }.dropFirst(2).prefix { !"/?#".contains($0) }
      return String(rest.split(separator: "@", omittingEmptySubsequences: false).last ?? "")
    }
  }

  package var targets: [Target] = []

  /// Others must not read the file: an address may be a secret as well.
  package var hasSecrets: Bool {
    targets.contains { if case .post = $0.way { true } else { false } }
  }

  private static let example: Sentence = "{url: https://ntfy.sh, fields: {topic: gym}}"
  private static let most = 16

  /// - Parameter file: its name, for messages.
  package static func parse(_ bytes: [UInt8], file: String) throws(FileError) -> NotifySettings {
    try FileError.naming(file) { () throws(FileFault) in
      do throws(FileFault) {
        return try NotifySettings(bytes)
      } catch {
        throw error.withoutSecrets
      }
    }
  }

  private init(_ bytes: [UInt8]) throws(FileFault) {
    let expected: Sentence = "notices: [\(Self.example)]"
    guard let root = try YamlTree.root(of: bytes) else {
      throw FileFault(line: nil, "empty", expected: expected)
    }
    let map = try root.map(of: "a configuration", expected: expected)
    try map.checkKeys(["notices"], of: "notify.yaml")
    let list = try map.required("notices", expected: expected)
    for item in try list.items(named: "notice", expected: "a list of notices") {
      guard targets.count < Self.most else {
        throw item.fault("too many notices", expected: "at most \(Self.most)")
      }
      targets.append(try Self.target(item))
    }
  }

  private static func target(_ item: YamlEntry) throws(FileFault) -> Target {
    let map = try item.map(expected: example)
    try map.checkKeys(["url", "headers", "ca", "run", "for", "fields"], of: "a notice")
    var target: Target
    switch (map["url"], map["run"]) {
    case (let entry?, nil): target = Target(way: .post(try post(entry, map)))
    case (nil, let entry?):
      if let other = map.first(of: ["headers", "ca"]) {
        throw other.fault("\(other.key) beside run", expected: "it beside url alone")
      }
      target = Target(way: .run(try command(entry)))
    case (_?, let entry?): throw entry.fault("run beside url", expected: "one of both")
    case (nil, nil):
      throw FileFault(line: map.line, "a notice without url and run", expected: example)
    }
    if let entry = map["for"] {
      target.events = []
      for item in try entry.items(named: "for", expected: "a list, such as [complete, failed]") {
        let word = try item.word("complete", "interrupted", "failed")
        if let event = Notice.Event(rawValue: word) { target.events.insert(event) }
      }
    }
    if let entry = map["fields"] {
      for entry in try entry.map(expected: "{topic: gym}").entries {
        let text = try entry.name()
        let number = entry.value.isPlain ? Int(text) : nil
        target.fields[entry.key] = number.map { .number($0) } ?? .text(text)
      }
    }
    return target
  }

  private static func post(_ entry: YamlEntry, _ map: YamlMap) throws(FileFault) -> Post {
    let url = try entry.name(atMost: 2000)
    guard ["https://", "http://"].contains(where: { url.hasPrefix($0) }),
      url.unicodeScalars.allSatisfy({ $0.isASCII && $0 != " " }), !Post(url).host.isEmpty
    else {
      throw entry.fault("url is no address", expected: "https://… or http://…, without a blank")
    }
    var post = Post(url)
    if let entry = map["headers"] {
      for entry in try entry.map(expected: "{Authorization: Bearer TOKEN}").entries {
        let value = try secret(entry)
        let isName =
          !entry.key.isEmpty
          && entry.key.unicodeScalars.allSatisfy {
            $0.isASCII
              && ($0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "-")
          }
        guard isName else {
          throw entry.fault(
            "\(quoted(entry.key)) is no header", expected: "a name such as Authorization")
        }
        post.headers.append("\(entry.key): \(value)")
      }
    }
    if let entry = map["ca"] {
      let path = try entry.name(expected: "the path of a file", atMost: 1000)
      guard path.hasPrefix("/") else { throw entry.fault(expected: "an absolute path") }
      post.authorities = path
    }
    return post
  }

  private static func command(_ entry: YamlEntry) throws(FileFault) -> [String] {
    let expected: Sentence = "a list: the program's path, and its arguments"
    var words: [String] = []
    for item in try entry.items(named: "run", expected: expected) {
      words.append(try item.name(expected: expected, atMost: 1000))
    }
    guard words[0].hasPrefix("/") else {
      throw entry.fault("run begins with \(quoted(words[0]))", expected: "an absolute path")
    }
    return words
  }
}

extension FileFault {
  /// What stands where it does not belong may be an address or a token: nothing is quoted that is longer than a key.
  fileprivate var withoutSecrets: FileFault {
    let problem = problem.text
    // Behind it there may be a key that was perhaps meant.
    let end =
      problem.hasSuffix("\"?)") ? problem.ranges(of: " (did you mean \"").last?.lowerBound : nil
    let text = problem[..<(end ?? problem.endIndex)]
    guard let first = text.firstIndex(of: "\""), let last = text.lastIndex(of: "\"") else {
      return self
    }
    let quoted = problem[first...last].dropFirst().dropLast()
    let isShort =
      quoted.count <= 12
      && quoted.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    guard !isShort else { return self }
    var fault = self
    fault.problem = Sentence(verbatim: problem[..<first] + "\"…\"" + problem[last...].dropFirst())
    return fault
  }
}

/// A text that no message quotes.
private func secret(_ entry: YamlEntry) throws(FileFault) -> String {
  guard let text = entry.value.text, !text.isEmpty, text.unicodeScalars.count <= 2000,
    text.unicodeScalars.allSatisfy({ (0x20..<0x7f).contains($0.value) })
  else {
    throw entry.fault(
      "\(entry.key) is no value of a header", expected: "a text in ASCII on one line")
  }
  return text
}

extension NotifySettings.Post {
  /// What curl reads: everything that it is to do, with the body. It is no argument, which every process could read.
  ///
  /// - Parameter seconds: how long it may take.
  package func curlConfiguration(_ body: [UInt8], seconds: Double) -> [UInt8] {
    var lines = [
      "url = \(Self.quoted(url))", "proto = \"=http,https\"", "max-time = \(seconds)",
      // An answer of any length is thrown away, and not faster than that.
      "output = \"/dev/null\"", "limit-rate = 64k", "silent", "globoff",
      #"write-out = "%{http_code} %{errormsg}""#,
      "header = \"Content-Type: application/json\"",
      "data-raw = \(Self.quoted(String(decoding: body, as: UTF8.self)))",
    ]
    lines += headers.map { "header = \(Self.quoted($0))" }
    if let authorities { lines.append("cacert = \(Self.quoted(authorities))") }
    return Array(lines.map { $0 + "\n" }.joined().utf8)
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for character in text.unicodeScalars {
      switch character {
      case "\"", "\\": result += "\\" + String(character)
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(character)
      }
    }
    return result + "\""
  }

  /// Why the answer that curl reports is none that was hoped for; nil where it is.
  ///
  /// - Parameter output: what it wrote: "204 ".
  package static func fault(_ output: [UInt8]) -> String? {
    let parts = String(decoding: output, as: UTF8.self).split(separator: " ", maxSplits: 1)
    guard let code = parts.first.flatMap({ Int($0) }) else { return "curl says nothing" }
    switch code {
    case 200..<300: return nil
    case 0: return parts.count > 1 ? String(parts[1]) : "no answer"
    case 300..<400: return "answer \(code): the address has moved, and is not followed"
    default: return "answer \(code)"
    }
  }
}

/// The tries of one notice.
package struct NoticeTries: Sendable {
  package static let most = 3
  /// How long one may take.
  package static let patience = Duration.seconds(10)
  /// What is waited after each but the last.
  package static let pauses = [Duration.seconds(5), .seconds(30)]
}
