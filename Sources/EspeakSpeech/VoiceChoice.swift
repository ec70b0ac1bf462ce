import CueSound
import Glibc

/// The requested voice and variant.
struct VoiceChoice: Equatable {
  let name: String
  /// Nil: the voice as it is.
  let variant: String?

  /// A variant may also follow the voice's name: "en+f3".
  init(_ voice: SpeechVoice) throws(SpeechError) {
    let parts = (voice.name ?? EspeakSynthesizer.defaultVoice)
      .split(separator: "+", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    name = parts[0]
    variant = voice.variant ?? (parts.count > 1 ? parts[1] : nil)
    guard !name.isEmpty, name.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
      throw SpeechError(kind: .unknownVoice, detail: "there is no voice \"\(name)\"")
    }
    // The library makes a path of it, and ignores a file that does not exist.
    if let variant, variant.isEmpty || variant.count > 40 || variant.contains(where: Self.isOfPath)
    {
      throw Self.unknown(variant: variant)
    }
    try checkMbrola()
  }

  static func unknown(variant: String) -> SpeechError {
    SpeechError(kind: .unknownVariant, detail: "there is no variant \"\(variant)\"")
  }

  private static func isOfPath(_ character: Character) -> Bool {
    character == "/" || character == "+" || character.unicodeScalars.contains { $0.value < 0x20 }
  }

  /// Looks for the data of an mbrola voice before the library does: it would print a page about missing
  /// data and leave a voice that says nothing.
  private func checkMbrola() throws(SpeechError) {
    let file = name.split(separator: "/").last.map(String.init) ?? name
    guard file.hasPrefix("mb-") else { return }
    // "mb-de4-en" is an accent based on the data "de4".
    let data = file.split(separator: "-")[1...].first.map(String.init) ?? ""
    let places = ["\(data)", "\(data)/\(data)", "voices/\(data)"]
    guard !data.isEmpty, places.contains(where: { access("/usr/share/mbrola/\($0)", R_OK) == 0 })
    else {
      throw SpeechError(
        kind: .unknownVoice,
        detail:
          "the voice \"\(name)\" needs mbrola and its data \"\(data)\", which are not installed")
    }
  }
}
