import ControlProtocol
import IntervalTimeline
import TestSupport
import Testing

@testable import MQTTMaps

/// The keys and values are those of Home Assistant's documentation of MQTT discovery and its abbreviations.
@Suite struct HomeDeviceTests {
  private let device = HomeDevice(id: "gym", name: "Gym", version: "1.2")

  private func text(_ value: JSONValue?) -> String {
    String(decoding: value?.bytes ?? [], as: UTF8.self)
  }

  @Test func theDiscoveryMessageHasDeviceOriginAndComponents() {
    #expect(device.discoveryTopic == "homeassistant/device/gym/config")
    let message = device.discovery(presets: ["tabata", "emom"], hasReadings: false)
    #expect(
      text(message.at(["dev"])) == #"{"ids":["gym"],"mf":"cuecoach","name":"Gym","sw":"1.2"}"#)
    #expect(text(message.at(["o"])) == #"{"name":"cuecoach-mqtt","sw":"1.2"}"#)
    #expect(text(message.at(["avty_t"])) == #""cuecoach/gym/available""#)
    func part(_ key: String) -> String { text(message.at(["cmps", key])) }
    #expect(
      part("phase")
        == #"{"dev_cla":"enum","name":"Phase","ops":["idle","prepare","warmup","low","high","work","rest","recovery","cooldown"],"p":"sensor","stat_t":"cuecoach/gym/state","uniq_id":"gym_phase","val_tpl":"{{ value_json.phase }}"}"#
    )
    #expect(
      part("phase_ends")
        == #"{"dev_cla":"timestamp","name":"Phase ends","p":"sensor","stat_t":"cuecoach/gym/state","uniq_id":"gym_phase_ends","val_tpl":"{{ value_json.phase_ends }}"}"#
    )
    #expect(
      part("running")
        == #"{"dev_cla":"running","name":"Running","p":"binary_sensor","pl_off":"off","pl_on":"on","stat_t":"cuecoach/gym/state","uniq_id":"gym_running","val_tpl":"{{ value_json.running }}"}"#
    )
    #expect(
      part("preset")
        == #"{"cmd_t":"cuecoach/gym/command/preset","name":"Preset","ops":["tabata","emom"],"p":"select","stat_t":"cuecoach/gym/state","uniq_id":"gym_preset","val_tpl":"{{ value_json.preset }}"}"#
    )
    #expect(
      part("volume")
        == #"{"cmd_t":"cuecoach/gym/command/volume","max":100,"min":0,"name":"Volume","p":"number","stat_t":"cuecoach/gym/state","step":1,"uniq_id":"gym_volume","unit_of_meas":"%","val_tpl":"{{ value_json.volume }}"}"#
    )
    #expect(
      part("pause")
        == #"{"cmd_t":"cuecoach/gym/command/pause","name":"Pause","p":"button","pl_prs":"PRESS","uniq_id":"gym_pause"}"#
    )
    #expect(part("reading") == "")
  }

  @Test func eachEntityHasAKeyOfItsOwn() throws {
    let message = device.discovery(presets: ["tabata"], hasReadings: true)
    guard case .object(let parts)? = message.at(["cmps"]) else { throw Unexpected("no components") }
    let platforms = Dictionary(grouping: parts.values) { text($0.at(["p"])) }
    #expect(
      platforms.mapValues(\.count) == [
        #""sensor""#: 10, #""binary_sensor""#: 2, #""select""#: 1, #""number""#: 1, #""button""#: 6,
      ])
    for (key, part) in parts { #expect(part.at(["uniq_id"]) == .text("gym_\(key)")) }
  }

  @Test func readingsAreThereForThoseWhoWantThem() {
    let message = device.discovery(presets: [], hasReadings: true)
    #expect(
      text(message.at(["cmps", "reading"]))
        == #"{"name":"Reading","p":"sensor","stat_t":"cuecoach/gym/reading","uniq_id":"gym_reading","val_tpl":"{{ value_json.value }}"}"#
    )
    // A select without an option is refused.
    #expect(message.at(["cmps", "preset"]) == nil)
  }

  private func snapshot(_ state: Transport.State) -> CoachSnapshot {
    var lane = WorkoutStatus(name: "anna", workout: "Tabata", state: state, language: "en")
    lane.kind = .high
    lane.label = "High"
    lane.next = "Low"
    lane.set = 3
    lane.sets = 8
    lane.phaseEndsAt = BootInstant(nanoseconds: 20_000_000_000)
    lane.workoutEndsAt = BootInstant(nanoseconds: 3_610_000_000_000)
    // 2026-02-28 23:59:55 UTC.
    return CoachSnapshot(
      revision: 1, at: 10_000_000_000, wall: 1_772_323_195_000_000_000, lanes: [lane],
      device: DeviceSnapshot(.working), volume: 80, warnings: [])
  }

  @Test func theStateHasInstantsWhileItRuns() {
    #expect(
      text(device.state(snapshot(.running), preset: "tabata"))
        == #"{"label":"High","next_phase":"Low","phase":"high","phase_ends":"2026-03-01T00:00:05+00:00","preset":"tabata","problem":"off","running":"on","set":3,"sets":8,"target":null,"volume":80,"workout":"Tabata","workout_ends":"2026-03-01T00:59:55+00:00"}"#
    )
  }

  @Test func whatIsPausedHasNoEnd() {
    let state = device.state(snapshot(.paused), preset: nil)
    #expect(state.at(["phase_ends"]) == .null)
    #expect(state.at(["workout_ends"]) == .null)
    #expect(state.at(["running"]) == "off")
    #expect(state.at(["phase"]) == "high")
  }

  @Test func instantsAreRoundedToTheSecond() {
    var early = snapshot(.running)
    early.wall -= 500_000_001
    #expect(
      device.state(early, preset: nil).at(["phase_ends"]) == "2026-03-01T00:00:04+00:00")
    early.wall += 1
    #expect(
      device.state(early, preset: nil).at(["phase_ends"]) == "2026-03-01T00:00:05+00:00")
  }

  @Test func ofSeveralWorkoutsTheFirstThatIsNotOverIsShown() {
    var both = snapshot(.finished)
    both.lanes += snapshot(.paused).lanes
    both.lanes[1].workout = "Ride"
    #expect(device.state(both, preset: nil).at(["workout"]) == "Ride")
  }

  @Test func withoutAWorkoutItIsIdle() {
    var idle = snapshot(.finished)
    idle.device = DeviceSnapshot(.lost, reason: "gone")
    let state = device.state(idle, preset: nil)
    #expect(state.at(["phase"]) == "idle")
    #expect(state.at(["workout"]) == .null)
    #expect(state.at(["problem"]) == "on")
  }

  @Test(arguments: [
    (0 as Int64, "1970-01-01T00:00:00+00:00"), (951_782_400, "2000-02-29T00:00:00+00:00"),
    (1_767_225_599, "2025-12-31T23:59:59+00:00"), (4_107_542_400, "2100-03-01T00:00:00+00:00"),
  ])
  func instantsAreThoseOfTheCalendar(seconds: Int64, expected: String) {
    #expect(WallTime.text(of: seconds * 1_000_000_000) == expected)
  }

  private func command(_ name: String, _ text: String, isRetained: Bool = false)
    -> HomeDevice.Command?
  {
    device.command(
      "cuecoach/gym/command/\(name)", Array(text.utf8), isRetained: isRetained, preset: "tabata")
  }

  @Test func commandsAreAnAllowList() {
    #expect(command("pause", "PRESS") == .request(.command(.pause, lane: nil)))
    #expect(command("start", "PRESS") == .request(.start(StartOrder(preset: "tabata"))))
    #expect(command("volume", "55") == .request(.volume(55)))
    #expect(command("volume", "55.0") == .request(.volume(55)))
    #expect(command("volume", "54.6") == .request(.volume(55)))
    #expect(command("preset", "emom") == .choose("emom"))
    func preset(_ count: Int) -> String { String(repeating: "x", count: count) }
    #expect(command("preset", preset(200)) == .choose(preset(200)))
    #expect(command("preset", preset(201)) == nil)
    for (name, text) in [
      ("pause", ""), ("pause", "press"), ("volume", "101"), ("volume", "loud"), ("volume", "-1"),
      ("rep", "PRESS"), ("say", "PRESS"), ("preset", ""), ("", "PRESS"), ("pause/x", "PRESS"),
    ] {
      #expect(command(name, text) == nil)
    }
    #expect(
      device.command(
        "cuecoach/other/command/pause", Array("PRESS".utf8), isRetained: false, preset: nil) == nil)
    #expect(
      device.command(
        "cuecoach/gym/command/start", Array("PRESS".utf8), isRetained: false, preset: nil) == nil)
  }

  @Test func aRetainedCommandIsIgnored() {
    for name in ["pause", "start", "stop"] {
      #expect(command(name, "PRESS", isRetained: true) == nil)
    }
    #expect(command("volume", "55", isRetained: true) == nil)
    #expect(command("preset", "emom", isRetained: true) == nil)
  }
}
