/// Why a stream cannot be read on.
package struct WyomingFault: Error, Hashable, CustomStringConvertible {
  /// For a log, on one line.
  package let description: String

  /// - Parameter description: may have texts of others: what is no character of a line becomes a space.
  package init(_ description: String) {
    let scalars = description.unicodeScalars.prefix(Self.longest).map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: " "
      default: scalar
      }
    }
    self.description = String(String.UnicodeScalarView(scalars))
  }

  /// The most scalars of a description.
  private static let longest = 200
}
