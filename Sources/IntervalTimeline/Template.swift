/// What a text may leave open, as it stands between braces.
public enum Variable: String, CaseIterable, Hashable, Sendable {
  /// The number of the set, and how many there are.
  case set, sets
  /// What the phase is called, and the one after it.
  case phase, next
  /// The length of the phase, or of the next one in a text that names it: "4 minutes", "12 reps".
  case length
  /// What is left of the phase, and how long the workout has run.
  case remaining, elapsed
  /// The repetitions of an open phase: "12", and with what they are: "12 reps".
  case reps, repetitions
}

/// A text with variables in braces: "Set {set} completing in".
public struct Template: Hashable, Sendable {
  public enum Piece: Hashable, Sendable {
    case text(String)
    case variable(Variable)
  }

  public let pieces: [Piece]

  /// Throws where a variable is unknown or a brace has no other.
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

  /// The text with the values of its variables; nil where one has none.
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
  /// The text it was made of.
  public var source: String {
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
  /// A brace without its other, or one within another's.
  case loneBrace
}

extension Template: ExpressibleByStringLiteral {
  /// Traps where the text is none: a literal is the programmer's.
  public init(stringLiteral text: String) {
    do throws(TemplateFault) {
      try self.init(text)
    } catch {
      preconditionFailure("the template \"\(text)\": \(error)")
    }
  }
}
