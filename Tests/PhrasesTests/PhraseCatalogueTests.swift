import IntervalTimeline
import Phrases
import Testing

struct PhraseCatalogueTests {
  @Test(arguments: [
    (0, "0 seconds"), (1, "1 second"), (999, "1 second"), (60_000, "1 minute"),
    (60_001, "1 minute 1 second"), (3_600_000, "1 hour"),
    (7_325_000, "2 hours 2 minutes 5 seconds"),
    (-5, "0 seconds"),
  ])
  func durationIsRoundedUpToWholeSeconds(milliseconds: Int, text: String) {
    #expect(PhraseCatalogue.english.duration(.milliseconds(milliseconds)) == text)
  }

  @Test func singleNumberHasItsOwnFormBeforeTheRules() {
    var catalogue = PhraseCatalogue.english
    catalogue.exact[.minute] = [2: "a couple of minutes", 21: "{n} long minutes"]
    #expect(catalogue.count(1, .minute) == "1 minute")
    #expect(catalogue.count(2, .minute) == "a couple of minutes")
    #expect(catalogue.count(21, .minute) == "21 long minutes")
    #expect(catalogue.count(2, .second) == "2 seconds")
  }

  @Test func intensityWithoutWordsIsSaidAsItIsWritten() {
    var catalogue = PhraseCatalogue.english
    let phase = Phase(.high, .fixed(.seconds(9)), intensity: "95% FTP, Z3, 90rpm, seated")
    #expect(
      catalogue.intensity(of: phase) == "95 percent, zone 3, 90 revolutions per minute, seated")
    (catalogue.intensity[.zone], catalogue.units[.percent]) = (nil, nil)
    #expect(
      catalogue.intensity(of: phase) == "95 % FTP, zone 3, 90 revolutions per minute, seated")
    #expect(catalogue.intensity(of: Phase(.high, .fixed(.seconds(9)), intensity: "hard")) == "hard")
    #expect(catalogue.intensity(of: Phase(.high, .fixed(.seconds(9)))) == nil)
  }

  @Test func wordingWithoutAllItsValuesIsPassedOver() {
    let catalogue = PhraseCatalogue.english
    let phase = catalogue.wordings(.position) { $0 == .phase ? "Low" : nil }
    #expect(phase == ["Low"])
    let values: [Variable: String] = [
      .set: "3", .sets: "8", .phase: "low", .remaining: "12 seconds",
    ]
    #expect(
      catalogue.wordings(.position) { values[$0] }.first == "Set 3 of 8, low, 12 seconds left")
  }

  @Test func phraseWithoutWordingsIsNotSaid() {
    var catalogue = PhraseCatalogue.english
    catalogue.phrases[.halfway] = Phrase([])
    catalogue.phrases[.finish] = nil
    #expect(catalogue.wordings(.halfway) { _ in "x" } == [])
    #expect(catalogue.wordings(.finish) { _ in "x" } == [])
  }
}
