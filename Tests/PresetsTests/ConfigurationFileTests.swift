import Foundation
import IntervalTimeline
import Presets
import TestSupport
import Testing

@Suite struct ConfigurationFileTests {
  private func parse(_ yaml: String) throws -> Configuration {
    try ConfigurationFile.parse(Array(yaml.utf8), file: "config.yaml")
  }

  private func message(_ yaml: String) -> String? {
    complaint { () throws(FileError) in
      try ConfigurationFile.parse(Array(yaml.utf8), file: "config.yaml")
    }
  }

  @Test func settingsOfSessionsAreRead() throws {
    var expected = SessionSettings()
    #expect(try parse("device: default").sessions == expected)
    expected.resume = .hold
    expected.maximumAge = .seconds(2 * 3600)
    expected.pausesForSleep = false
    expected.inhibitsSleep = false
    let text = "sessions: {resume: hold, greatest-age: 2h, sleep: go-on, inhibit: off}"
    #expect(try parse(text).sessions == expected)
    #expect(try parse("sessions: {inhibit: on, sleep: pause}").sessions == SessionSettings())
    for key in ["sleep", "inhibit", "resume"] {
      #expect(message("sessions:\n  \(key): maybe")?.hasPrefix("config.yaml:2: ") == true)
    }
    #expect(message("sessions: {awake: on}")?.hasPrefix("config.yaml:1: ") == true)
  }

  @Test func athletesAreReadAndTheDefaultIsEverybodyElse() throws {
    let configuration = try parse(
      """
      athletes:
        default: {ftp: 250, max-heart-rate: 186, threshold-pace: 4:30/km}
        anna: {ftp: 280, heart-rate-alarm: 175, keep-readings: yes}
        ben:
          threshold-pace: 8:00/mi
      """)
    let usual = Athlete(thresholdPower: 250, maximumHeartRate: 186, thresholdPace: 270)
    #expect(configuration.athlete() == usual)
    #expect(configuration.athlete(of: "carl") == usual)
    var anna = Athlete(thresholdPower: 280).or(usual)
    (anna.heartRateAlarm, anna.keepsReadings) = (175, true)
    #expect(configuration.athlete(of: "anna") == anna)
    let pace = try #require(configuration.athlete(of: "ben").thresholdPace)
    #expect((298...299).contains(pace))
    #expect(try parse("countdown: 5").athlete(of: "anna") == Athlete())
  }

  @Test(arguments: [
    ("athletes: {}", "1: athletes is an empty map, expected default, or the names of lanes"),
    ("athletes:\n  anna: 250", "2: the athlete \"anna\" is \"250\", expected one or more of ftp"),
    ("athletes:\n  anna: {ftp: 5}", "2: ftp is \"5\", expected a whole number from 20 to 1000"),
    ("athletes:\n  anna: {ftp: 250.5}", "2: ftp is \"250.5\", expected a whole number"),
    ("athletes:\n  anna: {max-heart-rate: 300}", "2: max-heart-rate is \"300\", expected"),
    ("athletes:\n  anna: {threshold-pace: fast}", "2: threshold-pace is \"fast\", expected a pace"),
    ("athletes:\n  anna: {threshold-pace: 4:30}", "2: threshold-pace is "),
    ("athletes:\n  anna: {threshold-pace: 1:00/km}", "2: threshold-pace is "),
    (
      "athletes:\n  anna: {weight: 60}",
      "2: unknown key \"weight\" in an athlete, expected one of ftp"
    ),
  ])
  func mistakeOfAnAthleteHasItsLine(yaml: String, says: String) throws {
    let complaint = message(yaml)
    #expect(complaint?.hasPrefix("config.yaml:\(says)") == true, "\(complaint ?? "nothing")")
  }

