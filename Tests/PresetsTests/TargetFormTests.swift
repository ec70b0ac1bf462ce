import IntervalTimeline
import TestSupport
import Testing

@testable import Presets

@Suite struct TargetFormTests {
  private static func phase(_ target: String, more: String = "") throws -> Phase {
    let text = "name: A\nblocks:\n  - phases:\n      - work: 4m\n        target: \(target)\n\(more)"
    let workout = try PresetFile.parse(Array(text.utf8), file: "a.yaml")
    return workout.blocks[0].steps[0].phase
  }

  @Test(arguments: [
    ("{watts: 190 to 210}", "190 to 210 W"), ("{watts: 200}", "200 W"),
    ("{heart-rate: 140 to 155}", "140 to 155 bpm"), ("{cadence: 90}", "90 rpm"),
    ("{stroke-rate: 24}", "24 spm"), ("{pace: 1:55 to 2:00}", "1:55 to 2:00/500 m"),
    ("{pace: 4:30 /km}", "4:30/km"), ("{power: 95 % FTP}", "95 % FTP"), ("{speed: 12}", "12 km/h"),
    ("{power: 90 to 95 %}", "90 to 95 % FTP"), ("{power: 190 to 210}", "190 to 210 W"),
    ("{watts: 190 to 210, ramp: no}", "190 to 210 W"),
    ("{watts: 100 to 200, ramp: yes}", "from 100 to 200 W"),
    ("{heart-rate: 85 % HRmax}", "85 % of maximum heart rate"),
  ])
  func aTargetIsTheBeginningOfTheIntensity(target: String, intensity: String) throws {
    let phase = try Self.phase(target)
    #expect(phase.intensity == intensity && phase.isCoached)
    let more = try Self.phase(target, more: "        intensity: seated, 85rpm\n")
    #expect(more.intensity == "\(intensity), seated, 85rpm")
    // It comes back from what is written.
    for phase in [phase, more] {
      let workout = Workout("A", [phase])
      let written = PresetWriter.text(of: workout)
      #expect(written.contains("target: "), "\(written)")
      let read = try PresetFile.parse(Array(written.utf8), file: "a.yaml")
      #expect(read.blocks[0].steps[0].phase == phase, "\(written)")
    }
  }

  @Test(arguments: [
    ("5", "a.yaml:5: "), ("{}", "a.yaml:5: a target of nothing, expected one of watts"),
    ("{watts: 1, cadence: 2}", "a.yaml:5: watts and cadence in one target, expected one of watts"),
    ("{watts: hard}", "expected a number or two, such as 190 to 210"),
    ("{watts: 90 rpm}", "expected a number or two, such as 190 to 210"),
    ("{watts: 0}", "a.yaml:5: watts is \"0\", expected 1 to 3000 W"),
    ("{power: 900 % FTP}", "a.yaml:5: power is \"900 % FTP\", expected 1 to 500 % FTP"),
    ("{pace: 0:01}", "a.yaml:5: pace is \"0:01\", expected 0:15 to 30:00/500 m"),
    ("{pace: 0:20/km}", "expected 0:30 to 60:00/km"),
    ("{pace: 2:00 to 45:00}", "expected 0:15 to 30:00/500 m"),
    ("{heart-rate: 140 % HRmax}", "expected 20 to 110 % of maximum heart rate"),
    ("{cadence: 2}", "expected 5 to 300 rpm"), ("{stroke-rate: 300}", "expected 5 to 160 spm"),
    ("{speed: 300}", "expected 1 to 120 km/h"),
    ("{ramp: yes}", "a target of nothing"),
    ("{watts: 200, ramp: up}", "ramp is \"up\", expected yes, true, no or false"),
    ("{heart-rate: 85 %}", "expected a number or two, such as 140 to 155 or 85 % HRmax"),
    ("{watts: 200, ramp: yes}", "expected two numbers for a ramp"),
    ("{heart-rate: 500}", "heart-rate is \"500\", expected 30 to 250 bpm"),
    (
      "{watts: 210 to 190}",
      "watts is \"210 to 190\", expected 190 to 210 W, the lower number first, or ramp: yes beside it"
    ),
    ("{watts: 190 → 210}", "or ramp: yes beside it"),
    ("{watt: 200}", "unknown key \"watt\" in a target (did you mean \"watts\"?)"),
  ])
  func aMistakeIsOneLine(target: String, says: String) {
    let error = #expect(throws: FileError.self) { try Self.phase(target) }
    #expect(error?.description.contains(says) == true, "\(error?.description ?? "")")
  }

  @Test func aRestMayWaitForTheHeart() throws {
    func length(_ until: String) throws -> PhaseLength {
      let text = "name: A\nblocks:\n  - phases:\n      - rest: {until: \(until), at-most: 3m}\n"
      return try PresetFile.parse(Array(text.utf8), file: "a.yaml").blocks[0].steps[0].phase.length
    }
    #expect(
      try length("{heart-rate: below 120}")
        == .open(.heartRate(below: 120), OpenBounds(atMost: .seconds(180))))
    for rate in ["above 120", "below 20", "below 999", "below +120"] {
      let error = #expect(throws: FileError.self) { try length("{heart-rate: \(rate)}") }
      #expect(
        error?.description.hasSuffix(
          "4: heart-rate is \"\(rate)\", expected below 120, or another number from 30 to 250")
          == true, "\(error?.description ?? "")")
    }
    for until in ["{watts: below 100}", "{}"] {
      #expect(throws: FileError.self) { try length(until) }
    }
  }
}
