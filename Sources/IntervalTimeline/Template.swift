/// A variable in a text, written in braces.
public enum Variable: String, CaseIterable, Hashable, Sendable {
  /// The number of the set, and how many there are.
  case set, sets
  /// The names of the phase and of the next one.
  case phase, next
  /// The length of the phase, or of the next one in a text that contains `next`: "4 minutes", "12
  /// reps".
  case length
  /// The remaining time of the phase, and the elapsed time of the workout.
  case remaining, elapsed
  /// The repetitions of an open phase: "12", and with their unit: "12 reps".
  case reps, repetitions
}

/// A text with variables in braces: "Set {set} completing in".
public struct Template: Hashable, Sendable {
  package enum Piece: Hashable, Sendable {
    case text(String)
    case variable(Variable)
  }

  package let pieces: [Piece]

  /// Throws if a variable is unknown or a brace is unmatched.
  public init(_ text: String) throws(TemplateFault) {
    var pieces: [Piece] = []
    var rest = text[...]
    while let brace = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      if brace > rest.startIndex { pieces.append(.text(String(rest[..<brace]))) }
      let inside = rest[rest.index(after: brace)...]
      guard rest[brace] == "{", let end = inside.firstIndex(of: "}") else { throw .loneBrace }
      let name = String(inside[..<end])
      guard let variable = Variable(rawValue: name) else { throw .unknownVariable(name) }
      pieces.append(.variable(variable))
      rest = inside[inside.index(after: end)...]
    }
    if !rest.isEmpty { pieces.append(.text(String(rest))) }
    self.pieces = pieces
  }

  /// The text with its variables replaced; nil if one has no value.
  public func filled(_ value: (Variable) -> String?) -> String? {
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let words): text += words
      case .variable(let variable):
        guard let words = value(variable) else { return nil }
        text += words
      }
    }
    return text
  }
}

extension Template: Codable {
  /// The text that it was parsed from.
  package var source: String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .variable(let variable): "{\(variable.rawValue)}"
      }
    }.joined()
  }

  public init(from decoder: any Decoder) throws {
    self = try Template(try decoder.singleValueContainer().decode(String.self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(source)
  }
}

public enum TemplateFault: Error, Hashable, Sendable {
  case unknownVariable(String)
  /// An unmatched brace, or one within braces.
  case loneBrace
}

extension Template: ExpressibleByStringLiteral {
  /// Traps if the text is no template: a literal is the programmer's.
  public init(stringLiteral text: String) {
    do throws(TemplateFault) {
      try self.init(text)
    } catch {
      preconditionFailure("the template \"\(text)\": \(error)")
    }
  }
}
