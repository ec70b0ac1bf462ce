import ControlProtocol
import IntervalTimeline
import TestSupport
import Testing

@Suite struct ControlRequestTests {
  private static let athletes = {
    var start = StartOrder(preset: "a")
    start.athlete = Athlete(thresholdPower: 250, maximumHeartRate: 186, thresholdPace: 270.5)
    return start
  }()

  private static let style = {
    var style = AnnouncementStyle(
      language: "de",
      voice: VoiceSettings(name: "de+f2", variant: "f3", rate: 180, pitch: 40, volume: 90),
      sounds: "low", density: .full, countdown: 5)
    style.acknowledge = [.pause, .next]
    return style
  }()

  static let requests: [ControlRequest] =
    [
      ControlRequest(.number(1), .start(StartOrder(preset: "tabata"))),
      ControlRequest(
        .text("a"),
        .start(
          StartOrder(workout: "name: X", lane: "anna", at: BootInstant(nanoseconds: 5_000_000_000)))
      ),
      ControlRequest(.number(1), .start(StartOrder(preset: "class", seed: 7, group: 3))),
      ControlRequest(.number(1), .start(athletes)),
      ControlRequest(
        .number(1),
        .desk(
          DeskRequest(.startTogether(StartOrder(preset: "a", seed: 7), lanes: ["anna", "ben"])))),
      ControlRequest(.number(1), .start(StartOrder(preset: "a", style: style))),
      ControlRequest(.number(2), .command(.pause, lane: nil)),
      ControlRequest(.number(3), .command(.whereAmI, lane: "anna")),
      ControlRequest(.number(3), .command(.next, lane: nil), sentAt: 5_000_000_000),
      ControlRequest(.number(4), .volume(nil)),
      ControlRequest(.number(4), .volume(100)),
      ControlRequest(.number(5), .status(outline: true)),
      ControlRequest(.number(6), .presets("boxing", outline: true)),
      ControlRequest(.number(7), .sessions),
      ControlRequest(.number(8), .history(limit: 200)),
      ControlRequest(.number(9), .say("Well done", lane: nil)),
      ControlRequest(
        .number(10),
        .value(ValueRequest("watts", number: -3.5, unit: .watt, validFor: 5_000), lane: "anna")),
      ControlRequest(.number(11), .value(ValueRequest("pace", seconds: 118.5), lane: nil)),
      ControlRequest(.number(12), .value(ValueRequest("terrain", text: "a climb"), lane: nil)),
      ControlRequest(.number(13), .value(ValueRequest("watts"), lane: nil)),
      ControlRequest(.number(-1), .subscribe), hearing, quick, german,
    ] + presets

  private static let german: ControlRequest = {
    var request = ControlRequest(.number(1), .sessions)
    request.language = "de"
    return request
  }()

  private static let presets: [ControlRequest] = [
    .read("tabata", version: nil), .read("rows", version: 3),
    .save(PresetChange(preset: "rows", workout: "name: Rows")),
    .save(PresetChange(preset: "b", workout: "#", tag: "x1", former: "a")),
    .delete("rows", tag: "x1"), .check("name: Rows"), .hear("name: Rows", phase: nil),
    .hear("#", phase: 3), .silence, .convert(FilePiece(file: "ride.zwo", [0, 60, 255])),
    .convert(FilePiece(file: "a b.fit", [], upload: "x1", hasMore: true, format: "zwo")),
  ].map { (kind: PresetRequest.Kind) in
    ControlRequest(.number(14), .preset(PresetRequest(kind)))
  }

  private static var quick: ControlRequest {
    var order = StartOrder(lane: "anna")
    order.quick = QuickTimer(sets: 8, work: 30, rest: 15, prepare: 5)
    return ControlRequest(.number(18), .start(order))
  }

  private static var hearing: ControlRequest {
    var request = ControlRequest(.number(17), .subscribe)
    request.hearsSpeech = true
    return request
  }

