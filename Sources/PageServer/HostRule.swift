/// Which names a request may call this server by. A page of another host whose name was made to point
/// here (DNS rebinding) calls it by that host's name, and is refused.
package struct HostRule: Sendable {
  private let names: Set<String>
  /// Whether other names than this machine's own are allowed: the sign of a proxy before the page.
  let hasOtherNames: Bool

  /// - Parameters:
  ///   - names: this machine's, beside loopback and addresses written in numbers.
  ///   - others: such as a proxy's.
  package init(names: [String], others: [String] = []) {
    self.names = Set((names + others).map(Self.plain))
    hasOtherNames = !others.isEmpty
  }

  package enum Kind: Hashable, Sendable {
    case loopback
    /// An address in numbers, or one of the names.
    case known
  }

  /// - Parameter host: a Host header, such as "localhost:8642" or "[::1]:8642".
  /// - Returns: nil where the name is not one of ours, or no name.
  package func kind(of host: String) -> Kind? {
    guard let name = Self.name(in: host) else { return nil }
    if name.hasPrefix("[") { return name == "[::1]" ? .loopback : .known }
    if let numbers = Self.numbers(in: name) { return numbers[0] == 127 ? .loopback : .known }
    let plain = Self.plain(name)
    if plain == "localhost" { return .loopback }
    return names.contains(plain) ? .known : nil
  }

  /// In small letters, without the dot of the root.
  private static func plain(_ name: some StringProtocol) -> String {
    let name = name.lowercased()
    return name.hasSuffix(".") ? String(name.dropLast()) : name
  }

  /// Without the port; nil where there is something else.
  private static func name(in host: String) -> Substring? {
    guard host.utf8.count <= 255 else { return nil }
    let name: Substring
    let rest: Substring
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]") else { return nil }
      name = host[...end]
      rest = host[host.index(after: end)...]
      let inside = name.dropFirst().dropLast()
      guard inside.contains(":"),
        inside.utf8.allSatisfy({ $0.isHexDigit || ":.".utf8.contains($0) })
      else { return nil }
    } else {
      name = host.prefix { $0 != ":" }
      rest = host[name.endIndex...]
      guard !name.isEmpty else { return nil }
    }
    guard rest.isEmpty || isPort(rest) else { return nil }
    return name
  }

  private static func isPort(_ text: Substring) -> Bool {
    let digits = text.dropFirst()
    return text.hasPrefix(":") && digits.utf8.count <= 5
      && digits.utf8.allSatisfy { $0.isDigit } && UInt16(digits) != nil
  }

  /// The four numbers of an address of IPv4.
  private static func numbers(in name: Substring) -> [UInt8]? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    let numbers = parts.compactMap { part -> UInt8? in
      part.utf8.allSatisfy { $0.isDigit } && (part == "0" || !part.hasPrefix("0"))
        ? UInt8(part) : nil
    }
    return numbers.count == 4 ? numbers : nil
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
  fileprivate var isHexDigit: Bool {
    isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20)
  }
}
