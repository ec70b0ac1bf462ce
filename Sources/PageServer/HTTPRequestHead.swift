/// A request without its body.
package struct HTTPRequestHead: Hashable, Sendable {
  package var method: String
  /// As it was sent, without what follows a question mark; nothing is decoded.
  package var path: String
  /// Such as "HTTP/1.1".
  package var version: String
  /// In the order sent; the names in small letters.
  package var headers: [Header]
  package var peer: PeerAddress
  /// A line had a byte that none has, or was not ended as lines are.
  package var isMalformed = false

  package struct Header: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package init(
    method: String, path: String, version: String = "HTTP/1.1", headers: [Header] = [],
    peer: PeerAddress = .loopback
  ) {
    self.method = method
    self.path = path
    self.version = version
    self.headers = headers
    self.peer = peer
  }

  /// The first of this name.
  package func value(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  func count(_ name: String) -> Int { headers.count { $0.name == name } }

  /// What a name consists of, beside letters and digits (RFC 9110, 5.6.2).
  private static let tokenMarks = Set("!#$%&'*+-.^_`|~".utf8)

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: tokenMarks.contains(byte)
    }
  }

  /// A header's name and value as they came; notes what cannot be one.
  package mutating func add(name: [UInt8], value: [UInt8]) {
    let isText = value.allSatisfy { ($0 >= 0x20 && $0 != 0x7f) || $0 == 0x09 }
    isMalformed = isMalformed || !isText || name.isEmpty || !name.allSatisfy(Self.isToken)
    headers.append(
      Header(
        String(decoding: name, as: UTF8.self).lowercased(), String(decoding: value, as: UTF8.self)))
  }
}