  static let desk: [DeskRequest.Action] = [
    .presets(after: "rows", folder: nil), .presets(after: "tabata", folder: "hiit"),
    .history(HistoryQuery(limit: 7, before: "ab", lane: "anna", tag: "short")),
    .summary(HistoryQuery(), year: nil), .summary(HistoryQuery(lane: "anna", tag: "x"), year: 2026),
    .phases(session: "ab"), .delete(session: "ab"), .restore(session: "ab"),
    .discard(lane: "anna"), .people, .favourite(preset: "tabata", person: "", isOn: true),
    .favourite(preset: "tabata", person: "anna", isOn: false),
    .schedule(ScheduleOrder(preset: "emom", time: "18:00", days: .daily)),
    .schedule(
      ScheduleOrder(preset: "emom", lane: "anna", style: style, time: "7:05:30", days: .weekdays)),
    .schedules, .unschedule("ab"), .outputs, .output("hw:1,0"), .mute(true, volume: nil),
    .mute(false, volume: 60),
  ]

  @Test(arguments: desk) func whatIsWrittenForTheDeskIsRead(_ action: DeskRequest.Action) throws {
    let request = ControlRequest(.number(1), .desk(DeskRequest(action)), sentAt: nil)
    #expect(try ControlCoding.request(ControlCoding.line(request)) == request)
  }

