import IntervalTimeline

/// Writes a workout as a preset in the general form, which `PresetFile` reads as the same workout.
public struct PresetWriter {
  private var lines: [String] = []

  /// The text of a preset for `workout`, which can be laid out as a `Timeline`. Blocks, sets, phases, texts and the
  /// style are as they were.
  public static func text(of workout: Workout) -> String {
    var writer = PresetWriter()
    writer.write(workout)
    return writer.lines.joined(separator: "\n") + "\n"
  }

  private mutating func write(_ workout: Workout) {
    add(0, "name", scalar(workout.name))
    write(workout.facts)
    add(0, "ftp", workout.thresholdPower.map(Intensity.text(of:)))
    add(0, "note", workout.note.map(scalar))
    add(0, "link", workout.link.map(quotedScalar))
    add(0, "seed", workout.seed.map { String($0.number) })
    write(workout.style)
    let values = workout.values.union(
      workout.style.phrases.values.flatMap(\.wordings).flatMap(\.values))
    if !values.isEmpty { add(0, "values", "[\(values.sorted().joined(separator: ", "))]") }
    lines.append("blocks:")
    for block in workout.blocks { write(block) }
  }

  private mutating func write(_ facts: WorkoutFacts) {
    add(0, "description", facts.description.map(scalar))
    add(0, "for", facts.audience.map(scalar))
    add(0, "author", facts.author.map(scalar))
    add(0, "source", facts.source.map(scalar))
    guard !facts.tags.isEmpty else { return }
    add(0, "tags", "[\(facts.tags.map(tag).joined(separator: ", "))]")
  }

  /// YAML takes "10" for a number, and "no" and "1-2" for other things.
  private func tag(_ tag: String) -> String {
    tag.allSatisfy(\.isLetter) ? scalar(tag) : quotedScalar(tag)
  }

  // MARK: Style

  private mutating func write(_ style: AnnouncementStyle) {
    add(0, "language", style.language.map(scalar))
    add(0, "voice", style.voice.name.map(scalar))
    add(0, "variant", style.voice.variant.map(scalar))
    add(0, "rate", style.voice.rate.map(String.init))
    add(0, "pitch", style.voice.pitch.map(String.init))
    add(0, "speech-volume", style.voice.volume.map(String.init))
    add(0, "sounds", style.sounds.map(scalar))
    add(0, "density", byKind(style.density, style.densities, \.rawValue))
    add(0, "countdown", byKind(style.countdown, style.countdowns ?? [:]) { String($0) })
    add(0, "acknowledge", style.acknowledge.map(commands))
    guard !style.phrases.isEmpty else { return }
    lines.append("phrases:")
    for key in PhraseKey.allCases {
      if let phrase = style.phrases[key] { add(2, key.rawValue, wordings(phrase.wordings)) }
    }
  }

  /// One value, or `{all: normal, rest: full}`.
  private func byKind<Value>(
    _ all: Value?, _ kinds: [PhaseKind: Value], _ text: (Value) -> String
  ) -> String? {
    guard !kinds.isEmpty else { return all.map(text) }
    let all = all.map { ["all: \(text($0))"] } ?? []
    let others = PhaseKind.allCases.compactMap { kind in
      kinds[kind].map { "\(kind.rawValue): \(text($0))" }
    }
    return "{\((all + others).joined(separator: ", "))}"
  }

  private func commands(_ commands: Set<Acknowledgement>) -> String {
    if commands.isEmpty { return "none" }
    let names = Acknowledgement.allCases.filter { commands.contains($0) }.map(\.rawValue)
    return names.joined(separator: ", ")
  }

