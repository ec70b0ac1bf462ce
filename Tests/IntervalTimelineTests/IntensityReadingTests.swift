import IntervalTimeline
import Phrases
import Testing

/// Texts of intensities, as people and files write them.
@Suite struct IntensityReadingTests {
  @Test(arguments: [
    ("95% FTP", "95 % FTP"), ("95 % of FTP", "95 % FTP"), ("95 percent of ftp", "95 % FTP"),
    ("95.5 % FTP", "95.5 % FTP"), ("100 %", "100 %"), ("190 to 210 W", "190 to 210 W"),
    ("190-210 watts", "190 to 210 W"), ("190–210W", "190 to 210 W"),
    ("190 W to 210 W", "190 to 210 W"), ("200 to 200 W", "200 W"), ("zone 3", "zone 3"),
    ("Z3", "zone 3"), ("Z3-Z4", "zone 3 to 4"), ("zones 3 to 4", "zone 3 to 4"),
    ("HR zone 2", "heart-rate zone 2"), ("zone 2 HR", "heart-rate zone 2"),
    ("heart-rate zone 4", "heart-rate zone 4"), ("power zone 5", "power zone 5"),
    ("RPE 7", "RPE 7"), ("RPE 7-8", "RPE 7 to 8"), ("RPE 7/10", "RPE 7"),
    ("effort 7 of 10", "RPE 7"), ("70 % HRmax", "70 % of maximum heart rate"),
    ("70 % of maximum heart rate", "70 % of maximum heart rate"),
    ("90 to 95 % of the greatest heart rate", "90 to 95 % of maximum heart rate"),

    ("90% LTHR", "90 % of threshold heart rate"),
    ("95 % of threshold pace", "95 % of threshold speed"),
    ("4:30/km", "4:30/km"), ("4:30 min/km", "4:30/km"), ("5 min/km", "5:00/km"),
    ("4:40-4:30 /km", "4:40 to 4:30/km"), ("7:05 per mile", "7:05/mi"),
    ("2:05 /500m", "2:05/500 m"), ("2:05/500 m to 2:10/500 m", "2:05 to 2:10/500 m"),
    ("1:45/100m", "1:45/100 m"), ("12,5 km/h", "12.5 km/h"), ("80 kg", "80 kg"),
    ("62,5 kg", "62.5 kg"), ("140 bpm", "140 bpm"), ("90rpm", "90 rpm"), ("24 spm", "24 spm"),
    ("24 strokes a minute", "24 spm"), ("from 50 to 75 % FTP", "from 50 to 75 % FTP"),
    ("50 → 75 % FTP", "from 50 to 75 % FTP"), ("50->75% FTP", "from 50 to 75 % FTP"),
    ("75 to 50 % FTP", "from 75 to 50 % FTP"), ("from 5:00 to 4:30 /km", "from 5:00 to 4:30/km"),
    ("95 % FTP, 90 rpm", "95 % FTP, 90 rpm"), ("  95 %  FTP ,90 rpm, ", "95 % FTP, 90 rpm"),
    ("hard, 90 rpm", "hard, 90 rpm"), ("zone 3, seated", "zone 3, seated"),
  ])
  func textIsRead(text: String, written: String) throws {
    #expect(try #require(Intensity(reading: text)).text == written)
  }

  @Test(arguments: [
    "", ",", "hard", "all out", "95", "95 to 100", "W", "95 % of nothing", "RPE 13", "zone 99",
    "zone hard", "4:30 W", "4:75/km", "95 W FTP", "190 W to 95 % FTP", "from 50 % FTP",
    "below 150 bpm", "95.", "1e9 W", "99999999999999999999999 W", "-5 W", "12 reps", "3 x 5",
    "9:99/km", "0:00/km", "2:05:10/km", "to W", "5 to W", "%", "½ % FTP",
  ])
  func whatCannotBeReadStaysText(text: String) {
    #expect(Intensity(reading: text) == nil)
  }

  @Test func oneReadPartIsEnough() throws {
    let intensity = try #require(Intensity(reading: "steady, 62,5 kg, 8 mph"))
    #expect(intensity.parts == [.text("steady"), .target(.kilograms, .one(62.5)), .text("8 mph")])
    #expect(intensity[.kilograms] == .one(62.5))
    #expect(intensity[.watts] == nil)
  }

  @Test(arguments: Intensity.Measure.allCases)
  func whatIsWrittenIsReadAsTheSame(measure: Intensity.Measure) {
    for amount in [.one(9), .range(7, 9.5), .ramp(7, 9.5), .ramp(9, 7)] as [Intensity.Amount] {
      let isPace = Intensity(measure, .one(60)).text.contains(":")
      let intensity = Intensity(measure, amount.map { isPace ? $0 * 30 : $0 })
      #expect(Intensity(reading: intensity.text) == intensity, "\(intensity.text)")
    }
  }

  @Test(arguments: Intensity.Measure.allCases)
  func numbersOfNoSenseAreWrittenAndSaidSomehow(measure: Intensity.Measure) {
    for number in [Double.nan, .infinity, -.infinity, 1e300, -1, 1e18] {
      for amount in [.one(number), .range(number, 1), .ramp(1, number)] as [Intensity.Amount] {
        let intensity = Intensity(measure, amount)
        #expect(!intensity.text.isEmpty)
        #expect(!PhraseCatalogue.english.words(of: intensity).isEmpty)
        #expect(!intensity.inNumbers(of: Athlete(thresholdPower: number)).text.isEmpty)
      }
    }
  }

  @Test func changedEndsThatAreEqualAreOne() {
    #expect(Intensity.Amount.range(95.1, 95.2).map { $0.rounded() } == .one(95))
    #expect(Intensity.Amount.ramp(50, 75).map { $0 * 2 } == .ramp(100, 150))
    #expect(Intensity.Amount.range(50, 75).middle == 62.5)
  }
}
