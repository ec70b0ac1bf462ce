import Foundation
import TestSupport

/// A Markdown page of the project: its fenced blocks and its inline code.
struct DocumentationPage: Sendable {
  /// A fenced block, or a line of one.
  struct Block: Sendable, CustomStringConvertible {
    /// `page:line` of its first line.
    let place: String
    let language: String
    let text: String

    var description: String { place }
    var lines: [String] { text.split(separator: "\n").map(String.init) }
  }

  let name: String
  var path: String { SourceTree.path(name) }
  let text: String
  private(set) var blocks: [Block] = []
  /// Everything outside the blocks, with an empty line for each line of a block.
  private var prose: [String] = []

  /// README.md, CONTRIBUTING.md and every page of Documentation.
  static let all: [DocumentationPage] = {
    let folder = SourceTree.path("Documentation")
    let pages = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let names = pages.filter { $0.hasSuffix(".md") }.sorted().map { "Documentation/\($0)" }
    return (["README.md", "CONTRIBUTING.md"] + names).map(DocumentationPage.init)
  }()

  /// The pages of the libraries' documentation.
  static let articles: [DocumentationPage] = {
    let sources = SourceTree.path("Sources")
    let files = FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? []
    return files.filter { $0.hasSuffix(".md") && $0.contains(".docc/") }.sorted().map {
      DocumentationPage(name: "Sources/\($0)")
    }
  }()

  /// What the example of a library's first page prints, as the page says.
  static func output(of library: String) throws -> String {
    let page = articles.first { $0.name.hasSuffix("/\(library).md") }
    guard let block = page?.blocks.first(where: { $0.language == "text" }) else {
      throw CocoaError(.fileReadNoSuchFile)
    }
    return block.lines.joined(separator: "\n")
  }

  private init(name: String) {
    self.name = name
    text = (try? SourceTree.text(name)) ?? ""
    var open: (language: String, line: Int, lines: [String])?
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      let fence = line.hasPrefix("```") ? line.dropFirst(3) : nil
      prose.append(fence == nil && open == nil ? String(line) : "")
      switch (fence, open) {
      case (nil, nil): break
      case (nil, _): open?.lines.append(String(line))
      case (let language?, nil): open = (String(language), index + 2, [])
      case (_, let block?):
        let text = block.lines.joined(separator: "\n") + "\n"
        blocks.append(
          Block(place: "\(name):\(block.line)", language: block.language, text: text))
        open = nil
      }
    }
    // An unclosed block counts too.
    if let open { blocks.append(Block(place: "\(name):\(open.line)", language: "", text: "")) }
  }

  /// The text between backticks, on one line or two.
  var inlineCode: [Block] { matches(of: /`([^`]+)`/) }

  /// The targets of links.
  var links: [Block] { matches(of: /\]\(([^)]+)\)/) }

  /// The anchors of its headings, as GitHub generates them.
  var anchors: [String] {
    prose.filter { $0.hasPrefix("#") }.map { heading in
      heading.drop { $0 == "#" || $0 == " " }.lowercased()
        .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" }
        .replacing(" ", with: "-")
    }
  }

  private func matches(of pattern: Regex<(Substring, Substring)>) -> [Block] {
    let text = prose.joined(separator: "\n")
    return text.matches(of: pattern).map { match in
      let line = text[..<match.range.lowerBound].count { $0 == "\n" } + 1
      let code = match.1.replacing("\n", with: " ")
      return Block(place: "\(name):\(line)", language: "", text: String(code))
    }
  }
}