  /// A text, a list of texts, or `silent`.
  private func wordings(_ wordings: [Template]) -> String {
    if wordings.isEmpty { return "silent" }
    let texts = wordings.map { quotedScalar($0.source) }
    return texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ", "))]"
  }

  // MARK: Phases

  private mutating func write(_ block: Block) {
    var start = "  - "
    if let sets = block.sets {
      lines.append("\(start)sets: \(sets)")
      start = "    "
    } else if let numbering = block.numbering {
      lines.append("\(start)count: \(numbering.rawValue)")
      start = "    "
    }
    lines.append("\(start)phases:")
    for step in block.steps {
      write(step.phase, first: "      - ", rest: 8)
      if step.skippedInLastSet, block.sets != nil { add(8, "last", "skip") }
      if block.numbering == .marked { add(8, "set", step.set.map(String.init)) }
    }
    guard let between = block.between else { return }
    lines.append("    between:")
    write(between, first: "      ", rest: 6)
  }

  private mutating func write(_ phase: Phase, first: String, rest: Int) {
    let length = TempoForm.written(phase) ?? length(phase.length)
    lines.append("\(first)\(phase.kind.rawValue): \(length)")
    add(rest, "name", phase.name.map(scalar))
    let target = TargetForm.written(phase)
    add(rest, "target", target?.target)
    add(rest, "intensity", (target == nil ? phase.intensity : target?.rest).map(scalar))
    add(rest, "metronome", phase.metronome.map(MetronomeForm.text))
    add(rest, "rounds", phase.total.map { quotedScalar($0.source) })
    add(rest, "surprise", phase.isSurprise ? "yes" : nil)
    add(rest, "course", phase.course?.rawValue)
    add(rest, "note", phase.note.map(scalar))
    add(rest, "link", phase.link.map(quotedScalar))
    guard !phase.remarks.isEmpty else { return }
    lines.append(String(repeating: " ", count: rest) + "say:")
    for remark in phase.remarks {
      let at =
        switch remark.place {
        case .fromStart(let time): LengthText.text(of: time)
        case .beforeEnd(let time): "-" + LengthText.text(of: time)
        }
      add(rest + 2, "- at", at)
      add(rest + 4, "text", wordings(remark.wordings))
    }
  }

  private func length(_ length: PhaseLength) -> String {
    switch length {
    case .fixed(let duration): return LengthText.text(of: duration)
    case .open(let end, let bounds):
      var parts =
        switch end {
        case .reps(let reps): ["reps: \(reps)"]
        case .untilNext: ["until: next"]
        case .heartRate(let limit): ["until: {heart-rate: below \(limit)}"]
        case .signal(let name): ["until: \(name)"]
        case .sendOff(let time): ["on: \(LengthText.text(of: time))"]
        }
      if let atLeast = bounds.atLeast { parts.append("at-least: \(LengthText.text(of: atLeast))") }
      if let atMost = bounds.atMost { parts.append("at-most: \(LengthText.text(of: atMost))") }
      if let about = bounds.about { parts.append("about: \(LengthText.text(of: about))") }
      return "{\(parts.joined(separator: ", "))}"
    }
  }

  // MARK: Texts

  /// Nothing for nil.
  private mutating func add(_ indent: Int, _ key: String, _ value: String?) {
    guard let value else { return }
    lines.append(String(repeating: " ", count: indent) + "\(key): \(value)")
  }

  /// Without quotes where nobody could take it for anything but a text.
  private func scalar(_ text: String) -> String {
    let plain = { (character: Character) in
      character.isASCII
        && (character.isLetter || character.isNumber || " ,.%/+-()".contains(character))
    }
    let words: Set = ["null", "true", "false", "yes", "no", "on", "off", "silent"]
    guard let first = text.first, first.isASCII, first.isLetter || first.isNumber,
      text.last != " ", text.allSatisfy(plain), text.contains(where: \.isLetter),
      !words.contains(text.lowercased())
    else { return quotedScalar(text) }
    return text
  }

  /// A text in single quotes, as YAML has it.
  package static func singleQuoted(_ text: String) -> String {
    // By scalars: an accent may follow an apostrophe, and is one character with it.
    let parts = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.map { String($0) }.joined(separator: "''") + "'"
  }

  private func quotedScalar(_ text: String) -> String {
    // What no preset may hold is not written, wherever the workout is from.
    Self.singleQuoted(NameRule.workout.fitted(text))
  }
}
