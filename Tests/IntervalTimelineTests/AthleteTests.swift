import Foundation
import IntervalTimeline
import TestSupport
import Testing

/// Intensities in an athlete's own numbers.
@Suite struct AthleteTests {
  private static let anna = Athlete(
    thresholdPower: 250, maximumHeartRate: 186, thresholdPace: 270)

  @Test(arguments: [
    ("95 % FTP, 90 rpm", "238 W, 90 rpm"), ("from 50 to 75 % FTP", "from 125 to 188 W"),
    ("90 to 95 % HRmax", "167 to 177 bpm"), ("90 % of threshold pace", "5:00/km"),
    ("90 to 100 % of threshold speed", "5:00 to 4:30/km"), ("200 W", "200 W"),
    ("0 % of threshold pace", "0 % of threshold speed"), ("80 %", "80 %"),
    ("Z3, hard", "zone 3, hard"),
    ("100 to 100.4 % FTP", "250 to 251 W"), ("100.1 to 100.15 % FTP", "250 W"),
  ])
  func percentagesBecomeOnesOwn(text: String, own: String) throws {
    let intensity = try #require(Intensity(reading: text))
    #expect(intensity.inNumbers(of: Self.anna).text == own)
    #expect(intensity.inNumbers(of: Athlete()) == intensity)
  }

  @Test func numbersThatAreNotGivenAreAnothersOwn() {
    let usual = Athlete(thresholdPower: 200, maximumHeartRate: 180)
    #expect(
      Athlete(thresholdPower: 250).or(usual)
        == Athlete(thresholdPower: 250, maximumHeartRate: 180))
  }

  private static func workout(_ intensity: String, threshold: Double?) -> Workout {
    let phase = Phase(.high, .fixed(.seconds(20)), intensity: intensity)
    var workout = Workout("A", sets: 2, [phase], between: phase)
    workout.thresholdPower = threshold
    return workout
  }

  @Test(
    arguments: [
      ("200 W", 200.0, "250 W", 250.0), ("200 W", nil, "200 W", nil),
      ("80% FTP", nil, "200 W", nil),
      ("as you like", 200, "as you like", 250), ("Z3", nil, "Z3", nil),
    ] as [(String, Double?, String, Double?)])
  func wattsAreScaledWhereTheWorkoutSaysOfWhat(
    text: String, threshold: Double?, own: String, ownThreshold: Double?
  ) {
    let workout = Self.workout(text, threshold: threshold).inNumbers(of: Self.anna)
    #expect(workout == Self.workout(own, threshold: ownThreshold))
  }

  @Test func thresholdOfAWorkoutIsStoredWhereThereIsOne() throws {
    for threshold in [nil, 250] as [Double?] {
      let workout = Self.workout("1 W", threshold: threshold)
      let data = try JSONEncoder().encode(workout)
      #expect(try JSONDecoder().decode(Workout.self, from: data) == workout)
      #expect(
        String(decoding: data, as: UTF8.self).contains("thresholdPower") == (threshold != nil))
    }
  }
}
