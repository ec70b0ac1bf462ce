import SystemIO

/// A file of the page, by the path that a browser asks for.
package struct PageFile: Hashable, Sendable {
  package let path: String
  package let contentType: String
  /// Of its bytes, with quotation marks: a browser that has the same is not sent it again.
  package let tag: String

  package init(path: String, contentType: String, bytes: [UInt8]) {
    self.path = path
    self.contentType = contentType
    // Only one's own edits have to differ.
    tag = "\"\(String(UInt64(bitPattern: Checksum.of(bytes)), radix: 16))\""
  }

  /// The name in the folder of the page, and what it is served as.
  package struct Source: Hashable, Sendable {
    package let name: String
    package let path: String
    package let contentType: String
  }

  /// What is sent of a script or a style sheet: no indentation, and no line that is a comment. Each line of a script stays
  /// one, so that a browser names the right one; a style sheet has no spaces where none is needed, either.
  package static func sent(_ bytes: [UInt8], of source: Source) -> [UInt8] {
    let isScript = source.name.hasSuffix(".js")
    guard isScript || source.name.hasSuffix(".css") else { return bytes }
    var isComment = false
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      line -> [UInt8] in
      let text = line.drop { $0 == UInt8(ascii: " ") }
      if isScript { return text.starts(with: "//".utf8) ? [] : Array(text) }
      isComment = isComment || text.starts(with: "/*".utf8)
      guard isComment else { return dense(text) }
      isComment = text.suffix(2) != Array("*/".utf8)[...]
      return []
    }
    return Array(
      (isScript ? lines : lines.filter { !$0.isEmpty }).joined(separator: [UInt8(ascii: "\n")]))
  }

  /// A line of a style sheet. It knows no quotation marks: a text must not have two of these characters together.
  private static func dense(_ line: ArraySlice<UInt8>) -> [UInt8] {
    var dense: [UInt8] = []
    for byte in line {
      if byte == UInt8(ascii: " "), let last = dense.last, "{};:,>".utf8.contains(last) { continue }
      if "{}>".utf8.contains(byte), dense.last == UInt8(ascii: " ") { dense.removeLast() }
      if byte == UInt8(ascii: "}"), dense.last == UInt8(ascii: ";") { dense.removeLast() }
      dense.append(byte)
    }
    return dense
  }

  package static let languages = ["de", "en", "es", "fr", "it", "nl", "pl", "pt"]

  /// Everything that is served; nothing else in the folder is.
  package static let sources: [Source] =
    [
      Source(name: "index.html", path: "/", contentType: "text/html; charset=utf-8"),
      Source(name: "page.css", path: "/page.css", contentType: "text/css; charset=utf-8"),
      Source(
        name: "manifest.webmanifest", path: "/manifest.webmanifest",
        contentType: "application/manifest+json"),
      Source(name: "icon.svg", path: "/icon.svg", contentType: "image/svg+xml"),
      Source(name: "icon-192.png", path: "/icon-192.png", contentType: "image/png"),
      Source(name: "icon-512.png", path: "/icon-512.png", contentType: "image/png"),
      Source(name: "silence.flac", path: "/silence.flac", contentType: "audio/flac"),
    ]
    + [
      "page", "card", "clock", "coach", "editor", "effects", "ends", "fields", "history", "lane",
      "lists",
      "notices", "own", "quick", "sheet", "stopping", "taps", "words", "yaml",
    ].map {
      Source(name: "\($0).js", path: "/\($0).js", contentType: "text/javascript; charset=utf-8")
    }
    + languages.map {
      Source(
        name: "words/\($0).json", path: "/words/\($0).json", contentType: "application/json")
    }
}
