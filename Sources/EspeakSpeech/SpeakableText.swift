import CueSound

/// A text without anything that libespeak-ng cannot handle.
struct SpeakableText {
  let words: String

  /// The most bytes of a word. The library has room for 160, in which it also decomposes letters; version
  /// 1.51 writes beyond them.
  private static let maxWord = 40
  /// The most full stops of a text. The library removes some of them, and version 1.51 loses its place after
  /// about eighty.
  private static let mostStops = 30

  /// Control characters become blanks, characters without sound are removed, and a word that is too long
  /// becomes several. Throws `text` for more characters than `EspeakSynthesizer.maxLength`,
  /// and where nothing is left to say.
  ///
  /// - Parameter language: of the voice, as "en" or "hi".
  init(_ text: String, language: String) throws(SpeechError) {
    guard text.count <= EspeakSynthesizer.maxLength else {
      throw SpeechError(
        kind: .text,
        detail: "a text of \(text.count) characters, "
          + "at most \(EspeakSynthesizer.maxLength) are spoken")
    }
    var words = String.UnicodeScalarView()
    var bytes = 0
    var stops = 0
    let own = Self.scripts[language]
    for scalar in text.unicodeScalars where !Self.isSilent(scalar) {
      if scalar == "." { stops += 1 }
      if Self.isBlank(scalar) || (scalar == "." && stops > Self.mostStops)
        || (Self.isSwitching(scalar) && own?.contains(scalar.value) != true)
      {
        words.append(" ")
        bytes = 0
      } else if scalar.properties.generalCategory == .otherSymbol {
        // Each is a word, if any.
        words.append(contentsOf: [" ", scalar, " "])
        bytes = 0
      } else {
        let size = Self.size(scalar)
        if bytes + size > Self.maxWord {
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

  /// True for the scripts for which the library switches to another language than the voice's. Version 1.51
  /// keeps using such a language after freeing it for the next one, as it also does for a letter that the
  /// first has no name for. So only a voice of their own speaks these scripts.
  private static func isSwitching(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x370...0x3ff, 0x1f00...0x1fff,  // Greek
      0x530...0x58f,  // Armenian
      0x900...0x109f,  // India to Burma
      0x10a0...0x10ff, 0x1c90...0x1cbf, 0x2d00...0x2d2f,  // Georgian
      0x1100...0x11ff, 0x3130...0x318f, 0xa700...0xd7ff:  // Korean
      true
    default: false
    }
  }

  /// The scripts of the languages that have one of those.
  private static let scripts: [String: ClosedRange<UInt32>] = [
    "el": 0x370...0x3ff, "grc": 0x370...0x1fff, "hy": 0x530...0x58f, "hyw": 0x530...0x58f,
    "hi": 0x900...0x97f, "mr": 0x900...0x97f, "ne": 0x900...0x97f, "kok": 0x900...0x97f,
    "sd": 0x900...0x97f, "bn": 0x980...0x9ff, "as": 0x980...0x9ff, "bpy": 0x980...0x9ff,
    "pa": 0xa00...0xa7f, "gu": 0xa80...0xaff, "or": 0xb00...0xb7f, "ta": 0xb80...0xbff,
    "te": 0xc00...0xc7f, "kn": 0xc80...0xcff, "ml": 0xd00...0xd7f, "si": 0xd80...0xdff,
    "th": 0xe00...0xe7f, "my": 0x1000...0x109f, "ka": 0x10a0...0x10ff, "ko": 0x1100...0xd7ff,
  ]

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

  /// Characters that no voice can speak. The library uses some private ones as its own marks.
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
