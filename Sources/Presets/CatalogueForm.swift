import IntervalTimeline
import Phrases

/// Reads a catalogue: a whole one, or changes to another one.
struct CatalogueForm {
  private static let needed = ["language", "voice", "plural", "units", "phases", "phrases"]
  /// The most words of workouts.
  private static let mostWords = 2000
  /// Screen texts are optional; the fallback is English. Intensities without words are said as they are written,
  /// readings as numbers.
  static let keys = needed + ["decimal", "intensity", "coaching", "screen", "words"]
  private static let expected: Sentence = "all of \(needed.joined(separator: ", "))"

  private var catalogue: PhraseCatalogue
  private let isWhole: Bool

  /// - Parameter base: provides what the file does not have; nil: the file must be complete.
  static func catalogue(
    _ root: YamlNode?, over base: PhraseCatalogue?
  ) throws(FileFault) -> PhraseCatalogue {
    guard let root else {
      if let base { return base }
      throw FileFault(line: 1, "an empty catalogue", expected: expected)
    }
    guard let map = YamlMap(root), base != nil || !map.entries.isEmpty else {
      throw FileFault(
        line: root.line, "a catalogue that is \(root.found)",
        expected: base == nil ? expected : "some of \(keys.joined(separator: ", "))")
    }
    try map.checkKeys(keys, of: "a catalogue")
    var form = CatalogueForm(
      catalogue: base
        ?? PhraseCatalogue(
          language: "", voice: "", plural: .other, units: [:], phases: [:], phrases: [:]),
      isWhole: base == nil)
    if base == nil {
      for key in needed { _ = try map.required(key, expected: expected) }
    }
    try form.read(map)
    return form.catalogue
  }

  private mutating func read(_ map: YamlMap) throws(FileFault) {
    if let language = try map["language"]?.language() { catalogue.language = language }
    if let voice = try map["voice"]?.name() { catalogue.voice = voice }
    let plural = map["plural"]
    if let plural {
      let rule = try self.rule(plural)
      // The forms of another plural rule are useless.
      if rule != catalogue.plural {
        catalogue.units = [:]
        catalogue.exact = [:]
      }
      catalogue.plural = rule
    }
    if let entry = map["units"] { try readUnits(entry) }
    for unit in CountUnit.needed where catalogue.units[unit] == nil {
      throw missing(unit.rawValue, "unit", CountUnit.needed, map["units"] ?? plural)
    }
    if let entry = map["phases"] { try readPhases(entry) }
    if let entry = map["phrases"] { try readPhrases(entry) }
    if let entry = map["decimal"] { catalogue.decimalSign = try entry.word(".", ",") }
    if let entry = map["intensity"] { try readIntensity(entry) }
    if let entry = map["coaching"] { try readCoaching(entry) }
    if let entry = map["screen"] { try readScreen(entry) }
    if let entry = map["words"] { try readWords(entry) }
  }

  private func rule(_ entry: YamlEntry) throws(FileFault) -> PluralRule {
    guard let rule = entry.value.text.flatMap({ PluralRule(rawValue: $0) }) else {
      let rules = PluralRule.allCases.map(\.rawValue).joined(separator: ", ")
      throw entry.fault(expected: "one of \(rules)")
    }
    return rule
  }

  private mutating func readUnits(_ entry: YamlEntry) throws(FileFault) {
    let units = try entries(
      entry, of: CountUnit.allCases, needing: CountUnit.needed)
    for (unit, entry) in units { try readForms(entry, of: unit) }
  }

  /// Reads `{one: eine Minute, other: "{n} Minuten"}`. A number as a key is for that number alone.
  private mutating func readForms(
    _ entry: YamlEntry, of unit: CountUnit
  ) throws(FileFault) {
    let rule = catalogue.plural
    let forms = rule.forms.map(\.rawValue)
    let map = try entry.map(expected: "a text for each of \(forms.joined(separator: ", "))")
    try map.checkKeys(rule.allForms.map(\.rawValue), of: Sentence(verbatim: entry.key)) {
      Self.number($0) != nil
    }
    for form in map.entries {
      if let number = Self.number(form.key) {
        let text = try form.unitForm(of: entry.key, isFixed: true)
        catalogue.exact[unit, default: [:]][number] = text
      } else if let name = PluralRule.Form(rawValue: form.key) {
        let text = try form.unitForm(of: entry.key, isFixed: rule.isOfOneNumber(name))
        catalogue.units[unit, default: [:]][name] = text
      }
    }
    for form in rule.forms where catalogue.units[unit]?[form] == nil {
      throw entry.fault(
        "no \(form.rawValue) in \(entry.key)",
        expected: "a text for each of \(forms.joined(separator: ", "))")
    }
  }

