import IntervalTimeline

/// Reads a configuration. An output and the line on which its settings begin are known together.
struct ConfigurationForm {
  private static let keys = [
    "device", "outputs", "speech", "sounds", "density", "countdown", "acknowledge", "phrases",
    "athletes", "sessions", "page",
  ]

  private var configuration = Configuration()

  /// - Parameter root: nil for an empty file, which sets nothing.
  static func configuration(_ root: YamlNode?) throws(FileFault) -> Configuration {
    guard let root else { return Configuration() }
    guard let map = YamlMap(root) else {
      throw FileFault(
        line: root.line, "a configuration that is \(root.found)",
        expected: "one or more of \(keys.joined(separator: ", "))")
    }
    try map.checkKeys(keys, of: "the configuration")
    var form = ConfigurationForm()
    try form.read(map)
    return form.configuration
  }

  private mutating func read(_ map: YamlMap) throws(FileFault) {
    configuration.device = try map["device"]?.name()
    if let entry = map["outputs"] { try readOutputs(entry) }
    configuration.sounds = try map["sounds"]?.folderName()
    configuration.density = try map["density"]?.density()
    configuration.acknowledge = try map["acknowledge"]?.acknowledgements()
    configuration.countdown = try map["countdown"]?.count(in: AnnouncementStyle.countdownRange)
    if let entry = map["phrases"] { configuration.phrases = try entry.phrases() }
    if let entry = map["athletes"] { try readAthletes(entry) }
    if let entry = map["sessions"] { try readSessions(entry) }
    if let entry = map["speech"] { try readSpeech(entry) }
    if let entry = map["page"] {
      let map = try Self.settings(
        entry, ["edit", "outputs"], of: "page", named: Sentence(verbatim: entry.key))
      configuration.isPageEditable = try map["edit"]?.word("yes", "no") != "no"
      configuration.pageOutputs =
        try map["outputs"]?.names(
          "a list of up to 30 ALSA devices, such as [default, \"hw:1,0\"]"
        ).map(\.name) ?? []
    }
  }

  private mutating func readOutputs(_ entry: YamlEntry) throws(FileFault) {
    let map = try entry.map(expected: "devices or cards, each with what is set for it")
    for entry in map.entries {
      guard !entry.key.trimmed.isEmpty else {
        throw entry.fault(
          "an output without a name",
          expected: "an ALSA device or a card, such as CARD=Headphones")
      }
      configuration.outputs[entry.key] = try Self.output(entry)
      configuration.outputLines[entry.key] = entry.line
    }
  }

  private static func output(_ entry: YamlEntry) throws(FileFault) -> OutputSettings {
    let map = try settings(
      entry, ["latency", "keep-alive", "warm-up", "volume"], of: "an output",
      named: "the output \(quoted(entry.key))")
    let latency = try map["latency"]?.number(in: OutputSettings.latencies, of: "milliseconds")
    let warmUp = try map["warm-up"]?.number(in: OutputSettings.warmUps, of: "seconds")
    let word = try map["keep-alive"]?.word("off", "silence", "dither")
    return OutputSettings(
      latency: latency.map { .milliseconds($0) },
      keepAlive: word.flatMap { OutputSettings.KeepAlive(rawValue: $0) },
      warmUp: warmUp.map { .seconds($0) },
      volume: try map["volume"]?.count(in: OutputSettings.volumes))
  }

  private mutating func readAthletes(_ entry: YamlEntry) throws(FileFault) {
    let map = try entry.map(expected: "\(Configuration.defaultAthlete), or the names of lanes")
    for entry in map.entries {
      guard NameRule.lane.allows(entry.key) else {
        throw entry.fault("the athlete \(quoted(entry.key))", expected: NameRule.lane.expected)
      }
      configuration.athletes[entry.key] = try Self.athlete(entry)
    }
  }

  private static func athlete(_ entry: YamlEntry) throws(FileFault) -> Athlete {
    let map = try settings(
      entry, ["ftp", "max-heart-rate", "threshold-pace", "heart-rate-alarm", "keep-readings"],
      of: "an athlete",
      named: "the athlete \(quoted(entry.key))")
    let power = try map["ftp"]?.count(in: Athlete.thresholdPowers)
    let rate = try map["max-heart-rate"]?.count(in: Athlete.maximumHeartRates)
    var athlete = Athlete(
      thresholdPower: power.map(Double.init), maximumHeartRate: rate.map(Double.init))
    athlete.heartRateAlarm = try map["heart-rate-alarm"]?.count(in: Athlete.heartRateAlarms)
    let keeps = try map["keep-readings"]?.word("yes", "no")
    athlete.keepsReadings = keeps.map { $0 == "yes" }
    if let entry = map["threshold-pace"] {
      guard let pace = Athlete.pace(try entry.name(expected: Athlete.expectedPace)) else {
        throw entry.fault(expected: Athlete.expectedPace)
      }
      athlete.thresholdPace = pace
    }
    return athlete
  }

