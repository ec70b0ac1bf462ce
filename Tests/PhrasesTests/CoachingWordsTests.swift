import IntervalTimeline
import Phrases
import Testing

struct CoachingWordsTests {
  private static let texts: [(CoachingText, String, String)] = [
    (.low(.watts, 170, target: nil), "170, more power", "{watts}, more power"),
    (.high(.heartRate, 161, target: nil), "161, slow down", "{heart-rate}, slow down"),
    (.low(.cadence, 0, target: nil), "0, faster", "{cadence}, faster"),
    (.high(.strokeRate, 30, target: nil), "30, rate down", "{stroke-rate}, rate down"),
    // A small number is a fast pace.
    (.low(.pace, 110, target: nil), "1 minute 50, slow down", "{pace}, slow down"),
    (.high(.pace, 125.4, target: nil), "2 minutes 5 seconds, speed up", "{pace}, speed up"),
    (.high(.speed, 12.34, target: nil), "12.3, slow down", "{speed}, slow down"),
    (.low(.speed, 12, target: nil), "12, speed up", "{speed}, speed up"),
    (
      .low(.watts, 150.4, target: 180.2), "150, more power, target 180",
      "{watts}, more power, target 180"
    ),
    (
      .high(.pace, 130, target: 120), "2 minutes 10, speed up, target 2 minutes",
      "{pace}, speed up, target 2 minutes"
    ),
    (.onTarget(.watts, 200), "200, on target", "{watts}, on target"),
    (.lost(.watts), "No power reading", "No power reading"),
    (.back(.heartRate, 150), "Heart rate is back, 150", "Heart rate is back, {heart-rate}"),
    (.value(.heartRate, 148), "148", "{heart-rate}"),
    (.alarm(182), "Heart rate 182, too high", "Heart rate {heart-rate}, too high"),
  ]

  @Test(arguments: texts)
  func readingIsSaidAndKeptWithoutItsNumber(text: CoachingText, words: String, template: String) {
    #expect(PhraseCatalogue.english.words(of: text) == words)
    #expect(PhraseCatalogue.english.template(of: text) == template)
  }

  @Test(arguments: texts)
  func withoutWordsTheNumberIsSaidAlone(text: CoachingText, words: String, template: String) {
    var catalogue = PhraseCatalogue.english
    catalogue.coaching = [:]
    let number = String(words.filter { $0.isNumber || $0 == "." })
    switch text {
    case .lost: #expect(catalogue.words(of: text) == "")
    case .low(_, _, .some), .high(_, _, .some):
      #expect(words.hasPrefix(catalogue.words(of: text) + ", "))
    case .low(.pace, _, _), .high(.pace, _, _):
      #expect(words.hasPrefix(catalogue.words(of: text) + ", "))
    default: #expect(catalogue.words(of: text) == number)
    }
    #expect(!catalogue.template(of: text).contains(", "))
  }

  @Test func aRampWithoutWordsIsSaidWithoutItsTarget() {
    var catalogue = PhraseCatalogue.english
    catalogue.coaching[.ramp] = nil
    #expect(catalogue.words(of: .low(.watts, 150, target: 180)) == "150, more power")
  }

  @Test func everyKeyHasItsNameAndItsEnglish() {
    #expect(Set(CoachingKey.allCases.map(\.rawValue)).count == 28)
    for key in CoachingKey.allCases {
      #expect(CoachingKey(rawValue: key.rawValue) == key)
      let text = PhraseCatalogue.english.coaching[key]
      #expect(key.values.allSatisfy { text?.contains("{\($0)}") == true }, "\(key.rawValue)")
    }
    #expect(CoachingKey(rawValue: "watts") == nil)
  }

  @Test func oddNumbersDoNoHarm() {
    for number in [-1, .nan, .infinity, -1e300, 1e300, 9e18] as [Double] {
      for kind in TargetKind.allCases {
        let text = PhraseCatalogue.english.words(of: .high(kind, number, target: number))
        #expect(!text.isEmpty)
      }
    }
  }
}
