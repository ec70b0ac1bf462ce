import ControlProtocol
import Foundation
import IntervalTimeline
import NoticeRules
import Presets
import Testing

@Suite struct NoticeTests {
  private static func lane(_ name: String, _ state: Transport.State) -> WorkoutStatus {
    var lane = WorkoutStatus(name: name, workout: "Tabata", state: state, language: "en")
    (lane.phases, lane.done, lane.skipped, lane.setsDone) = (16, 12, 4, 6)
    (lane.elapsed, lane.preset) = (.seconds(250), "tabata")
    return lane
  }

  private static func snapshot(
    _ lanes: [WorkoutStatus] = [], device: DeviceSnapshot = DeviceSnapshot(.working)
  ) -> CoachSnapshot {
    CoachSnapshot(
      revision: 1, at: 0, wall: 0, lanes: lanes, device: device, volume: 80, warnings: [])
  }

  private static func event(
    _ kind: ControlEvent.Kind, _ revision: UInt64, _ lane: WorkoutStatus? = nil,
    device: DeviceSnapshot? = nil
  ) -> ControlEvent {
    var event = ControlEvent(kind, revision: revision, at: 0)
    (event.lane, event.device) = (lane, device)
    return event
  }

  /// A watch that a test asks in expectations.
  private final class Watched {
    private var watch = CoachWatch()

    init(_ snapshot: CoachSnapshot? = NoticeTests.snapshot()) {
      if let snapshot { _ = watch.take(snapshot, at: 0) }
    }

    var deadline: Int64? { watch.deadline }
    func take(_ snapshot: CoachSnapshot, at now: Int64) -> [Notice] {
      watch.take(snapshot, at: now).compactMap { Notice($0) }
    }
    func take(_ event: ControlEvent, at now: Int64) -> [Notice] {
      watch.take(event, at: now).compactMap { Notice($0) }
    }
    func take(_ sessions: [SessionEntry]) -> [CoachWatch.News] { watch.take(sessions) }
    func news(at now: Int64) -> [CoachWatch.News] { watch.check(at: now) }
    func lose(at now: Int64) { watch.lose(at: now) }
    func check(at now: Int64) -> [Notice.Event] {
      watch.check(at: now).compactMap { Notice($0)?.event }
    }
  }

  // MARK: What is told

  @Test func aWorkoutThatComesToItsEndIsComplete() {
    let watch = Watched(Self.snapshot([Self.lane("anna", .running)]))
    let over = Self.lane("anna", .finished)
    let notices = watch.take(Self.event(.lane, 2, over), at: 0)
    #expect(notices == [Notice(.complete, workout: over)])
    // Its last sounds are heard, and the connection ends meanwhile.
    #expect(watch.take(Self.event(.lane, 3, over), at: 0) == [])
    watch.lose(at: 0)
    #expect(watch.take(Self.snapshot([over]), at: 0) == [])
    #expect(watch.take(Self.event(.ended, 4, over), at: 0) == [])
    // Another of the same name.
    #expect(watch.take(Self.event(.lane, 5, Self.lane("anna", .running)), at: 0) == [])
    #expect(watch.take(Self.event(.ended, 6, over), at: 0).map(\.event) == [.complete])
    #expect(watch.deadline == nil)
  }

  /// This program may have been started anew.
  @Test func whatWasOverBeforeIsNoNews() {
    let lost = DeviceSnapshot(.lost, reason: "gone")
    let over = Self.lane("anna", .finished)
    let watch = Watched(nil)
    #expect(watch.take(Self.snapshot([over], device: lost), at: 0) == [])
    #expect(watch.deadline == nil)
    #expect(watch.take(Self.event(.ended, 2, over), at: 0) == [])
    #expect(watch.take(Self.event(.device, 3, device: DeviceSnapshot(.idle)), at: 0) == [])
    // The next of the same name is news, and so is its silence.
    #expect(watch.take(Self.event(.lane, 4, Self.lane("anna", .running)), at: 0) == [])
    #expect(watch.take(Self.event(.device, 5, device: lost), at: 0) == [])
    #expect(watch.check(at: CoachWatch.replugging) == [.failed])
    #expect(watch.take(Self.event(.lane, 6, over), at: 0).map(\.event) == [.complete])
  }