  /// A key from 0 to 10000.
  private static func number(_ key: String) -> Int64? {
    guard let number = Int64(key), (0...Int64(PresetLimits.count)).contains(number),
      key == String(number)
    else { return nil }
    return number
  }

  private mutating func readPhases(_ entry: YamlEntry) throws(FileFault) {
    for (kind, entry) in try entries(entry, of: PhaseKind.allCases) {
      catalogue.phases[kind] = try entry.plainWords()
    }
  }

  private mutating func readPhrases(_ entry: YamlEntry) throws(FileFault) {
    for (key, entry) in try entries(entry, of: PhraseKey.allCases, needing: PhraseKey.needed) {
      catalogue.phrases[key] = try entry.phrase()
    }
  }

  private mutating func readIntensity(_ entry: YamlEntry) throws(FileFault) {
    for (key, entry) in try entries(entry, of: IntensityKey.allCases, needing: []) {
      let text = try entry.displayText(key.values)
      for value in key.values where !text.contains("{\(value)}") {
        throw entry.fault(
          "no {\(value)} in \(entry.key)",
          expected: "a text with \(key.values.map { "{\($0)}" }.joined(separator: " and "))")
      }
      catalogue.intensity[key] = text
    }
  }

  private mutating func readCoaching(_ entry: YamlEntry) throws(FileFault) {
    for (key, entry) in try entries(entry, of: CoachingKey.allCases, needing: []) {
      catalogue.coaching[key] = try entry.displayText(key.values)
    }
  }

  private mutating func readScreen(_ entry: YamlEntry) throws(FileFault) {
    for (key, entry) in try entries(entry, of: ScreenKey.allCases, needing: []) {
      catalogue.screen[key] = try entry.displayText(key.values)
    }
  }

  /// Reads `{Focus: Konzentration}`: what workouts say in another language.
  private mutating func readWords(_ entry: YamlEntry) throws(FileFault) {
    guard let map = entry.map, map.entries.count <= Self.mostWords else {
      throw entry.fault(
        expected: "1 to \(Self.mostWords) names and texts of workouts, each with its words")
    }
    for entry in map.entries {
      let text = try entry.template()
      let had = Set((try? Template(entry.key))?.variables ?? [])
      if let variable = text.variables.first(where: { !had.contains($0) }) {
        throw entry.fault(
          "{\(variable.rawValue)} in the words for \"\(entry.key.prefix(60))\"",
          expected: "only variables that it has")
      }
      catalogue.words[entry.key] = text
    }
  }

  /// The keys of `entry` and their entries, which must have every key of `all`, or of `needed`, if the catalogue must be
  /// complete.
  private func entries<Key: RawRepresentable<String>>(
    _ entry: YamlEntry, of all: [Key], needing needed: [Key]? = nil
  ) throws(FileFault) -> [(key: Key, entry: YamlEntry)] {
    let keys = all.map(\.rawValue)
    let map = try entry.map(
      expected: "\(isWhole && needed == nil ? "each" : "some") of \(keys.joined(separator: ", "))")
    try map.checkKeys(keys, of: Sentence(verbatim: entry.key))
    if isWhole {
      let needed = needed ?? all
      for key in needed.map(\.rawValue) where map[key] == nil {
        throw missing(key, String(entry.key.dropLast()), needed, entry)
      }
    }
    return map.entries.compactMap { entry in Key(rawValue: entry.key).map { ($0, entry) } }
  }

  private func missing<Key: RawRepresentable<String>>(
    _ key: String, _ what: String, _ all: [Key], _ entry: YamlEntry?
  ) -> FileFault {
    FileFault(
      line: entry?.line, "no \(key)",
      expected: "every \(what): \(all.map(\.rawValue).joined(separator: ", "))")
  }
}
