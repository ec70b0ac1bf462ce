import ControlProtocol
import Foundation
import IntervalTimeline
import SystemIO
import TestSupport
import Testing

@testable import cuecoach_desktop

/// The whole program, on a bus of the test's own.
@Suite(.enabled(if: PrivateBus.isInstalled, "needs dbus, python3-dbus and python3-gi: make deps"))
struct DesktopTests {
  // MARK: The media player

  @Test func itIsThereBeforeAnyWorkout() async throws {
    let bed = try await DesktopBed()
    let player = try bed.properties("Player")
    #expect(player["PlaybackStatus"] as? String == "Stopped")
    #expect((player["Metadata"] as? [String: Any])?.isEmpty == true)
    #expect(player["CanPlay"] as? Bool == false && player["CanControl"] as? Bool == true)
    let root = try bed.properties("Root")
    #expect(root["Identity"] as? String == "cuecoach" && root["CanQuit"] as? Bool == false)
    #expect((root["SupportedUriSchemes"] as? [String])?.isEmpty == true)
    #expect(try bed.end().code == 0)
  }

  @Test func aPhaseIsATrack() async throws {
    let bed = try await DesktopBed([status()])
    let metadata = try #require(try bed.properties("Player")["Metadata"] as? [String: Any])
    #expect(metadata["xesam:title"] as? String == "High 1/2")
    #expect(metadata["xesam:album"] as? String == "Row & rest")
    #expect(metadata["xesam:artist"] as? [String] == ["anna"])
    #expect(metadata["mpris:length"] as? Int == 30_000_000)
    #expect(metadata["mpris:trackid"] as? String == "/cuecoach/1/phase/2")
    let position = try #require(try bed.json("get Player Position") as? Int)
    #expect((10_000_000...30_000_000).contains(position))
  }

  @Test func thePictureOfThePhaseIsAFile() async throws {
    let bed = try await DesktopBed([status()])
    var address: String?
    try await until("there is a picture") {
      address =
        (try bed.properties("Player")["Metadata"] as? [String: Any])?["mpris:artUrl"] as? String
      let url = address.flatMap { URL(string: $0) }
      return try url.map { try String(contentsOf: $0, encoding: .utf8).contains("fill-opacity") }
        ?? false
    }
    #expect(try bed.folder.names.contains("cuecoach-desktop"))
    #expect(try bed.end().code == 0)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: bed.folder.path("cuecoach-desktop"))
    #expect(left.isEmpty)
  }

  /// Stop pauses: no key of a desktop ends a workout.
  @Test func keysAreCommandsOfTheWorkoutThatWasChosenLast() async throws {
    let bed = try await DesktopBed([status("anna"), status("ben")])
    for method in ["Pause", "PlayPause", "Next", "Previous", "Stop", "Play"] {
      #expect(bed.desktop.tell("call \(method)") == "null")
    }
    // One that runs is not to be resumed.
    let asked = ["pause ben", "toggle ben", "next ben", "back ben", "pause ben"]
    try await until("all are asked for") { bed.coach.asked.count == asked.count }
    #expect(bed.coach.asked == asked)
    // Somebody pauses the other.
    bed.coach.tell(status("anna", .paused))
    try await until("it is the chosen one") {
      bed.desktop.tell("get Player PlaybackStatus") == "\"Paused\""
    }
    #expect(bed.desktop.tell("call Play") == "null")
    try await until("it is resumed") { bed.coach.asked.last == "resume anna" }
  }

  /// KDE shows a button where CanPause was signalled, and not where it was only true when it was asked.
  @Test func whatChangesIsSignalledAndNoPosition() async throws {
    let bed = try await DesktopBed()
    _ = bed.desktop.tell("signals")
    bed.coach.tell(status(phase: 0, elapsed: .zero))
    let all = try await bed.signals("it is signalled") { signal in
      let changed = (signal.dropFirst(2).first as? [String: Any]) ?? [:]
      return ["PlaybackStatus", "Metadata", "CanPlay", "CanPause", "CanGoNext", "CanGoPrevious"]
        .allSatisfy { changed[$0] != nil }
    }
    for signal in all where signal.first as? String == "PropertiesChanged" {
      let changed = try #require(signal[2] as? [String: Any])
      #expect(changed["Position"] == nil && changed["CanControl"] == nil)
    }
    #expect(!all.contains { $0.first as? String == "Seeked" })
    // The phase begins again: the same track, at another place.
    bed.coach.tell(status(phase: 1, elapsed: .seconds(20)))
    _ = try await bed.signals("the jump into the next") { $0.first as? String == "Seeked" }
  }

