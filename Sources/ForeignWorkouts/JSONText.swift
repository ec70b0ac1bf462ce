import IntervalTimeline
import JSONGrammar
import Presets

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The JSON of other programs' files.
struct JSONText {
  private let bytes: [UInt8]
  private let expected: Sentence
  /// Why it is no JSON at all; nil for JSON.
  let malformation: FileFault?

  /// - Parameter expected: what the file should be, for messages.
  init(_ text: String, expected: Sentence) {
    bytes = Array(text.utf8)
    self.expected = expected
    let fault = JSONGrammar.firstFault(in: bytes)
    malformation = fault.map { [bytes] in
      FileFault(
        line: Self.line(of: $0, in: bytes), "JSON that is not well-formed", expected: expected)
    }
  }

  func value<Value: Decodable>(_ type: Value.Type) throws(FileFault) -> Value {
    if let malformation { throw malformation }
    do {
      return try JSONDecoder().decode(Value.self, from: Data(bytes))
    } catch let error as DecodingError {
      throw fault(error)
    } catch {
      throw FileFault(line: nil, "JSON that cannot be read", expected: expected)
    }
  }

  /// The line of a value, from 1; where it is missing that of the value that should have it.
  func line(of steps: [JSONStep]) -> Int {
    Self.line(of: JSONGrammar.offset(of: steps, in: bytes), in: bytes)
  }

  /// Runs `body`; a fault has the line of that value. Only then it is looked for, which takes as long as reading all.
  func at<Result>(
    _ steps: [JSONStep], _ body: () throws(FileFault) -> Result
  ) throws(FileFault) -> Result {
    do throws(FileFault) {
      return try body()
    } catch {
      throw FileFault(line: line(of: steps), error.problem, expected: error.expected)
    }
  }

  /// A whole number; `name` is what messages call it.
  func count(
    _ number: LooseNumber, at steps: [JSONStep], _ name: String, in range: ClosedRange<Int>
  ) throws(FileFault) -> Int {
    guard let count = Int(exactly: number.value), range.contains(count) else {
      throw FileFault(
        line: line(of: steps), "\(name) is \(ForeignLength.shown(number.value))",
        expected: "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return count
  }

  private static func line(of offset: Int, in bytes: [UInt8]) -> Int {
    1 + bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") }
  }

  /// On lines of its own for each value, the keys in the order of the alphabet.
  static func text(of value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    do {
      return String(decoding: try encoder.encode(value), as: UTF8.self)
    } catch {
      fatalError("ForeignWorkouts: a value of texts and whole numbers is not encoded: \(error)")
    }
  }

  private func fault(_ error: DecodingError) -> FileFault {
    func fault(_ context: DecodingError.Context, _ problem: (Sentence) -> Sentence) -> FileFault {
      let steps = context.codingPath.map { key in
        key.intValue.map { .index($0) } ?? JSONStep.key(key.stringValue)
      }
      return FileFault(
        line: line(of: steps), problem(Self.place(context.codingPath)), expected: expected)
    }
    switch error {
    case .typeMismatch(let type, let context):
      return fault(context) { "\($0) is no \(Self.name(type))" }
    case .valueNotFound(_, let context): return fault(context) { "\($0) is null" }
    case .keyNotFound(let key, let context):
      return fault(context) { "no \(quoted(key.stringValue)) in \($0)" }
    case .dataCorrupted(let context):
      return fault(context) { "\($0) has an impossible value" }
    @unknown default:
      return FileFault(line: nil, "JSON that cannot be read", expected: expected)
    }
  }

  /// "workouts[0].sets[2]".
  static func place(_ path: [any CodingKey]) -> Sentence {
    var text = ""
    for key in path {
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += (text.isEmpty ? "" : ".") + escaped(String(key.stringValue.prefix(40)))
      }
    }
    return text.isEmpty ? "the file" : Sentence(verbatim: text)
  }

  private static func name(_ type: any Any.Type) -> Sentence {
    switch type {
    case is Double.Type, is Int.Type: "number"
    case is String.Type: "text"
    default: "\(type)".hasPrefix("Array") ? "list" : "object of that kind"
    }
  }
}

/// A number, which some programs write as a text.
struct LooseNumber: Decodable {
  let value: Double

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let text = try? container.decode(String.self), let number = decimal(text) {
      value = number
    } else {
      value = try container.decode(Double.self)
    }
  }
}
