import ForeignWorkouts
import IntervalTimeline
import Presets
import Testing

/// Zwift's workouts.
@Suite struct ZwiftFileTests {
  private static func file(_ blocks: String, _ head: String = "") -> String {
    "<workout_file>\(head)\n<workout>\n\(blocks)\n</workout></workout_file>\n"
  }

  private func outline(_ blocks: String, _ head: String = "", flat: Bool = false) throws
    -> [String]
  {
    Outline(try foreign(Self.file(blocks, head), flat: flat).workout).lines
  }

  @Test func everyBlockIsAPhase() throws {
    let lines = try outline(
      """
      <Warmup Duration="600" PowerLow="0.4" PowerHigh="0.75"/>
      <SteadyState Duration="90.5" Power="0.95" Cadence="90"/>
      <SteadyState Duration="60" PowerLow="1.1" PowerHigh="1.2"/>
      <SteadyState Duration="60" Power="0.5"/>
      <solidstate duration="60" power="0.7"/>
      <Ramp Duration="60" PowerLow="0.5" PowerHigh="1.3" CadenceLow="80" CadenceHigh="100"/>
      <FreeRide Duration="300" FlatRoad="1"/>
      <MaxEffort Duration="20"/>
      <Cooldown Duration="300" PowerLow="0.75" PowerHigh="0.4"/>
      """)
    #expect(
      lines == [
        "-", "  warmup 600.0 (from 40 to 75 % FTP)",
        "  high 90.5 \"Threshold\" (95 % FTP, 90 rpm)",
        "  high 60.0 \"VO2 max\" (110 to 120 % FTP)", "  recovery 60.0 (50 % FTP)",
        "  low 60.0 \"Endurance\" (70 % FTP)",
        "  high 60.0 \"Ramp\" (from 50 to 130 % FTP, 80 to 100 rpm)",
        "  work 300.0 \"Free ride\"", "  high 20.0 \"Max effort\"",
        "  cooldown 300.0 (from 75 to 40 % FTP)",
      ])
  }

  @Test(
    arguments: [
      (55, "recovery", nil), (56, "low", "Endurance"), (75, "low", "Endurance"),
      (76, "high", "Tempo"),
      (90, "high", "Tempo"), (91, "high", "Threshold"), (105, "high", "Threshold"),
      (106, "high", "VO2 max"), (120, "high", "VO2 max"), (121, "high", "Anaerobic"),
      (150, "high", "Anaerobic"), (151, "high", "Sprint"),
    ] as [(Int, String, String?)])
  func phaseHasTheNameOfItsZone(percent: Int, kind: String, name: String?) throws {
    let named = name.map { " \"\($0)\"" } ?? ""
    #expect(
      try outline("<SteadyState Duration=\"60\" Power=\"\(Double(percent) / 100)\"/>")
        == ["-", "  \(kind) 60.0\(named) (\(percent) % FTP)"])
  }

  @Test func powerDecidesWhatIsAnEffortAndNotTheTag() throws {
    let block =
      "<IntervalsT Repeat=\"2\" OnDuration=\"60\" OffDuration=\"30\" OnPower=\"0.5\" "
      + "OffPower=\"1.05\"/>"
    #expect(
      try outline(block) == [
        "2 x", "  recovery 60.0 (50 % FTP)", "  high 30.0 \"Threshold\" (105 % FTP)",
      ])
    let bare = "<IntervalsT Repeat=\"2\" OnDuration=\"60\" OffDuration=\"30\"/>"
    #expect(try outline(bare) == ["2 x", "  high 60.0 \"Hard\"", "  recovery 30.0"])
  }

  /// As GoldenCheetah reads them: from the low power to the high one.
  @Test func rampsOfIntervalsGoFromLowToHigh() throws {
    let block =
      "<IntervalsT Repeat=\"2\" OnDuration=\"60\" OffDuration=\"30\" PowerOnLow=\"0.95\" "
      + "PowerOnHigh=\"1.05\" PowerOffLow=\"0.55\" PowerOffHigh=\"0.4\"/>"
    #expect(
      try outline(block) == [
        "2 x", "  high 60.0 \"Threshold\" (from 95 to 105 % FTP)",
        "  recovery 30.0 (from 55 to 40 % FTP)",
      ])
  }

  @Test func oneStrangeNumberIsNotTheEndOfTheFile() throws {
    let file = try foreign(
      Self.file(
        """
        <IntervalsT Repeat="0" OnDuration="60" OffDuration="0" OnPower="1"/>
        <SteadyState Duration="60" Power="1"><textevent timeoffset="-5" message="early"/>
        <textevent timeoffset="soon" message="soon"/><textevent timeoffset="5" message="Go"/>
        </SteadyState>
        """))
    #expect(
      Outline(file.workout).lines == [
        "-", "  high 60.0 \"Threshold\" (100 % FTP)",
        "  high 60.0 \"Threshold\" (100 % FTP) [5.0: Go]",
      ])
    #expect(
      file.reports == [
        "a block that is repeated 0 times is done once",
        "a text whose timeoffset is no time after the block's start is left out",
      ])
  }

  private static let intervals =
    "<IntervalsT Repeat=\"3\" OnDuration=\"60\" OffDuration=\"30\" OnPower=\"1.1\" "
    + "OffPower=\"0.5\" Cadence=\"95\" CadenceResting=\"80\""

  @Test func intervalsAreSetsUnlessFlat() throws {
    let phases = [
      "  high 60.0 \"VO2 max\" (110 % FTP, 95 rpm)", "  recovery 30.0 (50 % FTP, 80 rpm)",
    ]
    #expect(try outline(Self.intervals + "/>") == ["3 x"] + phases)
    #expect(try outline(Self.intervals + "/>", flat: true) == ["-"] + phases + phases + phases)
  }

  @Test func textOfEachRepetitionIsSaidInTheSets() throws {
    let texts = [0, 90, 180].map { "<textevent timeoffset=\"\($0 + 10)\" message=\"Push\"/>" }
    #expect(
      try outline(Self.intervals + ">" + texts.joined() + "</IntervalsT>") == [
        "3 x", "  high 60.0 \"VO2 max\" (110 % FTP, 95 rpm) [10.0: Push]",
        "  recovery 30.0 (50 % FTP, 80 rpm)",
      ])
  }

  @Test func textOfOneRepetitionMakesEachEffortASet() throws {
    let text = "<TextEvent TimeOffset=\"155\" message=\"Last {one}\"/>"
    #expect(
      try outline(Self.intervals + ">" + text + "</IntervalsT>") == [
        "each", "  high 60.0 \"VO2 max\" (110 % FTP, 95 rpm)",
        "  recovery 30.0 (50 % FTP, 80 rpm)", "  high 60.0 \"VO2 max\" (110 % FTP, 95 rpm)",
        "  recovery 30.0 (50 % FTP, 80 rpm) [5.0: Last (one)]",
        "  high 60.0 \"VO2 max\" (110 % FTP, 95 rpm)", "  recovery 30.0 (50 % FTP, 80 rpm)",
      ])
  }

  @Test func textAtTheStartOfARepetitionBelongsToIt() throws {
    let text = "<textevent timeoffset=\"0.9\" message=\"Third\"/>"
    let block =
      "<IntervalsT Repeat=\"4\" OnDuration=\"0.3\" OffDuration=\"0\">\(text)</IntervalsT>"
    #expect(
      try outline(block) == [
        "each", "  high 0.3 \"Hard\"", "  high 0.3 \"Hard\"", "  high 0.3 \"Hard\"",
        "  high 0.3 \"Hard\" [0.0: Third]",
      ])
  }

  @Test func textsAreSaidAtTheirTimes() throws {
    let lines = try outline(
      """
      <Warmup duration="600" powerlow="0.4" powerhigh="0.7">
        <textevent timeoffset="20" message="Second &amp; last" duration="10" y="240"/>
        <textevent timeoffset="5" message="Caf&#233; &quot;one&quot;"/>
      </Warmup>
      """)
    #expect(
      lines == [
        "-",
        "  warmup 600.0 (from 40 to 70 % FTP) "
          + "[5.0: Café \"one\"] [20.0: Second & last]",
      ])
  }

  @Test func metresAreAnOpenPhaseThatSaysThem() throws {
    let lines = try outline(
      "<SteadyState Duration=\"400\" Power=\"1\"/><FreeRide Duration=\"1000.5\"/>",
      "<durationType>distance</durationType>")
    #expect(
      lines == [
        "-", "  high open \"400 m Threshold\" (100 % FTP)", "  work open \"1000.5 m Free ride\"",
      ])
  }

  @Test func whatCannotBeKeptIsReportedOnceAKind() throws {
    let file = try foreign(
      Self.file(
        """
        <SteadyState Duration="60" Power="1" OverUnder="1"/>
        <SteadyState Duration="60" Power="1" OverUnder="2">
          <textevent timeoffset="60" message="late"/><textevent timeoffset="70" message="late"/>
          <textevent distoffset="5" message="far"/>
        </SteadyState>
        <Sprint Duration="10"/><Picture/>
        """,
        "<author>A &amp; C</author><description>B\n at\tlength</description><name>W</name><tags>"
          + "<tag name=\"Sweet Spot\"/><tag name=\"NM+AC\"/><tag>4DP</tag><tag name=\"4dp\"/><tag/></tags>"
      ))
    #expect(file.workout.name == "W")
    #expect(
      file.workout.facts
        == WorkoutFacts(
          description: "B at length", author: "A & C", tags: ["sweet-spot", "nm-ac", "4dp"]))
    #expect(
      file.reports == [
        "the attribute \"overunder\" of a block is not kept",
        "a text at a distance has no time and is left out",
        "a text before the start or after the end of its phase is left out",
        "\"Sprint\" is an unknown block and is kept as a phase of that name",
        "\"Picture\" is no block of a workout and is left out",
      ])
  }

  @Test func aTagThatIsChangedIsReported() throws {
    let file = try foreign(
      Self.file(
        "<SteadyState Duration=\"60\" Power=\"1\"/>",
        "<name>W</name><tags><tag name=\"FTP test\"/><tag name=\"Übung für alle\"/><tag name=\"日本\"/>"
          + "<tag name=\"a very long tag that says too much\"/></tags>"))
    #expect(
      file.workout.facts.tags == ["ftp-test", "bung-fr-alle", "a-very-long-tag-that-says-too"])
    #expect(
      file.reports == [
        "the tag \"Übung für alle\" is kept as \"bung-fr-alle\"",
        "the tag \"日本\" is left out: expected letters a to z or numbers",
        "the tag \"a very long tag that says too much\" is kept as \"a-very-long-tag-that-says-too\"",
      ])
  }

  @Test(arguments: [
    ("<SteadyState Power=\"1\"/>", "3: \"SteadyState\" without duration"),
    ("<SteadyState Duration=\"-5\"/>", "3: duration is -5, expected seconds above zero"),
    ("<SteadyState Duration=\"0\"/>", "3: duration is 0, expected seconds above zero"),
    ("<SteadyState Duration=\"nan\"/>", "3: duration is \"nan\", expected seconds"),
    ("<SteadyState Duration=\"1e300\"/>", "3: duration is 1e+300, expected seconds"),
    ("<SteadyState Duration=\"1e999\"/>", "3: duration is \"1e999\", expected seconds"),
    ("<SteadyState Duration=\"60\" Power=\"x\"/>", "3: power is \"x\", expected a share"),
    ("<SteadyState Duration=\"60\" Power=\"1\" Cadence=\"-1\"/>", "3: a cadence of \"-1\""),
    (
      "<IntervalsT Repeat=\"-1\" OnDuration=\"1\"/>", "3: Repeat is \"-1\", expected a whole number"
    ),
    (
      "<IntervalsT Repeat=\"9999999999\" OnDuration=\"1\" OffDuration=\"1\"/>",
      "3: Repeat is \"9999999999\""
    ),
    (
      "<SteadyState Duration=\"86400\"/>\n<SteadyState Duration=\"1\"/>",
      "4: more than 24 h in all"
    ),
    ("", " a workout without a phase, expected one phase at least"),
    ("<SteadyState Duration=\"60\"", "4: XML that is not well-formed ("),
    (
      "<SteadyState Duration=\"60\">",
      "4: XML that is not well-formed (Opening and ending tag mismatch: SteadyState line 3 "
    ),
    ("<SteadyState Duration=60/>", "3: XML that is not well-formed (AttValue: "),
    ("<SteadyState Duration=\"1\" duration=\"2\"/>", "3: the attribute \"duration\" twice"),
    ("&lol;", "3: XML that is not well-formed (Entity 'lol' not defined)"),
    ("a & b", "3: XML that is not well-formed ("),
  ])
  func mistakeHasItsPlace(blocks: String, says: String) throws {
    let message = try #require(complaint(Self.file(blocks)))
    #expect(message.hasPrefix("a.txt:\(says)"), "\(message)")
    #expect(message.contains(", expected "))
  }

  @Test(arguments: [
    (
      "<!DOCTYPE a [<!ENTITY b \"c\">]><workout_file/>",
      "1: a document type or a declaration of entities"
    ),
    (
      "<?xml version=\"1.0\"?>\n<!DOCTYPE a SYSTEM \"file:///etc/passwd\">\n<workout_file/>",
      "2: a document type or a declaration of entities"
    ),
    ("<gpx/>", "1: an XML file of \"gpx\", expected a workout_file"),
    ("<workout_file/>", "1: a workout_file without a workout"),
    ("<a/><b/>", "1: XML that is not well-formed (Extra content at the end"),
    ("<a/>b", "1: XML that is not well-formed (Extra content at the end"),
    ("<!-- ", "1: XML that is not well-formed (Comment not terminated)"),
    ("<", "1: XML that is not well-formed ("),
    ("</a>", "1: XML that is not well-formed ("),
  ])
  func whatIsNoFileOfZwiftIsRefused(text: String, says: String) throws {
    let message = try #require(complaint(text))
    #expect(message.hasPrefix("a.txt:\(says)"), "\(message)")
  }

  /// Versions of libxml2 differ in the line and the words.
  @Test func aFileThatIsCutOffIsRefused() throws {
    let message = try #require(complaint("<workout_file>\n<workout>\n"))
    #expect(message.contains(": XML that is not well-formed ("), "\(message)")
  }

  @Test func aGroupOfAWorkoutWithoutStationsIsAnError() {
    #expect(
      complaint(Self.file("<SteadyState Duration='60'/>"), "a.zwo", WorkoutVariant(group: 2))
        == "a.zwo:1: no stations for group 2, expected a preset with stations, or no group")
  }

  @Test func elementsAreNestedToALimit() {
    let deep = String(repeating: "<a>", count: 100_000)
    #expect(complaint(deep)?.contains("nested more than 64 deep") == true)
  }
}