  @Test func aWorkoutThatRunsWithoutSoundIsNews() {
    let watch = Watched(nil)
    let snapshot = Self.snapshot([Self.lane("anna", .running)], device: DeviceSnapshot(.lost))
    #expect(watch.take(snapshot, at: 0) == [])
    #expect(watch.check(at: CoachWatch.replugging) == [.failed])
  }

  @Test func whatSomebodyHasStoppedIsNotTold() {
    let watch = Watched(Self.snapshot([Self.lane("anna", .running)]))
    for state in [Transport.State.stopped, .ready] {
      #expect(watch.take(Self.event(.ended, 2, Self.lane("anna", state)), at: 0) == [])
    }
    watch.lose(at: 0)
    #expect(watch.deadline == nil)
    // Its last sounds were still heard.
    for state in [Transport.State.stopped, .finished, .ready] {
      let watch = Watched(Self.snapshot([Self.lane("anna", state)]))
      watch.lose(at: 0)
      #expect(watch.deadline == nil)
    }
  }

  @Test(arguments: [true, false]) func aCoachThatDoesNotTakeItUpAgainHasInterruptedIt(ends: Bool) {
    let watch = Watched(Self.snapshot([Self.lane("anna", .running), Self.lane("ben", .paused)]))
    if ends {
      for (revision, name) in [(2 as UInt64, "anna"), (3, "ben")] {
        #expect(watch.take(Self.event(.ended, revision, Self.lane(name, .running)), at: 5) == [])
      }
    }
    watch.lose(at: 5)
    #expect(watch.deadline == 5 + CoachWatch.restart)
    #expect(watch.check(at: 4 + CoachWatch.restart) == [])
    // It is back with one of them.
    #expect(watch.take(Self.snapshot([Self.lane("ben", .running)]), at: 6) == [])
    // It may have kept it.
    #expect(watch.news(at: 5 + CoachWatch.restart) == [.unclear])
    let session = SessionEntry(lane: "anna", workout: "Tabata", place: "", age: 1)
    guard case .interrupted(let lane, canResume: true)? = watch.take([session]).first else {
      Issue.record("not interrupted")
      return
    }
    #expect(lane.name == "anna" && watch.deadline == nil && watch.check(at: .max) == [])
  }

  @Test func aCoachThatTakesItUpLaterHasNotInterruptedIt() {
    let watch = Watched(Self.snapshot([Self.lane("anna", .running)]))
    watch.lose(at: 0)
    #expect(watch.take(Self.snapshot(), at: 1) == [])
    #expect(watch.take(Self.event(.lane, 2, Self.lane("anna", .running)), at: 2) == [])
    #expect(watch.deadline == nil)
  }

  @Test(arguments: [true, false]) func aCoachThatDoesNotSayWhatItHasKeptHasInterruptedIt(goes: Bool)
  {
    let watch = Watched(Self.snapshot([Self.lane("anna", .running)]))
    watch.lose(at: 0)
    #expect(watch.take(Self.snapshot(), at: 1) == [])
    #expect(watch.news(at: CoachWatch.restart) == [.unclear])
    if goes { watch.lose(at: CoachWatch.restart) }
    #expect(watch.deadline == CoachWatch.restart + CoachWatch.answer)
    #expect(watch.check(at: CoachWatch.restart + CoachWatch.answer) == [.interrupted])
    #expect(watch.take([]) == [])
  }

  @Test func aDeviceThatStaysAwayHasFailedOnce() {
    let (working, lost) = (DeviceSnapshot(.working), DeviceSnapshot(.lost, reason: "gone"))
    let watch = Watched()
    #expect(watch.take(Self.event(.device, 2, device: lost), at: 0) == [])
    #expect(watch.take(Self.event(.device, 3, device: working), at: 1) == [])
    #expect(watch.deadline == nil)
    #expect(watch.take(Self.event(.device, 4, device: lost), at: 2) == [])
    #expect(watch.deadline == 2 + CoachWatch.replugging)
    #expect(watch.check(at: 2 + CoachWatch.replugging) == [.failed])
    // Another reason is the same failure.
    let busy = DeviceSnapshot(.lost, reason: "busy")
    #expect(watch.take(Self.event(.device, 5, device: busy), at: 3) == [] && watch.deadline == nil)
    #expect(watch.take(Self.event(.device, 6, device: working), at: 4) == [])
    #expect(watch.take(Self.event(.device, 7, device: lost), at: 5) == [])
    #expect(watch.check(at: .max) == [.failed])
  }

