/// Small files of every format that is read, each with as much of the format as fits.
package enum FileSamples {
  package static let all: [[UInt8]] =
    texts.map { Array($0.utf8) } + [fit.file(), nested.file(), utf16(zwift), latin1]

  private static let texts = [
    zwift, distance, course, watts, intervals, share, backup, timer, preset,
  ]

  private static let zwift = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!-- a ride -->
    <workout_file>
      <author>A. B.</author><name>Ride &amp; &#233;</name><sportType>bike</sportType>
      <tags><tag name="x"/></tags>
      <workout>
        <Warmup Duration="600" PowerLow="0.4" PowerHigh="0.75" pace="0"/>
        <IntervalsT Repeat="3" OnDuration="60" OffDuration="30" OnPower="1.1" OffPower="0.5"
          Cadence="95" CadenceResting="80"><textevent timeoffset="95" message="Push {it}"/></IntervalsT>
        <SteadyState Duration="20" Power="1.5"/><SteadyState Duration="10" Power="0.5"/>
        <SteadyState Duration="20" Power="1.5"/><SteadyState Duration="10" Power="0.5"/>
        <Ramp Duration="60" PowerLow="0.5" PowerHigh="1.3" CadenceLow="80" CadenceHigh="90">
          <textevent timeoffset="5" message="Up" duration="10"/></Ramp>
        <FreeRide Duration="300" FlatRoad="1"/><![CDATA[x]]>
        <Cooldown Duration="300" PowerLow="0.75" PowerHigh="0.4"/>
      </workout>
    </workout_file>
    """
  private static let distance = """
    <workout_file><durationType>distance</durationType><workout>
    <IntervalsT Repeat="6" OnDuration="800" OffDuration="400"><textevent distoffset="9" message="m"/>
    </IntervalsT><SteadyState Duration="1000.5" Power="1"/></workout></workout_file>
    """
  private static let course = """
    [COURSE HEADER]\r
    VERSION = 2\r
    DESCRIPTION = Micro\r
    MINUTES PERCENT\r
    [END COURSE HEADER]\r
    [COURSE DATA]\r
    0.00\t40\r
    5.00\t70\r
    5.00\t120\r
    5.33\t120\r
    5.33\t50\r
    5.67\t50\r
    10\t40\r
    [END COURSE DATA]\r
    [COURSE TEXT]\r
    10\tHello\t10\r
    [END COURSE TEXT]\r

    """
  private static let watts = """
    [COURSE HEADER]
    FTP = 250
    MINUTES WATTS
    [END COURSE HEADER]
    [COURSE DATA]
    0 100
    1.5 100 LAP
    1.5 300
    2 300
    [END COURSE DATA]
    [COURSE TEXT]
    0.5 Easy going 10
    """
  private static let intervals = """
    Warmup
    - Spin up 10m ramp 50-75%

    Main set 4x
    - Hard 30^Halfway 45^5 Soon <!> 1m 110% 90rpm
    - Recovery 30s 50%

    - Run 400mtr Z4
    - 1h5m30 200w

    Cooldown
    - press lap 50%
    """
  private static let share = """
    {"title": "Core é", "version": 2, "position": 0, "sets": [{"id": "1", "repetitions": 3, "exercises":
    [{"id": "1", "name": "Plank", "duration": 30}, {"id": "2", "name": "Rest", "duration": 10.5}]}]}
    """
  private static let backup = "{\"workouts\": [\(share), \(share)]}"
  private static let timer = """
    [{"name": "HIIT", "activeIntervals": 3, "activities": ["Squat", "Lunge"], "timeSettings":
    "{\\"workTime\\": 20, \\"restTime\\": 10, \\"breakTime\\": 60, \\"warmupTime\\": 30, \\"restarts\\": 1}",
    "soundSettings": {"a": 1}}]
    """
  private static let preset = """
    name: Speaking
    language: de
    density: {all: normal, rest: full}
    phrases: {halfway: ["Half of {phase} done", "Half"], next: silent}
    blocks:
      - sets: 3
        phases:
          - high: 30s
            name: "Hard"
            intensity: 95 % FTP
            say: [{at: 10s, text: Breathe}, {at: -5s, text: "{remaining} to go"}]
          - rest: {until: ready, at-least: 20s, at-most: 3m}
            last: skip
        between: {low: 2m}
      - count: each
        phases: [{work: {reps: 12}}, {recovery: {until: next}}]
    """

  private static var fit: FITBytes {
    var fit = FITBytes()
    fit.name("Track")
    fit.step(type: 0, value: 600_000, intensity: 2)
    fit.step("Run", type: 1, value: 40_000, intensity: 5, target: (1, 4, .max, .max))
    fit.step(type: 5, intensity: 1, notes: "Walk")
    fit.repetition(from: 1, 4)
    fit.step("Squats", type: 29, value: 12, target: (4, 0, 1200, 1250))
    return fit
  }

  private static var nested: FITBytes {
    var fit = FITBytes()
    fit.isBigEndian = true
    fit.step(type: 0, value: 30_000, intensity: 5, target: (3, 0, 85, 95))
    fit.step(type: 2, value: 220, intensity: 4)
    fit.repetition(from: 0, 3)
    fit.step(type: 4, value: 50, target: (0, 0, 2500, 3000))
    fit.repetition(from: 0, 2)
    return fit
  }

  private static func utf16(_ text: String) -> [UInt8] {
    ("\u{FEFF}" + text).utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  private static let latin1 = share.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
}
