import IntervalTimeline

/// The announcement style of a preset: keys that both forms share.
enum StyleForm {
  static let keys = [
    "language", "voice", "variant", "rate", "pitch", "speech-volume", "sounds", "density",
    "countdown", "acknowledge", "phrases",
  ]

  /// - Parameter values: the names of the live values that the preset's texts may use.
  static func style(
    _ map: YamlMap, values: Set<String>
  ) throws(FileFault) -> AnnouncementStyle {
    var style = AnnouncementStyle(
      language: try map["language"]?.language(),
      voice: try map.voiceSettings(volume: "speech-volume"),
      sounds: try map["sounds"]?.folderName())
    if let entry = map["countdown"] {
      let (all, kinds) = try byKind(entry) { entry throws(FileFault) in
        try entry.count(in: AnnouncementStyle.countdownRange)
      }
      (style.countdown, style.countdowns) = (all, kinds.isEmpty ? nil : kinds)
    }
    style.acknowledge = try map["acknowledge"]?.acknowledgements()
    if let entry = map["density"] {
      (style.density, style.densities) = try byKind(entry) { entry throws(FileFault) in
        try entry.density(
          orElse: entry.key == "density" ? ", or phases, each with one of them" : "")
      }
    }
    if let entry = map["phrases"] { style.phrases = try entry.phrases(values: values) }
    return style
  }

  /// `density: full`, or `density: {all: normal, rest: full}`: what is for all, and for each kind.
  private static func byKind<Value>(
    _ entry: YamlEntry, _ value: (YamlEntry) throws(FileFault) -> Value
  ) throws(FileFault) -> (all: Value?, kinds: [PhaseKind: Value]) {
    guard let map = entry.map else { return (try value(entry), [:]) }
    try map.checkKeys(
      ["all"] + PhaseKind.allCases.map(\.rawValue), of: Sentence(verbatim: entry.key))
    var (all, kinds) = (Value?.none, [PhaseKind: Value]())
    for entry in map.entries {
      let value = try value(entry)
      if let kind = PhaseKind(rawValue: entry.key) { kinds[kind] = value } else { all = value }
    }
    return (all, kinds)
  }
}

extension YamlMap {
  /// The voice that these keys request; `volume` is the key of its volume.
  func voiceSettings(volume: String) throws(FileFault) -> VoiceSettings {
    VoiceSettings(
      name: try self["voice"]?.name(), variant: try self["variant"]?.name(),
      rate: try self["rate"]?.count(in: VoiceSettings.rates),
      pitch: try self["pitch"]?.count(in: VoiceSettings.pitches),
      volume: try self[volume]?.count(in: VoiceSettings.volumes))
  }
}

extension YamlEntry {
  /// Wordings that replace a catalogue's.
  func phrases(values: Set<String>? = nil) throws(FileFault) -> [PhraseKey: Phrase] {
    let map = try map(expected: "announcements, each with its text or silent")
    try map.checkKeys(PhraseKey.allCases.map(\.rawValue), of: "phrases")
    var phrases: [PhraseKey: Phrase] = [:]
    for entry in map.entries {
      if let key = PhraseKey(rawValue: entry.key) {
        phrases[key] = try entry.phrase(values: values)
      }
    }
    return phrases
  }

  /// One command, several separated by commas, or a list; or `all` or `none`.
  func acknowledgements() throws(FileFault) -> Set<Acknowledgement> {
    let commands = Acknowledgement.allCases.map(\.rawValue)
    let expected: Sentence = "all, none, or one or more of \(commands.joined(separator: ", "))"
    func command(_ word: Substring, found: Sentence, line: Int) throws(FileFault) -> Acknowledgement
    {
      guard let command = Acknowledgement(rawValue: String(word.trimmed)) else {
        throw FileFault(line: line, found, expected: expected)
      }
      return command
    }
    var chosen: Set<Acknowledgement> = []
    switch value.text {
    case "none": break
    case "all": chosen = Set(Acknowledgement.allCases)
    case let words? where !value.isNull:
      for word in words.split(separator: ",", omittingEmptySubsequences: false) {
        chosen.insert(try command(word, found: "\(key) is \(value.found)", line: line))
      }
    default:
      for item in try items(expected: expected) {
        chosen.insert(
          try command(
            item.text.map { $0[...] } ?? "", found: "\(item.found) in \(key)",
            line: item.line))
      }
    }
    return chosen
  }

  /// `more` describes what else would be valid, for messages.
  func density(orElse more: Sentence = "") throws(FileFault) -> Density {
    guard let density = value.text.flatMap({ Density(rawValue: $0) }) else {
      let words = Density.allCases.map(\.rawValue).joined(separator: ", ")
      throw fault(expected: "one of \(words)\(more)")
    }
    return density
  }

  /// A language tag in lower case; it is also a file name.
  package func language() throws(FileFault) -> String {
    guard let tag = LanguageTag(try name()) else { throw fault(expected: LanguageTag.expected) }
    return tag.text
  }

  /// A plain folder name, without a path.
  func folderName() throws(FileFault) -> String {
    let name = try name()
    guard !name.hasPrefix("."), !name.utf8.contains(UInt8(ascii: "/")) else {
      throw fault(expected: "a name such as gym, without / and without a dot at its start")
    }
    return name
  }
}
