import JSONGrammar

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Lines of the control socket ⇄ values.
package enum ControlCoding {
  /// One line with its line feed.
  ///
  /// - Throws: `ControlError` if the line would be longer than `ControlLimits.answerLine`.
  package static func line(_ value: some Encodable) throws(ControlError) -> [UInt8] {
    try ended(json(value))
  }

  static func ended(_ json: [UInt8]) throws(ControlError) -> [UInt8] {
    guard json.count < ControlLimits.answerLine else {
      throw ControlError(
        .failed, "the answer would have more than \(ControlLimits.answerLine) bytes")
    }
    return json + [UInt8(ascii: "\n")]
  }

  static func json(_ value: some Encodable) throws(ControlError) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let data = try? encoder.encode(value) else {
      throw ControlError(.failed, "the answer cannot be written as JSON")
    }
    return Array(data)
  }

  /// The request on a line.
  ///
  /// - Throws: `ControlFailure`, with the request's id if it has one.
  package static func request(_ line: [UInt8]) throws(ControlFailure) -> ControlRequest {
    do {
      let request = try decode(ControlRequest.self, line)
      if let key = JSONGrammar.repeatedKey(in: line) {
        throw ControlError(.malformed, "\(key.shown): given twice, expected once")
      }
      return request
    } catch let error as ControlError {
      throw ControlFailure(id: id(of: line), error: error)
    } catch {
      throw ControlFailure(
        id: id(of: line),
        error: ControlError(.malformed, "expected \(expected)"))
    }
  }

  private struct Identified: Decodable { let id: RequestID }

  private static func id(of line: [UInt8]) -> RequestID? {
    (try? decode(Identified.self, line))?.id
  }

  private static func decode<Value: Decodable>(_ type: Value.Type, _ line: [UInt8]) throws -> Value
  {
    if let fault = JSONGrammar.firstFault(in: line) {
      throw ControlError(
        .malformed, "expected \(expected); byte \(fault + 1) is not that of JSON in UTF-8")
    }
    return try JSONDecoder().decode(type, from: Data(line))
  }

  private static let expected = "a JSON object with id and verb on one line"

  /// For clients: the value on a line that the coach wrote.
  ///
  /// - Throws: `ControlError` if this version does not understand it.
  package static func value<Value: Decodable>(
    _ type: Value.Type, _ line: [UInt8]
  ) throws(ControlError) -> Value {
    do {
      return try decode(type, line)
    } catch {
      throw ControlError(
        .malformed,
        "the coach's line is not understood: \(String(decoding: line, as: UTF8.self).shown)")
    }
  }
}

/// A line that is not a valid request, and the error to answer with.
package struct ControlFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The request's; nil if the line had none that could be read.
  package var id: RequestID?
  /// Why it is refused.
  package var error: ControlError

  /// The error's message.
  package var description: String { error.message }
}
