import CueSound

/// A text without what libespeak-ng could trip over.
struct SpeakableText {
  let words: String

  /// The most bytes of a word. The library has room for 160, in which it also takes letters apart,
  /// and version 1.51 writes beyond them.
  private static let greatestWord = 40
  /// The most full stops of a text. The library takes some of them out, and in version 1.51 loses
  /// its place after some eighty.
  private static let mostStops = 30

  /// Control characters become blanks, what has no sound goes, and a word that is too long is
  /// spoken as several. Throws `text` for more characters than `EspeakSynthesizer.greatestLength`,
  /// and where nothing is left to say.
  init(_ text: String) throws(SpeechError) {
    guard text.count <= EspeakSynthesizer.greatestLength else {
      throw SpeechError(
        kind: .text,
        detail: "a text of \(text.count) characters, "
          + "at most \(EspeakSynthesizer.greatestLength) are spoken")
    }
    var words = String.UnicodeScalarView()
    var bytes = 0
    var stops = 0
    for scalar in text.unicodeScalars where !Self.isSilent(scalar) {
      if scalar == "." { stops += 1 }
      if Self.isBlank(scalar) || (scalar == "." && stops > Self.mostStops) {
        words.append(" ")
        bytes = 0
      } else if scalar.properties.generalCategory == .otherSymbol {
        // Each is a word, if any.
        words.append(contentsOf: [" ", scalar, " "])
        bytes = 0
      } else {
        let size = Self.size(scalar)
        if bytes + size > Self.greatestWord {
          words.append(" ")
          bytes = 0
        }
        bytes += size
        words.append(scalar)
      }
    }
    guard words.contains(where: { $0 != " " }) else {
      throw SpeechError(kind: .text, detail: "an empty text")
    }
    self.words = String(words)
  }

  /// The bytes of UTF-8, of a Korean syllable those of its three parts.
  private static func size(_ scalar: Unicode.Scalar) -> Int {
    (0xac00...0xd7a3).contains(scalar.value) ? 9 : String(scalar).utf8.count
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .spaceSeparator, .lineSeparator, .paragraphSeparator: true
    default: isBraille(scalar)
    }
  }

  /// What no voice has a word for. The library takes some of the private ones for marks of its own.
  private static func isSilent(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .privateUse, .unassigned, .surrogate: true
    // Persian and the scripts of India are spelled with the joiners.
    case .format: scalar != "\u{200c}" && scalar != "\u{200d}"
    case .nonspacingMark: scalar.properties.isVariationSelector
    default: false
    }
  }

  /// A pattern of dots: some voices of version 1.51 crash on the name of one.
  private static func isBraille(_ scalar: Unicode.Scalar) -> Bool {
    (0x2800...0x28ff).contains(scalar.value)
  }
}
