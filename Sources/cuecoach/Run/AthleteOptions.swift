import ArgumentParser
import IntervalTimeline

/// In whose numbers intensities are said and shown.
struct AthleteOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The athlete's threshold power: percentages of it become watts.", valueName: "watts"))
  var ftp: Int?
  @Option(
    help: ArgumentHelp(
      "The athlete's greatest heart rate: percentages of it become beats per minute.",
      valueName: "bpm"))
  var maxHeartRate: Int?
  @Option(
    help: ArgumentHelp(
      "The athlete's pace at the threshold, such as 4:30/km: percentages of that speed become paces.",
      valueName: "pace"))
  var thresholdPace: String?

  func validate() throws {
    try check(ftp, Athlete.thresholdPowers, "--ftp", "watts")
    try check(maxHeartRate, Athlete.maximumHeartRates, "--max-heart-rate", "beats per minute")
    if let thresholdPace, Athlete.pace(thresholdPace) == nil {
      throw ValidationError(
        "--threshold-pace \"\(thresholdPace.shownName)\": expected \(Athlete.expectedPace)")
    }
  }

  private func check(
    _ number: Int?, _ range: ClosedRange<Int>, _ option: String, _ unit: String
  ) throws {
    guard let number, !range.contains(number) else { return }
    throw ValidationError(
      "\(option) \(number): expected \(unit) from \(range.lowerBound) to \(range.upperBound)")
  }

  var athlete: Athlete {
    Athlete(
      thresholdPower: ftp.map(Double.init), maximumHeartRate: maxHeartRate.map(Double.init),
      thresholdPace: thresholdPace.flatMap(Athlete.pace))
  }
}
