import IntervalTimeline

extension String {
  /// The text as the last argument of a command that a person copies into a shell.
  var shellArgument: String {
    let line = singleLine
    let isPlain = line.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || "-_.,:/@+%=".unicodeScalars.contains(scalar)
    }
    let word =
      isPlain && !line.isEmpty
      ? line
      : "'"
        + line.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
        + "'"
    return line.hasPrefix("-") ? "-- \(word)" : word
  }
}
