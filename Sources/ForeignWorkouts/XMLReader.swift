import CXML2
import Presets

/// Reads XML with libxml2, which fetches nothing here. A document type is refused, and with it each entity that XML
/// does not define itself.
package struct XMLReader {
  /// The deepest that elements lie in elements.
  package static let maximumDepth = 64

  private let library: cuecoach_xml
  private let reader: OpaquePointer
  private var open: [XMLElement] = []
  private var root: XMLElement?

  /// The root element of a file.
  ///
  /// - Parameter text: decoded already; what it says of its encoding is not heeded.
  /// - Throws: `XMLFault`, also where libxml2 is not installed.
  package static func root(of text: String) throws(XMLFault) -> XMLElement {
    try refuseDocumentType(text)
    var library = cuecoach_xml()
    guard cuecoach_load_xml(&library) != 0 else {
      throw XMLFault(
        line: nil, found: "XML, but libxml2 is not installed", expected: "the package libxml2")
    }
    let quiet = cuecoach_begin_xml_quiet(&library)
    defer { cuecoach_end_xml_quiet(&library, quiet) }
    var bytes = Array(text.utf8)
    let complaint = UnsafeMutablePointer<Complaint>.allocate(capacity: 1)
    defer { complaint.deallocate() }
    // The bytes stay where they are until the reader is closed.
    let result = bytes.withUnsafeMutableBytes { bytes in
      Result { () throws(XMLFault) -> XMLElement in
        let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        guard bytes.count <= Int32.max,
          let reader = library.open(start, Int32(bytes.count), nil, "UTF-8", options)
        else {
          throw XMLFault(line: nil, found: "XML that cannot be read", expected: "a smaller file")
        }
        defer { library.close(reader) }
        complaint.initialize(to: Complaint(library: library, reader: reader))
        defer { complaint.deinitialize(count: 1) }
        library.set_complaint(
          reader, { context, message, severity, _ in Complaint.take(context, message, severity) },
          complaint)
        var document = XMLReader(library: library, reader: reader)
        return try document.read(complaint)
      }
    }
    return try result.get()
  }

  /// Loads libxml2, which stays: for a process that can open nothing later.
  package static func load() {
    var library = cuecoach_xml()
    _ = cuecoach_load_xml(&library)
  }

  /// Of xmlReaderForMemory: never the network, CDATA as text, no encoding of the file's own, lines beyond 65535.
  private static let options: Int32 = 1 << 11 | 1 << 14 | 1 << 21 | 1 << 22

  private static func refuseDocumentType(_ text: String) throws(XMLFault) {
    guard let found = text.utf8.firstRange(of: "<!DOCTYPE".utf8) else { return }
    throw XMLFault(
      line: 1 + text.utf8[..<found.lowerBound].count { $0 == UInt8(ascii: "\n") },
      found: "a document type or a declaration of entities",
      expected: "XML without <!DOCTYPE>, whose entities are not read")
  }

  private init(library: cuecoach_xml, reader: OpaquePointer) {
    self.library = library
    self.reader = reader
  }

  private mutating func read(
    _ complaint: UnsafePointer<Complaint>
  ) throws(XMLFault) -> XMLElement {
    while true {
      switch library.read(reader) {
      case 1: try take()
      case 0:
        guard let root else { fallthrough }
        return root
      default:
        throw XMLFault(
          line: complaint.pointee.line,
          found: "XML that is not well-formed (\(complaint.pointee.message ?? "no element"))",
          expected: "XML")
      }
    }
  }

  /// The types of nodes, as xmlreader.h numbers them.
  private enum NodeType {
    static let element: Int32 = 1
    static let text: ClosedRange<Int32> = 3...4
    static let blanks: ClosedRange<Int32> = 13...14
    static let end: Int32 = 15
  }

  /// Takes the node that the reader is at.
  private mutating func take() throws(XMLFault) {
    switch library.type(reader) {
    case NodeType.element:
      guard open.count < Self.maximumDepth else {
        throw XMLFault(
          line: line, found: "elements nested more than \(Self.maximumDepth) deep",
          expected: "at most \(Self.maximumDepth) levels")
      }
      // Asked before the attributes: the reader is at one of them afterwards.
      let isEmpty = library.is_empty(reader) == 1
      var element = XMLElement(name: string(library.name(reader)), line: line)
      try takeAttributes(of: &element)
      open.append(element)
      if isEmpty { close() }
    case NodeType.end: close()
    case NodeType.text, NodeType.blanks:
      if !open.isEmpty { open[open.count - 1].text += string(library.value(reader)) }
    default: break
    }
  }

  private func takeAttributes(of element: inout XMLElement) throws(XMLFault) {
    while library.next_attribute(reader) == 1 {
      let key = string(library.name(reader))
      let value = string(library.value(reader))
      guard element.attributes.updateValue(value, forKey: key.lowercased()) == nil else {
        throw XMLFault(
          line: element.line, found: "the attribute \(quoted(key)) twice",
          expected: "each attribute once")
      }
    }
  }

  private mutating func close() {
    guard let element = open.popLast() else { return }
    if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
  }

  private var line: Int { library.node(reader).map { library.line($0) } ?? 1 }

  private func string(_ text: UnsafePointer<UInt8>?) -> String {
    text.map { String(cString: $0) } ?? ""
  }
}

/// The first error that libxml2 reports.
private struct Complaint {
  let library: cuecoach_xml
  let reader: OpaquePointer
  var line = 1
  var message: String?

  /// The severity of what is not well-formed.
  private static let error: Int32 = 4
  /// The most characters of a message, which may quote the file.
  private static let longest = 140

  /// Called by libxml2 with what was given to it beside this function.
  static func take(
    _ context: UnsafeMutableRawPointer?, _ message: UnsafePointer<CChar>?, _ severity: Int32
  ) {
    guard let complaint = context?.assumingMemoryBound(to: Complaint.self), let message,
      severity == error, complaint.pointee.message == nil
    else { return }
    let text = String(cString: message)
    let line = text.prefix { $0 != "\n" }.unicodeScalars.prefix(longest)
    complaint.pointee.message = escaped(String(String.UnicodeScalarView(line)))
    complaint.pointee.line = max(
      1, Int(complaint.pointee.library.position(complaint.pointee.reader)))
  }
}
