import Foundation
import IntervalTimeline
import Phrases
import Presets
import TestSupport
import Testing

/// The catalogues in the repository's folder.
@Suite struct ShippedCataloguesTests {
  static let languages = ["de", "en", "es", "fr", "it", "nl", "pl", "pt"]
  private static let otherLanguages = languages.filter { $0 != "en" }

  private static let folder = SourceTree.path("Sounds/phrases")

  static func path(_ language: String) -> String { "\(folder)/\(language).yaml" }

  static func catalogue(_ language: String) throws -> PhraseCatalogue {
    try PhraseFile.read(path: path(language))
  }

  @Test func everyCatalogueIsInTheTable() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder).sorted()
    #expect(files.filter { $0 != "messages" } == Self.languages.map { $0 + ".yaml" })
  }

  @Test func englishIsTheOneThatIsBuiltIn() throws {
    #expect(try Self.catalogue("en") == .english)
  }

  @Test(arguments: languages)
  func catalogueSpeaksItsLanguage(language: String) throws {
    let catalogue = try Self.catalogue(language)
    #expect(catalogue.language == language)
    #expect(catalogue.voice.hasPrefix(language))
    #expect(Set(catalogue.phases.values).count == PhaseKind.allCases.count)
  }

  private static let values: [Variable: String] = [
    .set: "3", .sets: "8", .phase: "P", .next: "N", .length: "4 L", .remaining: "12 R",
    .elapsed: "5 E", .reps: "12", .repetitions: "12 W", .counted: "7", .intensity: "95 P",
    .workout: "W",
    .total: "40 L", .setCount: "4 S", .work: "16 L", .times: "6 T", .group: "G",
  ]

  @Test(arguments: languages)
  func everyWordingIsSaidWhereEveryValueIsKnown(language: String) throws {
    let catalogue = try Self.catalogue(language)
    for key in PhraseKey.allCases where catalogue.phrases[key] != nil {
      let wordings = catalogue.wordings(key) { Self.values[$0] }
      #expect(wordings.count == catalogue.phrases[key]?.wordings.count)
      let lengths = wordings.map(\.count)
      #expect(lengths.first == lengths.max(), "\(key.rawValue)")
      #expect(lengths.last == lengths.min(), "\(key.rawValue)")
      // About five syllables besides the values; a stretch of a course leaves time for more.
      #expect(
        lengths.last ?? .max <= (key == .stretch ? 32 : 22),
        "\(key.rawValue): \(wordings.last ?? "")")
      #expect(wordings.allSatisfy { !$0.contains("{") && !$0.contains("}") })
    }
  }

  /// The variables that always have a value when a phrase is said.
  private static let known: [PhraseKey: Set<Variable>] = [
    .setCompletion: [.set, .sets, .phase], .halfway: [.phase], .next: [.next, .phase], .finish: [],
    .position: [.phase], .timeLeft: [.remaining, .phase], .elapsed: [.elapsed, .phase],
    .paused: [.phase], .resumed: [.phase], .skipped: [.phase], .wentBack: [.phase],
    .stopQuestion: [], .lastOne: [.next, .phase], .begins: [.phase], .group: [.times, .group],
    .stretch: [.length], .opening: [.workout, .total], .stopped: [.elapsed], .setComplete: [.set],
  ]

  @Test(arguments: languages)
  func everyPhraseIsSaidWithWhatIsAlwaysKnown(language: String) throws {
    let catalogue = try Self.catalogue(language)
    for key in PhraseKey.allCases {
      let known = try #require(Self.known[key])
      let wordings = catalogue.wordings(key) { known.contains($0) ? Self.values[$0] : nil }
      #expect(!wordings.isEmpty, "\(key.rawValue)")
    }
  }

  @Test(arguments: languages)
  func theAnswersLettersAreNamedInTheQuestion(language: String) throws {
    let prompt = try Self.catalogue(language).screen(.answerPrompt)
    let words = prompt.split { !$0.isLetter }.map(String.init)
    #expect(words.filter { ["c", "h", "e"].contains($0) } == ["c", "h", "e"])
  }

  /// What a listener hears of a shipped preset: its title, its names, its texts and its own phrases.
  private static func words(of file: String) throws -> Set<String> {
    let timeline = try ShippedPresets.timeline(file)
    var words: Set = [timeline.workout.name]
    for entry in timeline.entries {
      if let name = entry.phase.name { words.insert(name) }
      for remark in entry.phase.remarks { words.formUnion(remark.wordings.map(\.source)) }
      if let total = entry.phase.total { words.insert(total.source) }
    }
    for phrase in timeline.workout.style.phrases.values {
      words.formUnion(phrase.wordings.map(\.source))
    }
    // A number is the same in every language, and so is a variable alone.
    return words.filter { word in
      Int(word) == nil && !(word.hasPrefix("{") && word.hasSuffix("}"))
    }
  }

  @Test(arguments: otherLanguages)
  func everyWordOfAShippedPresetIsTranslated(language: String) throws {
    let catalogue = try Self.catalogue(language)
    for file in try ShippedPresets.files() {
      let missing = try Self.words(of: file).filter { catalogue.words[$0] == nil }
      #expect(missing.isEmpty, "\(file)")
    }
    for (word, text) in catalogue.words {
      let there = Set(try Template(word).variables)
      #expect(Set(text.variables) == there, "\(word)")
    }
  }

  @Test(arguments: otherLanguages)
  func everySentenceOfAScreenIsTranslated(language: String) throws {
    let catalogue = try Self.catalogue(language)
    for (key, english) in ScreenKey.english where english.count > 20 {
      #expect(catalogue.screen[key] != english, "\(key.rawValue)")
    }
  }

  @Test(arguments: languages)
  func everyTextOfAScreenIsThereWithAllItsValues(language: String) throws {
    let catalogue = try Self.catalogue(language)
    for key in ScreenKey.allCases {
      let text = try #require(catalogue.screen[key])
      for value in key.values { #expect(text.contains("{\(value)}"), "\(key.rawValue)") }
      #expect(!catalogue.screen(key).contains("{"))
    }
    // Each key is the same in every language.
    let keys: [(ScreenKey, String)] = [
      (.nextKey, "n "), (.backKey, "b "), (.whereKey, "w "), (.stopKey, "q "), (.allKey, "0 "),
    ]
    for (key, start) in keys { #expect(catalogue.screen(key).hasPrefix(start)) }
    if language != "en" {
      let same = ScreenKey.allCases.filter {
        catalogue.screen[$0] == ScreenKey.english[$0]
      }
      #expect(same.count <= 3, "\(same)")
    }
  }

  private static let durations: [(String, Int, String)] = [
    ("pl", 0, "0 sekund"), ("pl", 1, "jedna sekunda"), ("pl", 2, "dwie sekundy"),
    ("pl", 3, "3 sekundy"), ("pl", 5, "5 sekund"), ("pl", 12, "12 sekund"),
    ("pl", 21, "21 sekund"), ("pl", 22, "dwadzieścia dwie sekundy"), ("pl", 24, "24 sekundy"),
    ("pl", 60, "jedna minuta"), ("pl", 7325, "dwie godziny dwie minuty 5 sekund"),
    ("fr", 0, "0 seconde"), ("fr", 1, "une seconde"), ("fr", 2, "2 secondes"),
    ("fr", 5, "5 secondes"), ("fr", 12, "12 secondes"), ("fr", 21, "vingt et une secondes"),
    ("fr", 22, "22 secondes"), ("fr", 3690, "une heure une minute 30 secondes"),
    ("de", 0, "0 Sekunden"), ("de", 1, "eine Sekunde"), ("de", 2, "2 Sekunden"),
    ("de", 5, "5 Sekunden"), ("de", 12, "12 Sekunden"), ("de", 22, "22 Sekunden"),
    ("de", 3661, "eine Stunde eine Minute eine Sekunde"),
    ("es", 60, "un minuto"), ("es", 1260, "veintiún minutos"), ("es", 3600, "una hora"),
    ("it", 3600, "un'ora"), ("it", 61, "un minuto un secondo"), ("nl", 7260, "2 uur één minuut"),
    ("pt", 7320, "duas horas 2 minutos"), ("en", 90, "1 minute 30 seconds"),
  ]

  @Test(arguments: durations)
  func durationHasItsPluralForms(language: String, seconds: Int, text: String) throws {
    #expect(try Self.catalogue(language).duration(.seconds(seconds)) == text)
  }

  private static let reps: [(String, Int64, String)] = [
    ("pl", 0, "0 powtórzeń"), ("pl", 1, "jedno powtórzenie"), ("pl", 2, "2 powtórzenia"),
    ("pl", 5, "5 powtórzeń"), ("pl", 12, "12 powtórzeń"), ("pl", 22, "22 powtórzenia"),
    ("fr", 0, "0 répétition"), ("fr", 1, "une répétition"), ("fr", 2, "2 répétitions"),
    ("fr", 5, "5 répétitions"), ("fr", 12, "12 répétitions"), ("fr", 22, "22 répétitions"),
    ("de", 0, "0 Wiederholungen"), ("de", 1, "eine Wiederholung"), ("de", 2, "2 Wiederholungen"),
    ("de", 5, "5 Wiederholungen"), ("de", 12, "12 Wiederholungen"),
    ("de", 22, "22 Wiederholungen"), ("pt", 2, "duas repetições"), ("es", 1, "una repetición"),
  ]

  @Test(arguments: reps)
  func repetitionsHaveTheirPluralForms(language: String, count: Int64, text: String) throws {
    #expect(try Self.catalogue(language).count(count, .rep) == text)
  }

  /// "Do" would need another form of the minutes than `units` has.
  @Test func polishPacesNeedNoOtherFormOfTheirUnits() throws {
    let catalogue = try Self.catalogue("pl")
    let texts = ["2:00-1:55/500 m", "from 5:00 to 4:30/km", "190 to 210 W"]
    #expect(
      try texts.map { try catalogue.words(of: #require(Intensity(reading: $0))) } == [
        "jedna minuta 55, najwyżej dwie minuty na 500 metrów",
        "najpierw 5 minut, na końcu 4 minuty 30 na kilometr", "190 do 210 watów",
      ])
  }

  private static let intensities = [
    "95.4 % FTP", "from 50 to 75 % FTP", "90 to 95 % HRmax", "190 to 210 W", "91 rpm", "Z3",
    "RPE 7",
    "4:30/km", "2:05/500 m", "62.5 kg", "1 kg", "22 W", "12.5 km/h",
  ]

  /// What each of `intensities` is in each language, with its forms of numbers and units.
  private static let spoken = [
    "en": [
      "95 percent", "from 50 to 75 percent", "90 to 95 percent of maximum heart rate",
      "190 to 210 watts", "91 revolutions per minute", "zone 3", "effort 7 of 10",
      "4 minutes 30 per kilometre", "2 minutes 5 seconds per 500 metres", "62.5 kilograms",
      "1 kilogram", "22 watts", "12.5 kilometres per hour",
    ],
    "de": [
      "95 Prozent", "von 50 auf 75 Prozent", "90 bis 95 Prozent der maximalen Herzfrequenz",
      "190 bis 210 Watt", "91 Umdrehungen pro Minute", "Zone 3", "Anstrengung 7 von 10",
      "4 Minuten 30 pro Kilometer", "2 Minuten 5 Sekunden pro 500 Meter", "62,5 Kilogramm",
      "ein Kilogramm", "22 Watt", "12,5 Kilometer pro Stunde",
    ],
    "fr": [
      "95 pour cent", "de 50 à 75 pour cent",
      "90 à 95 pour cent de la fréquence cardiaque maximale", "190 à 210 watts",
      "91 tours par minute", "zone 3", "effort 7 sur 10", "4 minutes 30 au kilomètre",
      "2 minutes 5 secondes aux 500 mètres", "62,5 kilos", "1 kilo", "22 watts",
      "12,5 kilomètres par heure",
    ],
    "es": [
      "95 por ciento", "de 50 a 75 por ciento",
      "90 a 95 por ciento de la frecuencia cardíaca máxima", "190 a 210 vatios",
      "noventa y una vueltas por minuto", "zona 3", "esfuerzo 7 de 10",
      "4 minutos 30 por kilómetro", "2 minutos 5 segundos por 500 metros", "62,5 kilogramos",
      "un kilogramo", "22 vatios", "12,5 kilómetros por hora",
    ],
    "it": [
      "95 per cento", "da 50 a 75 per cento",
      "tra 90 e 95 per cento della frequenza cardiaca massima", "tra 190 e 210 watt",
      "91 giri al minuto", "zona 3", "sforzo 7 su 10", "4 minuti 30 al chilometro",
      "2 minuti 5 secondi ogni 500 metri", "62,5 chili", "un chilo", "22 watt",
      "12,5 chilometri all'ora",
    ],
    "nl": [
      "95 procent", "van 50 naar 75 procent", "90 tot 95 procent van de maximale hartslag",
      "190 tot 210 watt", "91 omwentelingen per minuut", "zone 3", "inspanning 7 van 10",
      "4 minuten 30 per kilometer", "2 minuten 5 seconden per 500 meter", "62,5 kilo",
      "één kilo", "22 watt", "12,5 kilometer per uur",
    ],
    "pt": [
      "95 por cento", "de 50 a 75 por cento", "90 a 95 por cento da frequência cardíaca máxima",
      "190 a 210 watts", "noventa e uma rotações por minuto", "zona 3", "esforço 7 de 10",
      "4 minutos 30 por quilómetro", "2 minutos 5 segundos por 500 metros", "62,5 quilos",
      "um quilo", "22 watts", "12,5 quilómetros por hora",
    ],
    "pl": [
      "95 procent", "od 50 do 75 procent", "90 do 95 procent tętna maksymalnego",
      "190 do 210 watów", "91 obrotów na minutę", "strefa 3", "wysiłek 7 na 10",
      "4 minuty 30 na kilometr", "dwie minuty 5 sekund na 500 metrów", "62,5 kilograma",
      "jeden kilogram", "22 waty", "12,5 kilometra na godzinę",
    ],
  ]

  @Test(arguments: languages)
  func intensityIsSpoken(language: String) throws {
    let catalogue = try Self.catalogue(language)
    let words = try Self.intensities.map {
      try catalogue.words(of: #require(Intensity(reading: $0)))
    }
    #expect(words == Self.spoken[language])
  }

  @Test(arguments: languages)
  func everyMeasureHasItsWords(language: String) throws {
    let catalogue = try Self.catalogue(language)
    let keys = Set(catalogue.intensity.keys).union([.paceRange, .paceRamp])
    #expect(keys == Set(IntensityKey.allCases))
    #expect(Set(catalogue.units.keys) == Set(CountUnit.allCases))
    for measure in Intensity.Measure.allCases {
      for amount in [.one(65.5), .range(65, 70), .ramp(65, 70)] as [Intensity.Amount] {
        let intensity = Intensity(measure, amount)
        let words = catalogue.words(of: intensity)
        #expect(!words.contains { "{}%/:".contains($0) }, "\(words)")
        #expect(language == "en" || !words.contains(" to "), "\(words)")
      }
    }
  }

  private static let coached: [CoachingText] = [
    .low(.watts, 170, target: nil), .high(.heartRate, 161, target: nil),
    .low(.watts, 150, target: 180), .high(.pace, 130, target: nil),
    .low(.speed, 12.34, target: nil),
    .onTarget(.watts, 200), .lost(.heartRate), .back(.heartRate, 150), .alarm(182),
  ]

  /// What each of `coached` is in each language.
  private static let coaching = [
    "en": [
      "170, more power", "161, slow down", "150, more power, target 180", "2 minutes 10, speed up",
      "12.3, speed up", "200, on target", "No heart rate", "Heart rate is back, 150",
      "Heart rate 182, too high",
    ],
    "de": [
      "170, mehr Druck", "161, langsamer", "150, mehr Druck, Ziel 180", "2 Minuten 10, schneller",
      "12,3, schneller", "200, passt so", "Kein Pulssignal", "Puls ist da, 150",
      "Puls 182 zu hoch",
    ],
    "fr": [
      "170, plus fort", "161, ralentis", "150, plus fort, objectif 180", "2 minutes 10, accélère",
      "12,3, accélère", "200, c'est bon", "Pas de signal cardio", "Cardio retrouvé, 150",
      "Cardio à 182, trop haut",
    ],
    "es": [
      "170, más potencia", "161, afloja", "150, más potencia, objetivo 180",
      "2 minutos 10, acelera", "12,3, acelera", "200, vas bien", "Sin señal de pulso",
      "Hay pulso, 150", "Pulso 182, demasiado alto",
    ],
    "it": [
      "170, più potenza", "161, rallenta", "150, più potenza, obiettivo 180",
      "2 minuti 10, accelera", "12,3, accelera", "200, così va bene", "Nessun dato cardiaco",
      "Torna il battito, 150", "Battito 182, troppo alto",
    ],
    "nl": [
      "170, meer vermogen", "161, langzamer", "150, meer vermogen, doel 180",
      "2 minuten 10, sneller", "12,3, sneller", "200, precies goed", "Geen hartslagmeting",
      "Hartslag is terug, 150", "Hartslag 182, te hoog",
    ],
    "pl": [
      "170, więcej mocy", "161, wolniej", "150, więcej mocy, cel 180", "dwie minuty 10, szybciej",
      "12,3, szybciej", "200, dobrze", "Brak odczytu tętna", "Jest tętno, 150",
      "Tętno 182, za wysokie",
    ],
    "pt": [
      "170, mais potência", "161, abranda", "150, mais potência, meta 180",
      "2 minutos 10, acelera", "12,3, acelera", "200, está bem", "Sem leitura do pulso",
      "Há pulso, 150", "Pulso 182, muito alto",
    ],
  ]

  @Test(arguments: languages)
  func readingsAreSpoken(language: String) throws {
    let catalogue = try Self.catalogue(language)
    #expect(Self.coached.map { catalogue.words(of: $0) } == Self.coaching[language])
    #expect(Set(catalogue.coaching.keys) == Set(CoachingKey.allCases))
    #expect(catalogue.length(.open(.heartRate(below: 120)))?.contains(" 120") == true)
    for (key, text) in catalogue.coaching {
      #expect(key.values.allSatisfy { text.contains("{\($0)}") }, "\(key.rawValue)")
      #expect(language == "en" || text != PhraseCatalogue.english.coaching[key])
    }
    // Up and down are never the same, nor is the loss of a sensor its return.
    for kind in TargetKind.allCases {
      #expect(catalogue.coaching[.up(kind)] != catalogue.coaching[.down(kind)])
      #expect(catalogue.coaching[.lost(kind)] != catalogue.coaching[.back(kind)])
    }
  }

  @Test(arguments: 1...4)
  func damagedCatalogueIsACatalogueOrOneLine(seed: UInt64) throws {
    let files = try Self.languages.map { language in
      try [UInt8](Data(contentsOf: URL(fileURLWithPath: Self.path(language))))
    }
    var generator = SeededGenerator(seed: seed)
    var catalogues = 0
    for _ in 0..<150 {
      var bytes = files.randomElement(using: &generator)!
      Damage.strike(&bytes, using: &generator)
      do throws(FileError) {
        let catalogue = try PhraseFile.parse(bytes, file: "de.yaml")
        catalogues += 1
        #expect(PhraseKey.needed.allSatisfy { catalogue.phrases[$0] != nil })
        #expect(!catalogue.duration(.seconds(3661)).isEmpty)
      } catch {
        let text = error.description
        #expect(text.hasPrefix("de.yaml:") && text.contains(", expected "))
        #expect(text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
        #expect(text.count < 300, "\(text)")
      }
    }
    #expect((1..<150).contains(catalogues))
  }
}
