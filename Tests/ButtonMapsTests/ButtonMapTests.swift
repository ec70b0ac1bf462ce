import ButtonMaps
import ControlProtocol
import IntervalTimeline
import Presets
import Testing

@Suite struct ButtonMapTests {
  private func parse(_ text: String) throws(FileError) -> ButtonMap {
    try ButtonMap.parse(Array(text.utf8), file: "buttons.yaml")
  }

  private static let whole = """
    devices:
      - name: USB Keyboard
        as: anna
        grab: no
        keys:
          kp1: start tabata
          1: signal ready
          key-743: rep
          btn-left: where-am-i
          kpenter: {short: pause, double: back, long: stop}
      - path: /dev/input/by-path/gpio
        keys: {volumeup: volume-up, volumedown: {long: volume-down}}
    """

  @Test func everyKeyOfTheFileMeansWhatItSays() throws {
    let map = try parse(Self.whole)
    #expect(map.devices.map(\.place) == [.name("USB Keyboard"), .path("/dev/input/by-path/gpio")])
    let device = map.devices[0]
    #expect(device.lane == "anna" && !device.isGrabbed && map.devices[1].isGrabbed)
    #expect(device.keys.count == 5)
    #expect(device.keys[79] == [.short: .start("tabata")])
    #expect(device.keys[2] == [.short: .signal("ready")])
    #expect(device.keys[743] == [.short: .command(.rep)])
    #expect(device.keys[272] == [.short: .command(.whereAmI)])
    #expect(
      device.keys[96]
        == [.short: .command(.toggle), .double: .command(.back), .long: .command(.stop)])
    #expect(map.devices[1].keys == [115: [.short: .volume(1)], 114: [.long: .volume(-1)]])
  }

  @Test func whatIsWrittenSaysTheSame() throws {
    var map = try parse(Self.whole)
    map.add(.start("7 x 7: hard"), to: .short, of: 28, on: .name("It's a \"pad\", #2: {x}"))
    map.add(.command(.stop), to: .long, of: 28, on: .name("It's a \"pad\", #2: {x}"))
    map.add(.start("null"), to: .double, of: 96, on: .name("USB Keyboard"))
    #expect(try parse(map.text) == map)
  }

  @Test func everyCodeHasANameOfItsOwn() {
    let codes = 1...KeyName.greatest
    let names = codes.map(KeyName.name)
    #expect(Set(names).count == codes.count)
    #expect(names.map(KeyName.code) == codes.map { $0 })
    for (name, code) in [
      ("esc", 1), ("kp1", 79), ("kpenter", 96), ("playpause", 164), ("playcd", 200), ("ok", 352),
      ("numeric-0", 512), ("btn-0", 256), ("btn-dpad-up", 544), ("micmute", 248),
    ] as [(String, UInt16)] {
      #expect(KeyName.code(of: name) == code)
    }
    for name in ["", "key-", "key-0", "key-768", "key-01", "key-+3", "KP1"] {
      #expect(KeyName.code(of: name) == nil, "\(name)")
    }
  }

  @Test func everyActionIsARequest() throws {
    let expected: [(String, ControlRequest.Action?)] = [
      ("pause", .command(.toggle, lane: "anna")), ("next", .command(.next, lane: "anna")),
      ("back", .command(.back, lane: "anna")), ("stop", .command(.stop, lane: "anna")),
      ("where-am-i", .command(.whereAmI, lane: "anna")),
      ("say-time", .command(.sayTime, lane: "anna")), ("rep", .command(.rep, lane: "anna")),
      ("signal ready", .signal("ready", lane: "anna")),
      ("start tabata", .start(StartOrder(preset: "tabata", lane: "anna"))), ("volume-up", nil),
      ("volume-down", nil),
    ]
    for (text, request) in expected {
      let action = try #require(ButtonAction(text))
      #expect(action.request(for: "anna") == request && action.text == text)
      // The socket for surfaces that may do the least.
      if let request {
        #expect(ControlRights.remote.refusal(of: ControlRequest(.number(1), request)) == nil)
      }
    }
  }

  @Test(
    arguments: [
      (80, [1, 1], 90), (98, [1], 100), (0, [-1], nil), (50, [1, -1], nil), (nil, [1], nil),
      (3, [-1], 0),
    ] as [(Int?, [Int], Int?)])
  func theVolumeIsThatOfTheCoachAndAStep(volume: Int?, presses: [Int], expected: Int?) {
    var steps = VolumeSteps()
    var answer = ControlAnswer(.number(1))
    answer.volume = volume
    let asks = presses.map { steps.press($0) }
    // Once, until the answer.
    #expect(asks == presses.indices.map { $0 == 0 })
    let request = steps.request(after: answer)
    #expect(request == expected.map { .volume($0) })
    let again = (steps.request(after: answer), steps.press(1))
    #expect(again.0 == nil && again.1)
  }

  @Test func louderEndsTheSilence() {
    var steps = VolumeSteps()
    var answer = ControlAnswer(.number(1))
    (answer.volume, answer.muted) = (20, true)
    _ = steps.press(1)
    let louder = steps.request(after: answer)
    #expect(louder == .desk(DeskRequest(.mute(false, volume: 25))))
    _ = steps.press(-1)
    let softer = steps.request(after: answer)
    #expect(softer == .volume(15))
  }

  @Test(arguments: [
    ("", "buttons.yaml: empty, expected devices: ["),
    ("keys: {}", "buttons.yaml:1: unknown key \"keys\" in buttons.yaml"),
    ("devices: []", "buttons.yaml:1: devices is an empty list"),
    ("devices: [x]", "buttons.yaml:1: device is \"x\""),
    ("devices: [{keys: {a: pause}}]", "buttons.yaml:1: a device without name and path"),
    ("devices: [{name: x}]", "buttons.yaml:1: no keys, expected keys: {kp1: pause}"),
    ("devices: [{name: x, path: /y, keys: {a: pause}}]", "buttons.yaml:1: path beside name"),
    ("devices: [{path: y, keys: {a: pause}}]", "buttons.yaml:1: path is \"y\", expected an abs"),
    ("devices: [{name: x, key: {a: pause}}]", "buttons.yaml:1: unknown key \"key\" in a device"),
    ("devices: [{name: x, grab: maybe, keys: {a: pause}}]", "buttons.yaml:1: grab is \"maybe\""),
    (
      "devices: [{name: x, keys: {a: pause}}, {name: x, keys: {b: pause}}]",
      "buttons.yaml:1: a device for the second time, expected each device once"
    ),
    (
      "devices:\n  - name: x\n    keys:\n      kp11: pause",
      "buttons.yaml:4: unknown key \"kp11\" (did you mean \"kp1\"?)"
    ),
    (
      "devices: [{name: x, keys: {kp5: pause, key-76: next}}]",
      "buttons.yaml:1: key-76 is the same key as another, expected each key once"
    ),
    (
      "devices: [{name: x, keys: {a: jump}}]", "buttons.yaml:1: a is \"jump\", expected pause, next"
    ),
    ("devices: [{name: x, keys: {a: start}}]", "buttons.yaml:1: a is \"start\", expected pause"),
    ("devices: [{name: x, keys: {a: start /etc/x}}]", "buttons.yaml:1: a is \"start /etc/x\""),
    ("devices: [{name: x, keys: {a: signal Go!}}]", "buttons.yaml:1: a is \"signal Go!\""),
    (
      "devices: [{name: x, keys: {a: stop}}]",
      "buttons.yaml:1: a is \"stop\", expected {long: stop}"
    ),
    ("devices: [{name: x, keys: {a: {double: stop}}}]", "buttons.yaml:1: double is \"stop\""),
    (
      "devices: [{name: x, keys: {a: {twice: next}}}]", "buttons.yaml:1: unknown key \"twice\" in a"
    ),
    ("devices: [{name: x, keys: {a: [next]}}]", "buttons.yaml:1: a is a list, expected an action"),
    ("devices: [{name: x, keys: {a: }}]", "buttons.yaml:1: a is empty, expected pause, next"),
  ])
  func aMistakeIsOneLine(text: String, message: String) {
    let error = #expect(throws: FileError.self) { try parse(text) }
    let line = error?.description ?? ""
    #expect(line.hasPrefix(message) && !line.contains("\n"), "\(line)")
  }
}
