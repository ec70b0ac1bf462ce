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

  /// What is sent of a text: no indentation, no line that is a comment or empty, and few spaces and ends of lines where none
  /// is needed. A line that begins in a template of a script stays as it is. A style sheet is one line, and so are the texts of
  /// a language.
  package static func sent(_ bytes: [UInt8], of source: Source) -> [UInt8] {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      $0.drop { $0 == UInt8(ascii: " ") }
    }
    switch source.name.split(separator: ".").last {
    case "js": return script(bytes)
    case "html":
      return Array(lines.filter { !$0.isEmpty }.joined(separator: [UInt8(ascii: "\n")]))
    case "json": return Array(lines.joined())
    case "css":
      var isComment = false
      return dense(
        lines.filter { line in
          isComment = isComment || line.starts(with: "/*".utf8)
          defer { if line.suffix(2) == Array("*/".utf8)[...] { isComment = false } }
          return !isComment
        }.joined(separator: [UInt8(ascii: " ")]))
    default: return bytes
    }
  }

  /// A script. It knows no texts: one has a backtick only where a template begins or ends, and a comment none
  /// or two.
  private static func script(_ bytes: [UInt8]) -> [UInt8] {
    var isTemplate = false
    var script: [UInt8] = []
    for whole in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let isWithin = isTemplate
      if !isEven(UInt8(ascii: "`"), in: whole) { isTemplate.toggle() }
      let line = whole.drop { $0 == UInt8(ascii: " ") }
      if !isWithin, line.isEmpty || line.starts(with: "//".utf8) { continue }
      // A statement ends with its block.
      if !isWithin, line.first == UInt8(ascii: "}"), script.last == UInt8(ascii: ";") {
        script.removeLast()
      }
      script += isWithin ? Array(whole) : tight(line)
      // The end of a line is needed where the browser adds a semicolon there, where a comment ends, and in a template.
      let isNeeded = isWithin || isTemplate || line.contains("//".utf8)
      if isNeeded || !";,{([".utf8.contains(script.last ?? 0) {
        script.append(UInt8(ascii: "\n"))
      }
    }
    return script
  }

  private static func isEven(_ byte: UInt8, in line: ArraySlice<UInt8>) -> Bool {
    line.count { $0 == byte }.isMultiple(of: 2)
  }

  /// A line of a script without the spaces beside its marks. One that has several templates or a comment stays. A stroke with a
  /// space before it and behind it divides; any other begins a regular expression.
  private static func tight(_ line: ArraySlice<UInt8>) -> [UInt8] {
    let (space, stroke, backtick) = (UInt8(ascii: " "), UInt8(ascii: "/"), UInt8(ascii: "`"))
    guard line.count(where: { $0 == backtick }) <= 2 else { return Array(line) }
    let marks = "{}()[],;:=<>?&|*/+-".utf8
    var tight: [UInt8] = []
    // What ends the text, the template or the regular expression that this byte is in.
    var end: UInt8?
    var (isEscaped, isClass) = (false, false)
    for (index, byte) in zip(line.indices, line) {
      let next = index + 1 < line.endIndex ? line[index + 1] : nil
      if let mark = end {
        if isEscaped || byte == UInt8(ascii: "\\") {
          isEscaped.toggle()
        } else if mark == stroke, byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]") {
          isClass = byte == UInt8(ascii: "[")
        } else if byte == mark, !isClass {
          end = nil
        }
      } else if byte == stroke, next == stroke {
        return Array(line)
      } else if byte == stroke, next != space || line[..<index].last != space {
        end = stroke
      } else if "'\"`".utf8.contains(byte) {
        end = byte
      } else if byte == space, let last = tight.last, let next,
        marks.contains(last) || marks.contains(next),
        // "a - -b" is not "a--b".
        last != next || !"+-".utf8.contains(last)
      {
        continue
      }
      tight.append(byte)
    }
    return tight
  }

  /// A style sheet. It knows no quotation marks: a text must not have two of these characters together.
  private static func dense(_ text: some Sequence<UInt8>) -> [UInt8] {
    var dense: [UInt8] = []
    for byte in text {
      switch byte {
      case UInt8(ascii: " "): if let last = dense.last, "{};:,>/ ".utf8.contains(last) { continue }
      // "0.5rem" is ".5rem".
      case UInt8(ascii: "."):
        if let before = dense.dropLast().last, dense.last == UInt8(ascii: "0"),
          " :,(-".utf8.contains(before)
        {
          dense.removeLast()
        }
      case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: ">"), UInt8(ascii: "/"):
        if dense.last == UInt8(ascii: " ") { dense.removeLast() }
        if byte == UInt8(ascii: "}"), dense.last == UInt8(ascii: ";") { dense.removeLast() }
      default: break
      }
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
      "notices", "own", "quick", "sheet", "stopping", "taps", "words", "worker", "yaml",
    ].map {
      Source(name: "\($0).js", path: "/\($0).js", contentType: "text/javascript; charset=utf-8")
    }
    + languages.map {
      Source(
        name: "words/\($0).json", path: "/words/\($0).json", contentType: "application/json")
    }
}
