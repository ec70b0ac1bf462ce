import SystemIO

/// Where the recording of a text lies in a pack, without the ending of the file's name.
package enum RecordingName {
  package static let numbers = "numbers"
  package static let phrases = "phrases"
  package static let names = "names"
  package static let folders = [numbers, phrases, names]

  /// "numbers/3" for "3", and "phrases/next-hard-4-minutes" for "Next: Hard, 4 minutes".
  ///
  /// Letters become small, and letters and digits stay. An apostrophe goes. Punctuation between two digits becomes "_".
  /// Other punctuation and spaces become one "-". The name of a text with other signs, or of a long text, ends in a
  /// checksum of the text.
  package static func of(_ text: String) -> String {
    if isNumber(text) { return "\(numbers)/\(text)" }
    let scalars = Array(text.lowercased().unicodeScalars)
    var name = String.UnicodeScalarView()
    var isWhole = true
    for (index, scalar) in scalars.enumerated() {
      let before = index > 0 ? scalars[index - 1] : " "
      let after = index + 1 < scalars.count ? scalars[index + 1] : " "
      if scalar.isWord {
        name.append(scalar)
      } else if ".,:".unicodeScalars.contains(scalar), before.isDigit, after.isDigit {
        name.append("_")
      } else if !"'’ʼ".unicodeScalars.contains(scalar) {
        // A sign before a number changes it.
        if !scalar.isPunctuation || scalar.isDash && after.isDigit && !before.isWord {
          isWhole = false
        }
        if let last = name.last, last != "-" { name.append("-") }
      }
    }
    if name.last == "-" { name.removeLast() }
    guard isWhole, !name.isEmpty, name.count <= longest else {
      let hash = String(UInt64(bitPattern: Checksum.of(text.utf8)), radix: 36)
      let start = String(String.UnicodeScalarView(name.prefix(longest)))
      return "\(phrases)/\(start.isEmpty ? "" : "\(start)-")\(hash)"
    }
    return "\(phrases)/\(String(name))"
  }

  /// In scalars: with four bytes each, and a checksum, they are within the 255 bytes of a file's name.
  private static let longest = 56

  /// A number without a leading zero, of at most three digits.
  static func isNumber(_ text: String) -> Bool {
    (1...3).contains(text.utf8.count) && text.unicodeScalars.allSatisfy(\.isDigit)
      && (text == "0" || !text.hasPrefix("0"))
  }

  /// Why no text has the recording of that path in a pack, without its ending; nil where one may have it.
  package static func fault(of path: String) -> String? {
    let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return nil }
    switch parts[0] {
    case numbers: return isNumber(parts[1]) ? nil : "no number, expected a name such as 3.wav"
    case phrases:
      let proper = Self.proper(path)
      return proper == path ? nil : "no text has this name, expected \(proper).wav"
    default: return nil
    }
  }

  /// The path that the recording of the same text has in a pack, of one without its ending: "phrases/set-3" for
  /// "phrases/Set 3".
  package static func proper(_ path: String) -> String {
    let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
    // The name of a long text ends in a checksum.
    guard parts.count == 2, parts[0] == phrases, parts[1].unicodeScalars.count <= longest else {
      return path
    }
    return of(String(parts[1].map { $0 == "-" ? " " : $0 == "_" ? "." : $0 }))
  }

  /// "numbers/3" of "numbers/3.wav".
  package static func withoutEnding(_ path: String) -> String {
    guard let dot = path.lastIndex(of: "."), dot > path.startIndex else { return path }
    return String(path[..<dot])
  }

  /// Whether a path is that of a file directly in one of the folders of a pack.
  package static func isInPack(_ path: String) -> Bool {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && folders.contains(String(parts[0])) && !parts[1].isEmpty
      && !parts[1].hasPrefix(".") && !path.utf8.contains(0)
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }

  /// Letters, the marks on them, and digits of any script.
  fileprivate var isWord: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .decimalNumber:
      !"ʼ".unicodeScalars.contains(self)
    default: false
    }
  }

  fileprivate var isDash: Bool { properties.generalCategory == .dashPunctuation }

  /// What separates words and is not spoken.
  fileprivate var isPunctuation: Bool {
    if properties.isWhitespace { return true }
    switch properties.generalCategory {
    case .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation:
      return true
    case .otherPunctuation: return !"#%&*@/\\§¶†‡‰".unicodeScalars.contains(self)
    default: return false
    }
  }
}
