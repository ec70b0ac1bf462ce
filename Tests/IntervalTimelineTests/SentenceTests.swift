import Foundation
import IntervalTimeline
import TestSupport
import Testing

/// What the program says to people, in several languages.
@Suite struct SentenceTests {
  private static let german = [
    "{} is {}, expected {}": "{} ist {}; erwartet: {}",
    "empty": "leer",
    "a number from {} to {}": "eine Zahl von {} bis {}",
    "{} without quotes": "{} ohne Anführungszeichen",
    "no {} in {}": "{2} hat kein {1}",
    "such as {reps: 12} or {}": "zum Beispiel {reps: 12} oder {}",
  ]

  private func sentence(_ found: Sentence, quotes: Bool = true) -> Sentence {
    let range: Sentence = "a number from \(1) to \(99)"
    return "\("sets") is \(found), expected \(quotes ? range : "\(range) without quotes")"
  }

  @Test func withoutALanguageItIsEnglish() {
    let whole = sentence("empty")
    #expect(whole.text == "sets is empty, expected a number from 1 to 99")
    #expect(whole.text(in: [:]) == whole.text && "\(whole)" == whole.text)
  }

  @Test func theSentencesInItAreTranslatedToo() {
    #expect(
      sentence("empty", quotes: false).text(in: Self.german)
        == "sets ist leer; erwartet: eine Zahl von 1 bis 99 ohne Anführungszeichen")
    // What somebody has written stays, whatever it is.
    #expect(
      sentence(Sentence(verbatim: "empty {1} {}")).text(in: Self.german)
        == "sets ist empty {1} {}; erwartet: eine Zahl von 1 bis 99")
  }

  @Test func valuesMayHaveAnotherOrderAndBracesAreNone() {
    let order: Sentence = "no \("rest") in \("hills")"
    #expect(order.text(in: Self.german) == "hills hat kein rest")
    let braces: Sentence = "such as {reps: 12} or \("12m")"
    #expect(braces.text == "such as {reps: 12} or 12m")
    #expect(braces.text(in: Self.german) == "zum Beispiel {reps: 12} oder 12m")
    // A value that is missing is shown as it is written.
    #expect(order.text(in: ["no {} in {}": "{3} {} {"]) == "{3} rest {")
  }

  @Test func itIsWrittenAsItsText() throws {
    let data = try JSONEncoder().encode([sentence("empty")])
    #expect(String(decoding: data, as: UTF8.self) == "[\"\(sentence("empty"))\"]")
    let read = try JSONDecoder().decode([Sentence].self, from: data)
    #expect(read == [sentence("empty")] && read[0].pattern == nil)
  }

  @Test func everyLanguageHasTheSameMessages() throws {
    let german = try #require(Translated.files["de.json"])
    #expect(
      Set(Translated.files.keys)
        == Set(["de", "es", "fr", "it", "nl", "pl", "pt"].map { "\($0).json" }))
    for (file, messages) in Translated.files {
      #expect(Set(messages.keys) == Set(german.keys), "\(file)")
      for (pattern, text) in messages {
        let count = pattern.ranges(of: "{}").count
        let numbers = text.matches(of: /\{(\d+)\}/).compactMap { Int($0.1) }
        #expect(
          numbers.isEmpty
            ? text.ranges(of: "{}").count == count : numbers.sorted() == Array(1...count),
          "\(file): \(text)")
        #expect(!text.isEmpty, "\(file): \(pattern)")
      }
    }
  }
}
