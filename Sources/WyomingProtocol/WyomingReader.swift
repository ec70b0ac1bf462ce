import JSONGrammar

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Divides a stream into events and their payloads, whatever pieces it comes in. Holds no more than a line and its JSON;
/// a payload is passed on as it comes.
package struct WyomingReader: Sendable {
  package enum Item: Sendable {
    case event(WyomingEvent)
    /// Bytes of the payload of the event before.
    case payload(ArraySlice<UInt8>)
  }

  private enum State: Sendable {
    case line
    case data(type: String, line: [UInt8], count: Int, payload: Int)
    case payload(Int)
  }

  /// The most bytes of a line.
  package static let maxLine = 64 * 1024
  /// The most bytes of a payload: 15 s of two channels at 48 000 samples a second.
  package static let maxPayload = 15 * 48_000 * 4

  private let maxInfo: Int
  private var state = State.line
  private var held: [UInt8] = []

  /// - Parameter maxInfo: the most bytes of JSON behind the line of an "info", by which a server describes itself. Others
  ///   have as many as a line.
  package init(maxInfo: Int = WyomingReader.maxLine) { self.maxInfo = maxInfo }

  /// True between two events.
  package var isBetweenEvents: Bool {
    if case .line = state { held.isEmpty } else { false }
  }

  /// What some more bytes complete, in order.
  package mutating func read(_ bytes: ArraySlice<UInt8>) throws(WyomingFault) -> [Item] {
    var rest = bytes
    var items: [Item] = []
    while !rest.isEmpty {
      switch state {
      case .line:
        let end = rest.firstIndex(of: UInt8(ascii: "\n"))
        held += rest[..<(end ?? rest.endIndex)]
        guard held.count <= Self.maxLine else {
          throw WyomingFault("a line of more than \(Self.maxLine) bytes")
        }
        rest = end.map { rest[($0 + 1)...] } ?? []
        if end != nil { try endLine(&items) }
      case .data(let type, let line, let count, let payload):
        let taken = rest.prefix(count - held.count)
        held += taken
        rest = rest.dropFirst(taken.count)
        guard held.count == count else { break }
        guard JSONGrammar.firstFault(in: held) == nil else {
          throw WyomingFault("the data of an event \"\(type)\" is no JSON")
        }
        items.append(.event(WyomingEvent(type: type, inner: line, outer: held)))
        held = []
        state = payload > 0 ? .payload(payload) : .line
      case .payload(let left):
        let taken = rest.prefix(left)
        items.append(.payload(taken))
        rest = rest.dropFirst(taken.count)
        state = left > taken.count ? .payload(left - taken.count) : .line
      }
    }
    return items
  }

  private mutating func endLine(_ items: inout [Item]) throws(WyomingFault) {
    let line = held
    held = []
    guard JSONGrammar.firstFault(in: line) == nil,
      let head = try? JSONDecoder().decode(WyomingEvent.Head.self, from: Data(line))
    else { throw WyomingFault("a line that is no event of the Wyoming protocol") }
    let (data, payload) = (head.dataLength ?? 0, head.payloadLength ?? 0)
    let most = head.type == "info" ? maxInfo : Self.maxLine
    guard (0...most).contains(data) else {
      throw WyomingFault("data of \(data) bytes, at most \(most)")
    }
    guard (0...Self.maxPayload).contains(payload) else {
      throw WyomingFault("a payload of \(payload) bytes, at most \(Self.maxPayload)")
    }
    guard data == 0 else {
      state = .data(type: head.type, line: line, count: data, payload: payload)
      return
    }
    items.append(.event(WyomingEvent(type: head.type, inner: line, outer: [])))
    state = payload > 0 ? .payload(payload) : .line
  }
}