  @Test func theVolumeIsTheCoachs() async throws {
    let bed = try await DesktopBed()
    #expect(bed.desktop.tell("get Player Volume") == "0.8")
    #expect(bed.desktop.tell("set Player Volume 0.5") == "null")
    #expect(bed.desktop.tell("set Player Volume 7") == "null")
    #expect(bed.desktop.tell("set Player Volume -1") == "null")
    try await until("they are asked for") {
      bed.coach.asked == ["volume 50", "volume 100", "volume 0"]
    }
    #expect(
      bed.desktop.tell("set Player CanSeek 1") == "org.freedesktop.DBus.Error.PropertyReadOnly")
    #expect(
      bed.desktop.tell("set Player Volume \"loud\"") == "org.freedesktop.DBus.Error.InvalidArgs")
  }

  @Test func whatTheSpecificationRequiresIsIntrospected() async throws {
    let bed = try await DesktopBed([status()])
    let text = try #require(try bed.json("introspect /org/mpris/MediaPlayer2") as? String)
    for interface in ["Root", "Player"] {
      for (name, _) in try bed.properties(interface) {
        #expect(text.contains("<property name=\"\(name)\""), "\(name)")
      }
    }
    for method in [
      "Next", "Previous", "Pause", "PlayPause", "Stop", "Play", "Seek", "SetPosition", "OpenUri",
      "Raise", "Quit",
    ] {
      #expect(text.contains("<method name=\"\(method)\""), "\(method)")
    }
    let parent = try #require(try bed.json("introspect /org/mpris") as? String)
    #expect(parent.contains("MediaPlayer2"))
  }

  @Test func aHostileClientIsAnsweredWithErrors() async throws {
    let bed = try await DesktopBed([status()])
    let wrong = "org.freedesktop.DBus.Error.InvalidArgs"
    #expect(bed.desktop.tell("call Seek \"x\"") == wrong)
    #expect(bed.desktop.tell("call Pause 1") == wrong)
    #expect(bed.desktop.tell("call Nonsense") == "org.freedesktop.DBus.Error.UnknownMethod")
    #expect(bed.desktop.tell("get Player Nonsense") == "org.freedesktop.DBus.Error.UnknownProperty")
    #expect(bed.desktop.tell("get org.x Y") == "org.freedesktop.DBus.Error.UnknownInterface")
    #expect(
      bed.desktop.tell("call OpenUri \"file:///x\"") == "org.freedesktop.DBus.Error.NotSupported")
    #expect(bed.desktop.tell("flood 3000") == "null")
    #expect(bed.coach.asked.isEmpty)
    // Of commands of a right form 20 a second reach the coach.
    let start = MachineTime.boot
    let answers = try #require(try bed.json("burst 1000 Next") as? [String: Int])
    let seconds = Int((MachineTime.boot - start) / 1_000_000_000)
    let taken = answers["null"] ?? 0
    #expect(answers == ["null": taken, "org.freedesktop.DBus.Error.LimitsExceeded": 1000 - taken])
    // Of a second that has begun before, and of one that is not over.
    #expect((20...20 * (seconds + 2)).contains(taken), "\(taken) in \(seconds) s")
    try await until("those reach the coach") { bed.coach.asked.count == taken }
    #expect(try bed.properties("Player")["PlaybackStatus"] as? String == "Playing")
    #expect(try bed.end().code == 0)
  }

  @Test func aThousandPhasesAreATrackEach() async throws {
    let bed = try await DesktopBed([status(phase: 0, elapsed: .zero)])
    for phase in 1..<1000 {
      var lane = status(phase: phase, elapsed: .zero)
      (lane.set, lane.sets, lane.phases) = (phase + 1, 1000, 1000)
      bed.coach.tell(lane)
    }
    try await until("the last is there") {
      let metadata = try bed.properties("Player")["Metadata"] as? [String: Any]
      return metadata?["mpris:trackid"] as? String == "/cuecoach/1/phase/1000"
    }
    let files = try FileManager.default.contentsOfDirectory(
      atPath: bed.folder.path("cuecoach-desktop"))
    #expect(files.count <= 2)
  }

  @Test func itSurvivesBusAndCoach() async throws {
    let bed = try await DesktopBed([status()])
    try bed.restartBus()
    try await until("it is on the new bus") {
      bed.desktop.tell("get Player PlaybackStatus") == "\"Playing\""
    }
    bed.coach.stop()
    try await until("nothing runs") {
      bed.desktop.tell("get Player PlaybackStatus") == "\"Stopped\""
    }
    try await bed.coach.startAgain()
    try await until("it runs again") {
      bed.desktop.tell("get Player PlaybackStatus") == "\"Playing\""
    }
    #expect(bed.desktop.tell("call Pause") == "null")
    try await until("it is paused") { bed.coach.asked == ["pause anna"] }
    #expect(try bed.end().code == 0)
  }

  // MARK: Notifications

  private static let all = "notifications: [begins, sets, interrupted, complete, no-sound]\n"

  @Test func aWorkoutHasOneNoticeThatIsReplaced() async throws {
    let bed = try await DesktopBed(settings: Self.all)
    bed.desktop.tell("appear actions body-markup")
    bed.coach.tell(status(phase: 0, elapsed: .zero))
    let first = try #require(try await bed.notices().first)
    #expect(
      first["title"] as? String == "anna: Row & rest"
        && first["body"] as? String == "Low, set 1 of 2")
    #expect(first["actions"] as? [String] == ["pause", "Pause", "next", "Next", "stop", "Stop"])
    #expect((first["hints"] as? [String: Any])?["urgency"] as? Int == 0)
    bed.coach.tell(status(phase: 2, elapsed: .zero))
    let second = try #require(try await bed.notices().first)
    #expect(second["replaces"] as? Int == 7 && second["body"] as? String == "Low, set 2 of 2")
    var lane = status(phase: 4, .finished)
    (lane.done, lane.setsDone, lane.elapsed) = (4, 2, .seconds(120))
    bed.coach.tell(lane)
    let last = try #require(try await bed.notices().first)
    #expect(last["replaces"] as? Int == 7)
    #expect(last["body"] as? String == "complete after 2:00\n2 sets, 4 of 4 phases done")
    #expect((last["actions"] as? [String])?.isEmpty == true)
    #expect((last["hints"] as? [String: Any])?["urgency"] as? Int == 1)
  }

  @Test func whatIsUsualIsTheEndAlone() async throws {
    let bed = try await DesktopBed()
    bed.desktop.tell("appear")
    bed.coach.tell(status(phase: 0, elapsed: .zero))
    bed.coach.tell(status(phase: 2, elapsed: .zero))
    var lane = status(phase: 4, .finished, language: "de")
    lane.workout = "<b>Rudern</b>"
    bed.coach.tell(lane)
    bed.coach.tellEnd(of: lane)
    bed.coach.tell(DeviceSnapshot(.lost, reason: "gone"))
    let notices = try await bed.notices(2)
    #expect(notices.count == 2)
    let title = notices[0]["title"] as? String
    #expect(
      title == "anna: <b>Rudern</b>" && (notices[0]["body"] as? String)?.contains("2:10") == true)
    #expect(notices[1]["body"] as? String == "Es ist kein Ton da; das Training läuft weiter")
    bed.coach.tell(DeviceSnapshot(.working))
    try await until("it is withdrawn") { bed.desktop.tell("closed") == "[8]" }
  }

  /// Stop asks first.
  @Test func buttonsAreCommands() async throws {
    let bed = try await DesktopBed(settings: Self.all)
    bed.desktop.tell("appear actions")
    bed.coach.tell(status(phase: 0, elapsed: .zero))
    _ = try await bed.notices()
    // Somebody else says so.
    bed.desktop.tell("forge 7 next")
    bed.desktop.tell("press 7 pause")
    try await until("it is paused") { bed.coach.asked == ["pause anna"] }
    bed.desktop.tell("press 7 stop")
    let question = try #require(try await bed.notices().first)
    #expect(question["body"] as? String == "Press Stop again to end")
    #expect(bed.coach.asked == ["pause anna"])
    bed.desktop.tell("press 7 stop")
    try await until("it is stopped") { bed.coach.asked == ["pause anna", "stop anna"] }
    bed.coach.tellEnd(of: status(phase: 0, .stopped))
    try await until("its notice is gone") { bed.desktop.tell("closed") == "[7]" }
  }

  @Test func aServerThatIsRestartedHasOtherNumbers() async throws {
    let bed = try await DesktopBed(settings: Self.all)
    bed.desktop.tell("appear actions")
    bed.coach.tell(status(phase: 0, elapsed: .zero))
    _ = try await bed.notices()
    bed.desktop.tell("vanish")
    bed.desktop.tell("appear")
    bed.coach.tell(status(phase: 2, elapsed: .zero))
    let notice = try #require(try await bed.notices().first)
    #expect(notice["replaces"] as? Int == 0 && (notice["actions"] as? [String])?.isEmpty == true)
  }

  @Test func anEndWithoutAServerIsToldByTheNext() async throws {
    let bed = try await DesktopBed([status()])
    bed.coach.tell(status(phase: 4, .finished))
    bed.coach.tellEnd(of: status(phase: 4, .finished))
    try await until("it is over") {
      bed.desktop.tell("get Player PlaybackStatus") == "\"Stopped\""
    }
    // Two calls of a server that is not there have been answered before these.
    for _ in 0..<2 { bed.desktop.tell("get Player PlaybackStatus") }
    bed.desktop.tell("appear")
    let notice = try #require(try await bed.notices().first)
    #expect((notice["body"] as? String)?.hasPrefix("complete after ") == true)
    // The next server gets it no more.
    bed.desktop.tell("vanish")
    bed.desktop.tell("appear")
    bed.coach.tell(status("ben", phase: 4, .finished))
    let next = try #require(try await bed.notices().first)
    #expect(next["title"] as? String == "ben: Row & rest")
  }

  /// It would be waited for without end.
  @Test func whatCannotBeSentIsAnswered() {
    let bus = SessionBus { _ in .done }
    #expect(!bus.hasEvents)
    bus.askForAbilities()
    let answers = bus.takeEvents()
    guard answers.count == 1, case .abilities(let abilities) = answers[0] else {
      Issue.record("\(answers)")
      return
    }
    #expect(abilities.isEmpty)
  }

  private static let session = SessionEntry(
    lane: "anna", workout: "Row & rest", place: "set 1 of 2", age: 65)

  @Test func aWorkoutThatIsNotThereAnyMoreWasInterrupted() async throws {
    let bed = try await DesktopBed([status()])
    bed.desktop.tell("appear actions")
    bed.coach.stop()
    bed.coach.forgetLanes()
    bed.coach.keep([Self.session])
    try await bed.coach.startAgain()
    let notice = try #require(try await bed.notices().first)
    #expect((notice["body"] as? String)?.hasPrefix("interrupted after ") == true)
    #expect(notice["actions"] as? [String] == ["resume", "Continue"])
    bed.desktop.tell("press 7 resume")
    try await until("it is resumed") { bed.coach.asked.last == "resume anna" }
    // Meanwhile its time was over.
    bed.coach.keep([])
    bed.desktop.tell("press 7 resume")
    let refused = try #require(try await bed.notices().first)
    #expect(refused["body"] as? String == "anna has ended")
  }

  /// Such as by a power cut: the user logs in, and then the notification server comes.
  @Test func whatWasInterruptedBeforeIsToldOnce() async throws {
    let bed = try await DesktopBed(sessions: [Self.session])
    bed.desktop.tell("appear actions")
    let notice = try #require(try await bed.notices().first)
    #expect(
      notice["body"] as? String == "anna: Row & rest was interrupted 1:05 ago, at set 1 of 2")
    #expect(notice["actions"] as? [String] == ["resume", "Continue"])
    try await until("it is written down") {
      try bed.folder.text(".local/state/cuecoach/desktop-told")
        == "anna / Row & rest / set 1 of 2\n"
    }
    bed.desktop.tell("notices")
    try await bed.restart()
    bed.coach.tell(status("ben", phase: 4, .finished))
    let next = try #require(try await bed.notices().first)
    #expect(next["title"] as? String == "ben: Row & rest")
  }

  // MARK: Other people's sound

  private func isGone(_ number: String) -> Bool {
    let state = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
    // It may wait for whoever has inherited it.
    return state.map { $0.contains(") Z ") } ?? true
  }

  @Test func othersAreTurnedDownWhileWordsAreSpoken() async throws {
    let bed = try await DesktopBed([status()], settings: "lower-others: yes\n")
    bed.coach.tellSpeech()
    try await until("there is a stream") { bed.stream?.isEmpty == false }
    let stream = try #require(bed.stream)
    #expect(stream.contains("--property=media.role=announce"), "\(stream)")
    bed.coach.tellSpeech(isWithdrawn: true)
    try await until("it is gone") { isGone(stream[0]) }
    #expect(try bed.end().code == 0)
  }

  @Test func aProgramThatIsKilledLeavesNoStream() async throws {
    let bed = try await DesktopBed([status()], settings: "lower-others: yes\n")
    bed.coach.tellSpeech()
    try await until("there is a stream") { bed.stream?.isEmpty == false }
    bed.kill()
    let stream = try #require(bed.stream)
    try await until("it is gone") { isGone(stream[0]) }
  }

  @Test func othersAreLeftAloneUnlessTheUserWantsIt() async throws {
    let bed = try await DesktopBed([status()])
    bed.coach.tellSpeech()
    bed.coach.tell(status(phase: 2))
    try await until("it has heard of all") {
      let metadata = try bed.properties("Player")["Metadata"] as? [String: Any]
      return metadata?["mpris:trackid"] as? String == "/cuecoach/1/phase/3"
    }
    #expect(bed.stream == nil)
  }

  // MARK: Settings

  @Test func aMistakeInTheSettingsIsOneLine() throws {
    let folder = TestFolder()
    try folder.write("notifications: [ends]\n", to: "desktop.yaml")
    let program = Bundle.main.bundleURL.appendingPathComponent("cuecoach-desktop").path
    let outcome = try shell("'\(program)' --config '\(folder.path("desktop.yaml"))' 2>&1")
    #expect(outcome.output.contains("desktop.yaml:1: "), "\(outcome.output)")
    #expect(outcome.output.contains("begins, sets, interrupted, complete, no-sound"))
    #expect(outcome.output.split(separator: "\n").count == 1)
  }
}