  /// Paths, and voices that fetch something, are for this machine alone.
  @Test func overTheNetworkTheDeskTakesNames() {
    func refusal(_ action: DeskRequest.Action) -> String? {
      let request = ControlRequest(.number(1), .desk(DeskRequest(action)))
      #expect(ControlRights.control.refusal(of: request) == nil)
      #expect(ControlRights.sense.refusal(of: request) != nil)
      return ControlRights.remote.refusal(of: request)?.text
        ?? ControlRights.remote.refusal(of: request.action, besides: [], isEditable: false)?.text
    }
    for action in Self.desk { #expect(refusal(action) == nil) }
    let path = "preset: this socket takes the name of a preset, not a path"
    #expect(refusal(.favourite(preset: "/etc/x", person: "", isOn: true)) == path)
    var order = ScheduleOrder(preset: "../x", time: "18:00", days: .daily)
    #expect(refusal(.schedule(order)) == path)
    order.preset = "x"
    order.style.sounds = "/tmp"
    #expect(refusal(.schedule(order)) == "style.sounds: this socket takes a name, not a path")
    order.style = AnnouncementStyle(voice: VoiceSettings(name: "flite:slt"))
    #expect(refusal(.schedule(order))?.hasPrefix("style.voice: flite:slt is not") == true)
  }

  @Test(arguments: requests) func whatIsWrittenIsRead(_ request: ControlRequest) throws {
    var line = try ControlCoding.line(request)
    #expect(line.removeLast() == UInt8(ascii: "\n"))
    #expect(!line.contains(UInt8(ascii: "\n")))
    #expect(try ControlCoding.request(line) == request)
  }

  /// What is sent, the code and the start of the message.
  static let mistakes: [(String, ControlError.Code, String)] = [
    (
      #"{"id":1,"verb":"history-phases"}"#, .malformed,
      "session: missing; expected the id of a session"
    ),
    (
      #"{"id":1,"verb":"history-summary","year":12}"#, .malformed,
      "year 12: expected a year from 1970 to 2199"
    ),
    (#"{"id":1,"verb":"favourite","preset":"a","person":"x"}"#, .malformed, "on: missing"),
    (
      #"{"id":1,"verb":"favourite","preset":"a","person":"\u0007","on":true}"#, .malformed,
      "person: expected a name of 1 to 40"
    ),
    (
      #"{"id":1,"verb":"schedule","preset":"a","time":"25:00","days":"daily"}"#, .malformed,
      "time \"25:00\": expected a time such as 18:00 or 18:00:30"
    ),
    (
      #"{"id":1,"verb":"schedule","preset":"a","time":"8:00","days":"often"}"#, .malformed,
      "days \"often\": expected daily or weekdays"
    ),
    (
      #"{"id":1,"verb":"schedule","preset":"a","time":"8:00","days":"daily","style":{"x":1}}"#,
      .malformed, "style.x: expected one of language"
    ),
    (
      #"{"id":1,"verb":"people","lane":"a"}"#, .malformed,
      "lane: people has no such field; it has id, verb"
    ),
    (
      #"{"id":1,"verb":"presets","preset":"a","after":"b"}"#, .malformed,
      "preset: presets has no such field; it has id, verb, after, folder"
    ),
    (#"{"id":1,"verb":"presets","folder":"a"}"#, .malformed, "after: missing"),
    (#"{"id":1,"verb":"volume","muted":1}"#, .malformed, "muted: expected true or false"),
    (#"{"id":1,"verb":"history","before":null}"#, .malformed, "before: null, expected a value"),
    ("", .malformed, "expected a JSON object"),
    ("[]", .malformed, "expected a JSON object"),
    (
      "{\"id\":1", .malformed,
      "expected a JSON object with id and verb on one line; byte 8 is not that of JSON in UTF-8"
    ),
    // At such keys the decoder of Swift 6.0 ends the program.
    (#"{"\x":1}"#, .malformed, "expected a JSON object"),
    (#"{"id":1,"verb":"pause","\ud800":1}"#, .malformed, "expected a JSON object"),
    ("{\"id\":1,\"\u{1}\":1}", .malformed, "expected a JSON object"),
    ("{\"verb\":\"pause\"}", .malformed, "id: missing"),
    ("{\"id\":1.5,\"verb\":\"pause\"}", .malformed, "id: expected"),
    (#"{"id":1,"verb":"preset-read"}"#, .malformed, "preset: missing"),
    (#"{"id":1,"verb":"preset-save","preset":"a"}"#, .malformed, "workout: missing"),
    (#"{"id":1,"verb":"preset-delete","preset":"a"}"#, .malformed, "tag: missing"),
    (#"{"id":1,"verb":"preset-check"}"#, .malformed, "workout: missing"),
    (#"{"id":1,"verb":"preset-convert","data":""}"#, .malformed, "file: missing"),
    (#"{"id":1,"verb":"preset-convert","file":"a\n","data":""}"#, .malformed, "file: expected the"),
    (#"{"id":1,"verb":"preset-convert","file":"a","data":"?"}"#, .malformed, "data: expected the"),
    (
      #"{"id":1,"verb":"start","preset":"a","lanes":["b"],"lane":"c"}"#, .malformed,
      "start: expected"
    ),
    (
      #"{"id":1,"verb":"start","preset":"a","lanes":["b","b"]}"#, .malformed, "lanes: expected 1 to"
    ),
    (
      #"{"id":1,"verb":"start","preset":"a","lanes":[" "]}"#, .badName,
      "lanes: expected of each a name"
    ),
    (#"{"id":1,"verb":"start","preset":"a","lanes":[]}"#, .malformed, "lanes: expected 1 to 32"),
    (#"{"id":1,"verb":"preset-hear"}"#, .malformed, "preset-hear: expected either workout or stop"),
    (
      #"{"id":1,"verb":"preset-hear","workout":"x","stop":true}"#, .malformed,
      "preset-hear: expected either"
    ),
    (#"{"id":1,"verb":"preset-hear","stop":false}"#, .malformed, "preset-hear: expected either"),
    (#"{"id":1,"verb":"preset-hear","workout":"x","phase":-1}"#, .malformed, "phase -1: expected"),
    ("{\"id\":1}", .malformed, "verb: missing"),
    ("{\"id\":1,\"verb\":\"explode\"}", .unknownVerb, "verb \"explode\": expected one of start"),
    ("{\"id\":1,\"verb\":\"pause\",\"lane\":3}", .malformed, "lane: expected"),
    ("{\"id\":1,\"verb\":\"pause\",\"speed\":3}", .malformed, "speed: pause has no such field"),
    ("{\"id\":1,\"verb\":\"sessions\",\"lane\":\"x\"}", .malformed, "lane: sessions has no"),
    ("{\"id\":1,\"verb\":\"volume\",\"volume\":101}", .malformed, "volume 101: expected"),
    ("{\"id\":1,\"verb\":\"volume\",\"volume\":-1}", .malformed, "volume -1: expected"),
    (#"{"id":1,"verb":"start","preset":"a","at":null}"#, .malformed, "at: null"),
    (#"{"id":1,"verb":"pause","lane":null}"#, .malformed, "lane: null"),
    (#"{"id":1,"verb":"pause","sentAt":1.5}"#, .malformed, "sentAt: expected nanoseconds"),
    (#"{"id":1,"verb":"status","sentAt":1}"#, .malformed, "sentAt: status has no such field"),
    (#"{"id":1,"verb":"pause","verb":"stop"}"#, .malformed, "verb: given twice"),
    (#"{"id":1,"verb":"volume","volume":3,"vol\u0075me":4}"#, .malformed, "volume: given twice"),
    (
      #"{"id":1,"verb":"start","quick":{"sets":100,"work":30,"rest":0}}"#, .malformed,
      "quick.sets 100: expected a whole number from 1 to 99"
    ),
    (
      #"{"id":1,"verb":"start","quick":{"sets":1,"work":30,"rest":0,"prepare":61}}"#, .malformed,
      "quick.prepare 61: expected"
    ),
    (
      #"{"id":1,"verb":"start","quick":{"sets":24,"work":3600,"rest":0,"prepare":1}}"#, .malformed,
      "quick.sets 24: expected at most 24 hours in all"
    ),
    (#"{"id":1,"verb":"start","quick":{"sets":8}}"#, .malformed, "quick: expected an object of"),
    (
      #"{"id":1,"verb":"start","quick":{"sets":8,"work":1,"rest":1,"warmup":3}}"#, .malformed,
      "quick.warmup: expected one of sets, work, rest, prepare"
    ),
    (
      #"{"id":1,"verb":"start","preset":"a","quick":{"sets":8,"work":1,"rest":1}}"#, .malformed,
      "start: expected either"
    ),
    (#"{"id":1,"verb":"subscribe","speech":1}"#, .malformed, "speech: expected true or false"),
    ("{\"id\":1,\"verb\":\"start\"}", .malformed, "start: expected either"),
    (
      "{\"id\":1,\"verb\":\"start\",\"preset\":\"a\",\"workout\":\"b\"}", .malformed,
      "start: expected either"
    ),
    ("{\"id\":1,\"verb\":\"start\",\"preset\":\"a\",\"at\":\"18:00\"}", .malformed, "at: expected"),
    (
      "{\"id\":1,\"verb\":\"start\",\"preset\":\"a\",\"style\":{\"volume\":3}}", .malformed,
      "style.volume: expected one of language, voice"
    ),
    (
      #"{"id":1,"verb":"start","preset":"a","athlete":{"weight":60}}"#, .malformed,
      "athlete.weight: expected one of ftp, maxHeartRate, thresholdPace"
    ),
    (
      #"{"id":1,"verb":"start","preset":"a","athlete":{"ftp":5}}"#, .malformed,
      "athlete.ftp 5: expected a whole number from 20 to 1000"
    ),
    (
      #"{"id":1,"verb":"start","preset":"a","athlete":{"thresholdPace":"4:30"}}"#, .malformed,
      "athlete.thresholdPace \"4:30\": expected a pace"
    ),
    (
      #"{"id":1,"verb":"start","preset":"a","athlete":250}"#, .malformed,
      "athlete: expected an object of numbers"
    ),
    ("{\"id\":1,\"verb\":\"history\",\"limit\":0}", .malformed, "limit 0: expected"),
    ("{\"id\":1,\"verb\":\"history\",\"limit\":201}", .malformed, "limit 201: expected"),
    ("{\"id\":1,\"verb\":\"say\"}", .malformed, "text: missing"),
    ("{\"id\":1,\"verb\":\"say\",\"text\":\"\"}", .malformed, "text: missing"),
  ]

  private static let badValues: [(fields: String, message: String)] = [
    ("", "name: missing"), ("\"name\":7", "name: expected"), ("\"name\":\"A\"", "name: expected 1"),
    ("\"name\":\"phase\"", "name: expected 1"),
    ("\"name\":\"a\",\"number\":\"two\"", "number: expected a number"),
    ("\"name\":\"a\",\"number\":1,\"text\":\"b\"", "value: expected one of"),
    ("\"name\":\"a\",\"number\":1,\"unit\":\"furlong\"", "unit \"furlong\": expected one of hour"),
    ("\"name\":\"a\",\"unit\":\"watt\"", "unit: expected a number"),
    ("\"name\":\"a\",\"seconds\":-1", "seconds: expected a number from 0"),
    ("\"name\":\"a\",\"seconds\":86401", "seconds: expected a number from 0"),
    ("\"name\":\"a\",\"number\":1,\"validFor\":0", "validFor 0: expected"),
    ("\"name\":\"a\",\"number\":1,\"validFor\":86400001", "validFor 86400001: expected"),
    ("\"name\":\"a\",\"value\":1", "value: value has no such field"),
  ]

  @Test(arguments: badValues) func aBadValueIsNamed(_ fields: String, _ message: String) {
    let comma = fields.isEmpty ? "" : ","
    let failure = failure(of: "{\"id\":1,\"verb\":\"value\"\(comma)\(fields)}")
    #expect(failure?.error.code == .malformed)
    #expect(failure?.error.message.hasPrefix(message) == true, "\(failure?.error.message ?? "")")
  }

  @Test func aTextOfAValueHasALimit() {
    let text = String(repeating: "a", count: ControlLimits.text + 1)
    let failure = failure(
      of: "{\"id\":1,\"verb\":\"value\",\"name\":\"a\",\"text\":\"\(text)\"}")
    #expect(failure?.error.message.hasPrefix("text: expected at most") == true)
  }

  private func failure(of line: String) -> ControlFailure? {
    TestSupport.failure(ControlFailure.self) { _ = try ControlCoding.request(Array(line.utf8)) }
  }

  @Test(arguments: mistakes) func aMistakeIsNamed(
    _ line: String, _ code: ControlError.Code, _ message: String
  ) {
    let failure = failure(of: line)
    #expect(failure?.error.code == code)
    #expect(failure?.error.message.hasPrefix(message) == true, "\(failure?.error.message ?? "")")
  }

  @Test func theRefusalOfABadRequestHasItsID() {
    #expect(failure(of: "{\"id\":\"x\",\"verb\":\"dance\"}")?.id == .text("x"))
  }

  @Test func aTextHasALimit() throws {
    for (count, isTaken) in [(ControlLimits.text, true), (ControlLimits.text + 1, false)] {
      let request = ControlRequest(
        .number(1), .say(String(repeating: "a", count: count), lane: nil))
      let line = try ControlCoding.line(request).dropLast()
      #expect((try? ControlCoding.request(Array(line))) == (isTaken ? request : nil))
    }
  }

  @Test func deepNestingIsNoRequest() {
    let line = String(repeating: "[", count: 60_000)
    #expect(throws: ControlFailure.self) { try ControlCoding.request(Array(line.utf8)) }
  }

  @Test func theRemoteSocketTakesNamesAlone() {
    func refusal(_ action: ControlRequest.Action) -> String? {
      ControlRights.remote.refusal(of: ControlRequest(.number(1), action))?.text
    }
    #expect(refusal(.start(StartOrder(preset: "tabata"))) == nil)
    #expect(refusal(.command(.stop, lane: nil)) == nil)
    #expect(refusal(.presets(nil, outline: false)) == nil)
    #expect(refusal(.presets("tabata", outline: true)) == nil)
    func styled(_ option: WritableKeyPath<AnnouncementStyle, String?>, _ text: String) -> StartOrder
    {
      var style = AnnouncementStyle()
      style[keyPath: option] = text
      return StartOrder(preset: "tabata", style: style)
    }
    let options: [WritableKeyPath<AnnouncementStyle, String?>] = [
      \.language, \.voice.name, \.voice.variant, \.sounds,
    ]
    for option in options { #expect(refusal(.start(styled(option, "de"))) == nil) }
    let paths = options.flatMap { option in
      ["/etc", "../../etc", ".hidden", "a\0b"].map {
        ControlRequest.Action.start(styled(option, $0))
      }
    }
    let refused: [ControlRequest.Action] = [
      .start(StartOrder(preset: "/etc/passwd")), .start(StartOrder(preset: "../x")),
      .start(StartOrder(preset: ".hidden")), .start(StartOrder(preset: "a\0b")),
      .start(StartOrder(workout: "name: X")),
      .presets("a/b", outline: true), .say("hello", lane: nil),
      .value(ValueRequest("watts", number: 1), lane: nil),
    ]
    for action in refused + paths {
      #expect(refusal(action) != nil)
      #expect(ControlRights.control.refusal(of: ControlRequest(.number(1), action)) == nil)
    }
  }
}
