import ControlProtocol
import CueSound
import Foundation
import PageServer
import SessionStore
import TestSupport
import Testing

/// The page's texts: what a coach may report is in every language.
@Suite struct PageWordsTests {
  private static let page = SourceTree.url("Page")

  private static func words() throws -> [String: [String: String]] {
    let folder = page.appendingPathComponent("words")
    var words: [String: [String: String]] = [:]
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let data = try Data(contentsOf: folder.appendingPathComponent(file))
      words[file] = try JSONDecoder().decode([String: String].self, from: data)
    }
    return words
  }

  private static func source(_ name: String) throws -> String {
    try String(contentsOf: page.appendingPathComponent(name), encoding: .utf8)
  }

  @Test func everyLanguageHasTheSameTexts() throws {
    let words = try Self.words()
    let english = try #require(words["en.json"])
    #expect(words.count == 8)
    for (file, texts) in words {
      #expect(Set(texts.keys) == Set(english.keys), "\(file)")
      for (key, text) in texts {
        #expect(!text.isEmpty, "\(file): \(key)")
        #expect(Self.variables(text) == Self.variables(english[key] ?? ""), "\(file): \(key)")
      }
    }
  }

  private static func variables(_ text: String) -> Set<String> {
    Set(text.matches(of: /\{(\w+)\}/).map { String($0.1) })
  }

  @Test func outcomesRefusalsAndDeviceReasonsAreTranslated() throws {
    let keys =
      HistoryEntry.Outcome.allCases.map(\.rawValue)
      + ControlError.Code.allCases.map { "refused-\($0.rawValue)" }
      + SoundOutputError.Kind.allCases.map { "device-\($0.rawValue)" }
    for (file, texts) in try Self.words() {
      for key in keys { #expect(texts[key] != nil, "\(file): \(key)") }
    }
  }

  @Test func everyTextThatThePageNamesIsThere() throws {
    let english = try #require(try Self.words()["en.json"])
    let scripts = try PageFile.sources.map(\.name).filter { $0.hasSuffix(".js") }
      .map { try Self.source($0) }.joined()
    let named =
      scripts.matches(of: /\bword\('([\w-]+)'/).map { String($0.1) }
      + (try Self.source("index.html")).matches(of: /data-(?:word|label)="([\w-]+)"/)
      .map { String($0.1) }
    #expect(named.count > 20)
    for key in named { #expect(english[key] != nil, "\(key)") }
  }

  /// What is sent of a script is found by its backticks: in a comment, a regular expression or a quoted text one is `\x60`.
  @Test func backticksOfScriptsAreThoseOfTemplates() throws {
    for name in PageFile.sources.map(\.name) where name.hasSuffix(".js") {
      for line in try Self.source(name).split(separator: "\n") {
        #expect(line.count(where: { $0 == "`" }).isMultiple(of: 2), "\(name): \(line)")
      }
    }
  }

  /// A phone loads it over a network of any kind: every file as it is sent, and one language.
  @Test func thePageIsSmall() throws {
    func bytes(_ isCounted: (String) -> Bool) throws -> [Int] {
      try PageFile.sources.filter { isCounted($0.name) }.map {
        let written = try Data(contentsOf: Self.page.appendingPathComponent($0.name))
        return PageFile.sent([UInt8](written), of: $0).count
      }
    }
    let languages = try bytes { $0.hasPrefix("words/") }
    let others = try bytes { !$0.hasPrefix("words/") }
    #expect(try others.reduce(0, +) + #require(languages.max()) <= 150_000)
  }
}