  private mutating func readSessions(_ entry: YamlEntry) throws(FileFault) {
    let map = try Self.settings(
      entry, ["resume", "greatest-age", "sleep", "inhibit"], of: "sessions",
      named: Sentence(verbatim: entry.key))
    let policy = try map["resume"]?.word("ask", "continue", "hold", "discard")
    configuration.sessions.resume = policy.flatMap { ResumePolicy(rawValue: $0) }
    if let age = try map["greatest-age"]?.fixedLength() { configuration.sessions.maximumAge = age }
    configuration.sessions.pausesForSleep = try map["sleep"]?.word("pause", "go-on") != "go-on"
    configuration.sessions.inhibitsSleep = try map["inhibit"]?.word("on", "off") != "off"
  }

  private mutating func readSpeech(_ entry: YamlEntry) throws(FileFault) {
    let map = try Self.settings(
      entry,
      [
        "language", "voice", "variant", "rate", "pitch", "volume", "command", "socket", "languages",
        "cache", "offered",
      ], of: "speech", named: Sentence(verbatim: entry.key))
    configuration.language = try map["language"]?.language()
    configuration.speech = try map.voiceSettings(volume: "volume")
    configuration.speechServer = try Self.speechServer(map)
    let offered: Sentence = "a list of up to 30 voices, such as [en-gb, flite:slt]"
    for (name, line) in try map["offered"]?.names(offered) ?? [] {
      configuration.offeredVoices.append(name)
      configuration.offeredLines[name] = line
    }
  }

  private static func speechServer(_ map: YamlMap) throws(FileFault) -> SpeechServer? {
    let place: SpeechServer.Place
    switch (map["command"], map["socket"]) {
    case (nil, nil):
      if let entry = map["languages"] ?? map["cache"] {
        throw entry.fault(
          "\(entry.key) without a server", expected: "command or socket beside it"
        )
      }
      return nil
    case (let entry?, nil):
      let expected: Sentence =
        "a list of the program and its arguments, such as [wyoming-piper, --uri, stdio://]"
      var words: [String] = []
      for item in try entry.items(named: "command", expected: expected) {
        words.append(try item.name(expected: expected, atMost: 4096))
      }
      place = .command(words)
    case (nil, let entry?):
      let path = try entry.name(expected: "the path of a socket")
      guard path.hasPrefix("/"), path.utf8.count <= 107 else {
        throw entry.fault(expected: "a path from / on, of at most 107 bytes")
      }
      place = .socket(path)
    case (_, let entry?):
      throw entry.fault("socket beside command", expected: "one of them")
    }
    var server = SpeechServer(place)
    if let entry = map["languages"] {
      server.languages = []
      for item in try entry.items(named: "languages", expected: "a list, such as [en, de]") {
        server.languages?.append(try item.language())
      }
    }
    if let size = try map["cache"]?.count(in: 1...4096) { server.cacheSize = size << 20 }
    return server
  }

  /// The map of `entry`, which has one or more of `keys` and no others.
  private static func settings(
    _ entry: YamlEntry, _ keys: [String], of whole: Sentence, named name: Sentence
  ) throws(FileFault) -> YamlMap {
    guard let map = entry.map else {
      throw entry.fault(
        "\(name) is \(entry.value.found)",
        expected: "one or more of \(keys.joined(separator: ", "))")
    }
    try map.checkKeys(keys, of: whole)
    return map
  }
}

extension YamlEntry {
  /// A list of up to 30 names, each with its line.
  fileprivate func names(
    _ expected: Sentence
  ) throws(FileFault) -> [(name: String, line: Int)] {
    let items = try items(named: key, expected: expected)
    guard items.count <= 30 else { throw fault(expected: expected) }
    return try items.map { item throws(FileFault) in
      (try item.name(expected: expected, atMost: 120), item.line)
    }
  }
}
