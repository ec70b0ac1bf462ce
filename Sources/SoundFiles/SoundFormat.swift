import CSndFile

/// The sound files that are written, by the endings of their names.
package enum SoundFormat: CaseIterable, Sendable {
  /// 16 bits, as they are.
  case wav
  /// The same samples in half the room or less.
  case flac
  /// Ogg Vorbis.
  case vorbis
  /// Ogg Opus.
  case opus

  /// By the name's ending, whatever its case; nil for another ending or none.
  package init?(path: String) {
    guard let ending = SoundFormat.ending(of: path)?.lowercased(),
      let format = Self.allCases.first(where: { $0.endings.contains(ending) })
    else { return nil }
    self = format
  }

  /// "wav" of "folder/tabata.wav"; nil where the name has none.
  package static func ending(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return nil }
    return String(name[name.index(after: dot)...])
  }

  /// Of the names of its files, without the dot.
  package var endings: [String] {
    switch self {
    case .wav: ["wav"]
    case .flac: ["flac"]
    case .vorbis: ["ogg", "oga"]
    case .opus: ["opus"]
    }
  }

  /// False where the encoder changes the samples.
  package var isLossless: Bool { self == .wav || self == .flac }

  /// - Parameter bytes: how many the samples have at most. A WAV file holds 4 GiB; RF64 holds more, and not every
  ///   program reads it.
  func code(bytes: Int) -> Int32 {
    switch self {
    case .wav:
      Int32(bytes > 0xF000_0000 ? SF_FORMAT_RF64 : SF_FORMAT_WAV) | Int32(SF_FORMAT_PCM_16)
    case .flac: Int32(SF_FORMAT_FLAC) | Int32(SF_FORMAT_PCM_16)
    case .vorbis: Int32(SF_FORMAT_OGG) | Int32(SF_FORMAT_VORBIS)
    case .opus: Int32(SF_FORMAT_OGG) | Int32(SF_FORMAT_OPUS)
    }
  }
}