  @Test func beforeTheAnswerNothingIsKnown() {
    let watch = Watched(nil)
    #expect(watch.take(Self.event(.ended, 2, Self.lane("anna", .finished)), at: 0) == [])
    watch.lose(at: 0)
    #expect(watch.deadline == nil)
  }

  // MARK: How it is told

  private static func object(_ notice: Notice, _ fields: [String: NoticeField] = [:]) throws
    -> NSDictionary
  {
    let json = try JSONSerialization.jsonObject(with: Data(notice.json(with: fields)))
    return try #require(json as? NSDictionary)
  }

  @Test func aNoticeSaysHowMuchWasDoneAndNothingOfHealth() throws {
    var workout = Self.lane("anna", .finished)
    let target =
      #"{"kind": "heart-rate", "low": 120, "high": 140, "position": "above", "words": "x", "value": 177}"#
    workout.target = try JSONDecoder().decode(TargetStatus.self, from: Data(target.utf8))
    workout.heartRateBelow = 111
    let notice = Notice(.complete, workout: workout)
    #expect(
      try Self.object(notice) == [
        "event": "complete", "title": "Tabata: complete",
        "message": "anna: 4:10, 6 sets, 75 % done", "name": "anna", "workout": "Tabata",
        "preset": "tabata", "seconds": 250, "phases": 16, "phasesDone": 12, "setsDone": 6,
      ])
    let text = String(decoding: notice.json(), as: UTF8.self)
    #expect(!text.contains("177") && !text.contains("111") && !text.contains("\n"))
  }

  @Test func theUsersFieldsAreInIt() throws {
    let object = try Self.object(
      Notice(.failed, reason: "gone"),
      ["topic": .text("g\"y\\m"), "priority": .number(4), "title": .text("!")])
    #expect(
      object == [
        "event": "failed", "title": "!", "message": "The output device has failed: gone",
        "reason": "gone", "topic": "g\"y\\m", "priority": 4,
      ])
  }

  @Test func curlIsToldEverythingOnItsInput() {
    var post = NotifySettings.Post("https://a:b@host.example:8443/x?y=\"z\"")
    post.headers = [#"Authorization: Bearer "\x"#]
    post.authorities = "/etc/ca.pem"
    #expect(post.host == "host.example:8443")
    let text = String(
      decoding: post.curlConfiguration(Array(#"{"a":"\"b\\"}"#.utf8), seconds: 10), as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    for line in [
      #"url = "https://a:b@host.example:8443/x?y=\"z\"""#,
      #"header = "Authorization: Bearer \"\\x""#, #"data-raw = "{\"a\":\"\\\"b\\\\\"}""#,
      #"cacert = "/etc/ca.pem""#, "max-time = 10.0", #"proto = "=http,https""#,
    ] {
      #expect(lines.contains(line), "\(line) in \(text)")
    }
    #expect(!text.contains("location"))
  }

  @Test(
    arguments: [
      ("200 ", nil), ("204 ", nil),
      ("301 ", "answer 301: the address has moved, and is not followed"),
      ("404 ", "answer 404"), ("000 Connection refused", "Connection refused"),
      ("000", "no answer"), ("", "curl says nothing"), ("x", "curl says nothing"),
    ] as [(String, String?)])
  func anAnswerIsGoodOrSaysWhyNot(output: String, fault: String?) {
    #expect(NotifySettings.Post.fault(Array(output.utf8)) == fault)
  }

  // MARK: The file

  private func parse(_ text: String) throws(FileError) -> NotifySettings {
    try NotifySettings.parse(Array(text.utf8), file: "notify.yaml")
  }

  @Test func everyKeyOfTheFileMeansWhatItSays() throws {
    let settings = try parse(
      """
      notices:
        - url: https://ntfy.example/x
          headers: {Authorization: Bearer tk_x, X-1: "a: b"}
          ca: /etc/ca.pem
          fields: {topic: gym, priority: 4, code: "4"}
          for: [interrupted, failed]
        - run: [/usr/bin/lamp, --on, "a b"]
      """)
    let post = settings.targets[0]
    guard case .post(let way) = post.way else { return #expect(Bool(false), "\(post)") }
    #expect(way.url == "https://ntfy.example/x" && way.authorities == "/etc/ca.pem")
    #expect(way.headers == ["Authorization: Bearer tk_x", "X-1: a: b"])
    #expect(post.fields == ["topic": .text("gym"), "priority": .number(4), "code": .text("4")])
    #expect(post.events == [.interrupted, .failed] && post.text == "ntfy.example")
    #expect(settings.targets[1].way == .run(["/usr/bin/lamp", "--on", "a b"]))
    #expect(settings.targets[1].events.count == 3 && settings.targets[1].text == "/usr/bin/lamp")
    #expect(settings.hasSecrets)
    #expect(try !parse("notices: [{run: [/bin/true]}]").hasSecrets)
  }

  @Test(arguments: [
    ("", "notify.yaml: empty, expected notices: ["),
    ("url: x", "notify.yaml:1: unknown key \"url\" in notify.yaml"),
    ("notices: []", "notify.yaml:1: notices is an empty list"),
    ("notices: [{}]", "notify.yaml:1: notice is an empty map"),
    ("notices: [{for: [complete]}]", "notify.yaml:1: a notice without url and run"),
    ("notices: [{url: 'http://a', run: [/x]}]", "notify.yaml:1: run beside url, expected one"),
    ("notices: [{run: [/x], headers: {A: b}}]", "notify.yaml:1: headers beside run"),
    ("notices: [{url: 'ftp://secret'}]", "notify.yaml:1: url is no address, expected https://"),
    ("notices: [{url: 'https://a b'}]", "notify.yaml:1: url is no address"),
    ("notices: [{url: 'https:///x'}]", "notify.yaml:1: url is no address"),
    ("notices: [{url: 'https://a', headers: {A b: c}}]", "notify.yaml:1: \"…\" is no header"),
    ("notices: [https://ntfy.sh/secret]", "notify.yaml:1: notice is \"…\", expected"),
    ("notices: [{'https://ntfy.sh/\"secret': x}]", "notify.yaml:1: unknown key \"…\" in a notice"),
    (
      "notices: [{url: 'https://a', header: {A: b}}]",
      "notify.yaml:1: unknown key \"header\" in a notice (did you mean \"headers\"?), expected one of"
    ),
    ("notices: [{url: 'https://a', headers: Bearer secret}]", "notify.yaml:1: headers is \"…\""),
    ("notices: [{url: 'https://user:secret@/x'}]", "notify.yaml:1: url is no address"),
    (
      "notices: [{url: 'https://a', headers: {A: \"s\\r\\nB: c\"}}]",
      "notify.yaml:1: A is no value of a header"
    ),
    ("notices: [{url: 'https://a', ca: x}]", "notify.yaml:1: ca is \"x\", expected an absolute"),
    ("notices: [{run: lamp}]", "notify.yaml:1: run is \"lamp\", expected a list"),
    ("notices: [{run: [lamp]}]", "notify.yaml:1: run begins with \"lamp\", expected an absolute"),
    ("notices: [{run: [/x], for: [begun]}]", "notify.yaml:1: for is \"begun\", expected complete,"),
    ("notices: [{run: [/x], fields: 3}]", "notify.yaml:1: fields is \"3\", expected {topic: gym}"),
  ])
  func aMistakeIsOneLine(text: String, message: String) {
    let error = #expect(throws: FileError.self) { try parse(text) }
    let line = error?.description ?? ""
    #expect(line.hasPrefix(message) && !line.contains("\n"), "\(line)")
    // No message quotes what may be a secret.
    #expect(!line.contains("secret") && !line.contains("s\\"))
  }
}