  @Test func everythingThatCanBeSetIsRead() throws {
    let configuration = try parse(
      """
      device: plughw:CARD=Headphones   # a comment
      outputs:
        default: {latency: 150, keep-alive: dither, warm-up: 2, volume: 80}
        hw:CARD=Device,DEV=0:
          latency: -12.5
          keep-alive: off
        "CARD=Headphones":
          warm-up: 0.5
          volume: 0
      """)
    #expect(configuration.device == "plughw:CARD=Headphones")
    #expect(
      configuration.outputs == [
        "default": OutputSettings(
          latency: .milliseconds(150), keepAlive: .dither, warmUp: .seconds(2), volume: 80),
        "hw:CARD=Device,DEV=0": OutputSettings(latency: .microseconds(-12_500), keepAlive: .off),
        "CARD=Headphones": OutputSettings(warmUp: .milliseconds(500), volume: 0),
      ])
    #expect(
      configuration.outputLines
        == ["default": 3, "hw:CARD=Device,DEV=0": 4, "CARD=Headphones": 7])
  }

  @Test func speechSoundsDensityAndAcknowledgementsAreRead() throws {
    let configuration = try parse(
      """
      speech:
        language: pt-BR
        voice: pt-br
        variant: f3
        rate: 80
        pitch: 99
        volume: 0
      sounds: gym
      density: full
      acknowledge: [pause, back]
      """)
    #expect(
      configuration
        == Configuration(
          speech: VoiceSettings(name: "pt-br", variant: "f3", rate: 80, pitch: 99, volume: 0),
          language: "pt-br", sounds: "gym", density: .full, acknowledge: [.pause, .back]))
  }

  @Test func aServerOfVoicesIsAProgramOrASocket() throws {
    let program = try parse(
      "speech: {command: [piper, --voice, alba], voice: alba, languages: [en, pt-BR], cache: 1}")
    #expect(
      program.speechServer
        == SpeechServer(
          .command(["piper", "--voice", "alba"]), languages: ["en", "pt-br"], cacheSize: 1 << 20))
    #expect(program.speech.name == "alba")
    let socket = try parse("speech: {socket: /run/piper}")
    #expect(socket.speechServer == SpeechServer(.socket("/run/piper")))
    #expect(socket.speechServer?.cacheSize == 64 << 20 && socket.speechServer?.languages == nil)
    #expect(try parse("speech: {voice: de}").speechServer == nil)
    #expect(try parse("speech: {voice: de}").offeredVoices == [])
    #expect(try parse("page: {edit: no}").pageOutputs == [])
    #expect(
      try parse("page: {outputs: [default, \"hw:1,0\"]}").pageOutputs == ["default", "hw:1,0"])
    #expect(
      try parse("speech: {offered: [en-gb, flite:slt]}").offeredVoices == ["en-gb", "flite:slt"])
  }

  @Test func countdownAndPhrasesAreReadAsInAPreset() throws {
    let configuration = try parse("countdown: 5\nphrases: {halfway: [Half, Mid], next: silent}")
    #expect(configuration.countdown == 5)
    #expect(
      configuration.phrases == [.halfway: Phrase(["Half", "Mid"]), .next: Phrase([])])
  }

  @Test func noneAcknowledgesNothingAndNothingSaidIsLeftToTheProgram() throws {
    #expect(try parse("acknowledge: none").acknowledge == [])
    #expect(try parse("acknowledge: all").acknowledge == Set(Acknowledgement.allCases))
    #expect(try parse("acknowledge: pause").acknowledge == [.pause])
    #expect(try parse("acknowledge: pause, resume").acknowledge == [.pause, .resume])
    #expect(try parse("sounds: low").acknowledge == nil)
  }

  @Test(arguments: Acknowledgement.allCases)
  func everyCommandCanBeAcknowledgedAlone(command: Acknowledgement) throws {
    #expect(try parse("acknowledge:\n  - \(command.rawValue)").acknowledge == [command])
  }

  @Test(arguments: Density.allCases)
  func everyDensityIsAWord(density: Density) throws {
    #expect(try parse("density: \(density.rawValue)").density == density)
  }

  @Test(arguments: ["", "\n", "# device: default\n", "---\n", "{}"])
  func configurationWithoutSettingsSetsNothing(yaml: String) throws {
    #expect(try parse(yaml) == Configuration())
  }

  @Test(arguments: ["-500", "1000", "0", "-0.25", "1e1", "999.999"])
  func latencyReachesFromEndToEnd(text: String) throws {
    let isPlain = !text.contains("e")
    #expect((message("outputs: {a: {latency: \(text)}}") == nil) == isPlain)
  }

  @Test(arguments: OutputSettings.KeepAlive.allCases)
  func keepAliveIsAWordAlsoWhereYamlMeansTruth(word: OutputSettings.KeepAlive) throws {
    let configuration = try parse("outputs:\n  a:\n    keep-alive: \(word.rawValue)\n")
    #expect(configuration.outputs["a"]?.keepAlive == word)
  }

  private static let keys =
    "device, outputs, speech, sounds, density, countdown, acknowledge, phrases, athletes, sessions, page"

  private static let speech =
    "language, voice, variant, rate, pitch, volume, command, socket, languages, cache, offered"
  private static let command =
    "expected a list of the program and its arguments, such as [wyoming-piper, --uri, stdio://]"
  private static let commands =
    "expected all, none, or one or more of pause, resume, next, back"

  private static let mistakes: [(String, String)] = [
    ("[]", "1: a configuration that is an empty list, expected one or more of \(keys)"),
    ("device", "1: a configuration that is \"device\", expected one or more of \(keys)"),
    (
      "devise: hw:0",
      "1: unknown key \"devise\" in the configuration (did you mean \"device\"?), expected one of "
        + keys
    ),
    (
      "device: a\ndevice: b",
      "2: the key \"device\" is given again, first on line 1, expected each key once"
    ),
    ("device:", "1: device is empty, expected a text"),
    ("device: null", "1: device is empty, expected a text"),
    ("device: ' '", "1: device is blank, expected a text"),
    ("device: [a]", "1: device is a list, expected a text"),
    ("outputs:", "1: outputs is empty, expected devices or cards, each with what is set for it"),
    (
      "outputs: dither",
      "1: outputs is \"dither\", expected devices or cards, each with what is set for it"
    ),
    (
      "outputs:\n  CARD=A:\n",
      "2: the output \"CARD=A\" is empty, expected one or more of latency, keep-alive, warm-up, "
        + "volume"
    ),
    (
      "outputs:\n  CARD=A: 150\n",
      "2: the output \"CARD=A\" is \"150\", expected one or more of latency, keep-alive, warm-up, "
        + "volume"
    ),
    (
      "outputs: {'': {latency: 1}}",
      "1: an output without a name, expected an ALSA device or a card, such as CARD=Headphones"
    ),
    (
      "outputs:\n  CARD=A:\n    keepalive: off",
      "3: unknown key \"keepalive\" in an output (did you mean \"keep-alive\"?), expected one of "
        + "latency, keep-alive, warm-up, volume"
    ),
    (
      "outputs:\n  CARD=A:\n    latency: 1\n    latency: 2",
      "4: the key \"latency\" is given again, first on line 3, expected each key once"
    ),
    ("speech:", "1: speech is empty, expected one or more of \(speech)"),
    ("speech: de", "1: speech is \"de\", expected one or more of \(speech)"),
    (
      "speech:\n  langauge: de",
      "2: unknown key \"langauge\" in speech (did you mean \"language\"?), expected one of \(speech)"
    ),
    (
      "speech:\n  rate: 451",
      "2: rate is \"451\", expected a whole number from 80 to 450"
    ),
    ("speech: {command: piper}", "1: command is \"piper\", \(command)"),
    ("speech: {command: []}", "1: command is an empty list, \(command)"),
    ("speech: {command: [{a: b}]}", "1: command is a map, \(command)"),
    (
      "speech:\n  command: [a]\n  socket: /b", "3: socket beside command, expected one of them"
    ),
    (
      "speech: {socket: piper}",
      "1: socket is \"piper\", expected a path from / on, of at most 107 bytes"
    ),
    (
      "speech: {languages: [en]}",
      "1: languages without a server, expected command or socket beside it"
    ),
    (
      "speech: {command: [a], cache: 0}",
      "1: cache is \"0\", expected a whole number from 1 to 4096"
    ),
    (
      "page: {outputs: default}",
      "1: outputs is \"default\", expected a list of up to 30 ALSA devices, such as [default, \"hw:1,0\"]"
    ),
    (
      "speech: {offered: en}",
      "1: offered is \"en\", expected a list of up to 30 voices, such as [en-gb, flite:slt]"
    ),
    ("speech: {volume: 101}", "1: volume is \"101\", expected a whole number from 0 to 100"),
    ("speech: {pitch: 100}", "1: pitch is \"100\", expected a whole number from 0 to 99"),
    (
      "speech: {language: ../de}",
      "1: language is \"../de\", expected a language such as en or pt-br"
    ),
    ("sounds: [gym]", "1: sounds is a list, expected a text"),
    (
      "sounds: ../gym",
      "1: sounds is \"../gym\", expected a name such as gym, without / and without a dot at its start"
    ),
    ("density: loud", "1: density is \"loud\", expected one of quiet, counts, normal, full"),
    ("acknowledge: stop", "1: acknowledge is \"stop\", \(commands)"),
    ("acknowledge: pause,", "1: acknowledge is \"pause,\", \(commands)"),
    ("acknowledge:", "1: acknowledge is empty, \(commands)"),
    ("countdown: 11", "1: countdown is \"11\", expected a whole number from 0 to 10"),
    (
      "phrases: silent",
      "1: phrases is \"silent\", expected announcements, each with its text or silent"
    ),
    ("acknowledge: []", "1: acknowledge is an empty list, \(commands)"),
    ("acknowledge:\n  - pause\n  - stop", "3: \"stop\" in acknowledge, \(commands)"),
    ("acknowledge: [none]", "1: \"none\" in acknowledge, \(commands)"),
    ("a: !x 5", "1: a tag (!), expected plain keys and values, or quotes round a text"),
    ("a: 5\n\tb: 6", "2: a tab in the indentation, expected spaces alone"),
  ]

  @Test(arguments: mistakes)
  func mistakeIsOneLineWithItsPlace(yaml: String, says: String) {
    #expect(message(yaml) == "config.yaml:" + says)
  }

  private static let milliseconds = "milliseconds from -500 to 1000"
  private static let words = "off, silence or dither"
  private static let volumes = "a whole number from 0 to 100"

  private static let values: [(String, String, String)] = [
    ("latency", "150ms", milliseconds), ("latency", "1000.5", milliseconds),
    ("latency", "-501", milliseconds), ("latency", "nan", milliseconds),
    ("latency", "inf", milliseconds), ("latency", "0x10", milliseconds),
    ("latency", "1e2", milliseconds), ("latency", "+5", milliseconds),
    ("latency", "--5", milliseconds), ("latency", "1.2.3", milliseconds),
    ("latency", "-.", milliseconds), ("latency", ".", milliseconds),
    ("latency", String(repeating: "9", count: 39), milliseconds),
    ("keep-alive", "on", words), ("keep-alive", "no", words), ("keep-alive", "false", words),
    ("keep-alive", "Dither", words),
    ("warm-up", "30.1", "seconds from 0 to 30"), ("warm-up", "-1", "seconds from 0 to 30"),
    ("warm-up", "2s", "seconds from 0 to 30"),
    ("volume", "101", volumes), ("volume", "-1", volumes), ("volume", "50.5", volumes),
    ("volume", "050", volumes), ("volume", "00", volumes), ("volume", "loud", volumes),
    ("volume", "80%", volumes),
  ]

  @Test(arguments: values)
  func valueOfTheWrongKindSaysWhatWasExpected(key: String, value: String, expected: String) {
    #expect(
      message("outputs:\n  a:\n    \(key): \(value)")
        == "config.yaml:3: \(key) is \"\(value)\", expected \(expected)")
  }

  @Test(arguments: ["latency", "keep-alive", "warm-up", "volume"])
  func valueThatIsNoTextIsNoValue(key: String) throws {
    for (value, found) in [("", "empty"), ("[1]", "a list"), ("{a: 1}", "a map")] {
      let says = message("outputs:\n  a:\n    \(key): \(value)")
      #expect(says?.hasPrefix("config.yaml:3: \(key) is \(found), expected ") == true)
    }
  }

  @Test func missingFileSetsNothing() throws {
    #expect(try ConfigurationFile.read(path: "/nosuch/config.yaml") == Configuration())
  }

  @Test(.timeLimit(.minutes(30)))
  func whatIsNoFileIsRefusedUnread() throws {
    let space = TestFolder()
    let pipe = space.path("config.yaml")
    try #require(mkfifo(pipe, 0o600) == 0)
    for (path, kind) in [(space.folder, "a folder"), (pipe, "a pipe"), ("/dev/zero", "a device")] {
      let complaint = complaint { () throws(FileError) in try ConfigurationFile.read(path: path) }
      #expect(complaint == "\(path): \(kind), expected a configuration file")
    }
  }
}
