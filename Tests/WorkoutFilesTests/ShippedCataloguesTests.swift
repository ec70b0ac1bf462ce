import FileFuzzing
import Foundation
import IntervalTimeline
import Testing
import WorkoutFiles

/// The catalogues in the repository's folder.
@Suite struct ShippedCataloguesTests {
  static let languages = ["de", "en", "es", "fr", "it", "nl", "pl", "pt"]
  private static let otherLanguages = languages.filter { $0 != "en" }

  private static let folder = ShippedPresets.folder.deletingLastPathComponent()
    .appendingPathComponent("Sounds/phrases").path

  static func path(_ language: String) -> String { "\(folder)/\(language).yaml" }

  static func catalogue(_ language: String) throws -> PhraseCatalogue {
    try PhraseFile.read(path: path(language))
  }

  @Test func everyCatalogueIsInTheTable() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder).sorted()
    #expect(files == Self.languages.map { $0 + ".yaml" })
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
    .stretch: [.length], .opening: [.workout, .total],
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

  @Test(arguments: otherLanguages)
  func everySentenceOfAScreenIsTranslated(language: String) throws {
    let catalogue = try Self.catalogue(language)
    for (key, english) in PhraseCatalogue.englishScreen where english.count > 20 {
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
        catalogue.screen[$0] == PhraseCatalogue.englishScreen[$0]
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
