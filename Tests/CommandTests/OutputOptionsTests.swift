import ALSAOutput
import CueSound
import Foundation
import InstalledFiles
import Presets
import Testing

@testable import cuecoach

/// The device and its settings, from the options or else from config.yaml.
@Suite struct OutputOptionsTests {
  private let space = Workspace()

  private static let configuration = Configuration(
    device: "plughw:CARD=Headphones",
    outputs: [
      "hw:CARD=Device,DEV=0": OutputSettings(latency: .milliseconds(-5)),
      "CARD=Device": OutputSettings(keepAlive: .dither, volume: 80),
      "CARD=Headphones": OutputSettings(warmUp: .seconds(2)),
      "default": OutputSettings(
        latency: .milliseconds(150), keepAlive: .silence, warmUp: .seconds(1), volume: 50),
    ])

  private func choice(
    _ options: String, _ configuration: Configuration = configuration, hasSound: Bool = true
  ) throws -> (choice: OutputChoice, warnings: [String]) {
    var warnings: [String] = []
    let options = try OutputOptions.parse(options.split(separator: " ").map(String.init))
    let choice = try options.choice(configuration, hasSound: hasSound) { warnings.append($0) }
    return (choice, warnings)
  }

  @Test func withoutOptionsOrConfigurationItIsTheDefault() throws {
    let (choice, warnings) = try choice("", Configuration())
    #expect(choice.device == "default" && choice.volume == 100)
    #expect(choice.profile == OutputProfile())
    #expect(choice.startLead == .milliseconds(200))
    #expect(warnings == [])
  }

  @Test func configurationNamesTheDeviceAndItsTreatment() throws {
    let (choice, _) = try choice("")
    #expect(choice.device == "plughw:CARD=Headphones")
    #expect(choice.profile == OutputProfile(warmUp: .seconds(2)))
    #expect(choice.startLead == .milliseconds(2200))
  }

  private static let fromFile: [(String, OutputProfile)] = [
    ("hw:CARD=Device,DEV=0", OutputProfile(latency: .milliseconds(-5))),
    ("hw:CARD=Device,DEV=1", OutputProfile(keepAlive: .dither, volumeCeiling: 80)),
    ("plughw:Device", OutputProfile(keepAlive: .dither, volumeCeiling: 80)),
    ("plug:'hw:Device,0'", OutputProfile(keepAlive: .dither, volumeCeiling: 80)),
    ("hw:CARD=Devic", OutputProfile()), ("hw:0", OutputProfile()), ("Device", OutputProfile()),
    (
      "default",
      OutputProfile(
        latency: .milliseconds(150), keepAlive: .silence, warmUp: .seconds(1), volumeCeiling: 50)
    ),
  ]

  @Test(arguments: fromFile)
  func deviceIsTreatedAsItselfOrAsItsCard(device: String, profile: OutputProfile) throws {
    let options = try OutputOptions.parse(["--device", device])
    let choice = try options.choice(Self.configuration) { _ in }
    #expect(choice.device == device)
    #expect(choice.profile == profile)
    #expect(choice.volume == profile.volumeCeiling)
  }

  @Test func optionsOverrideTheFile() throws {
    let (choice, warnings) = try choice(
      "--device default --latency -20.5 --keep-alive dither --warm-up 0 --volume 30")
    #expect(
      choice.profile
        == OutputProfile(latency: .microseconds(-20_500), keepAlive: .dither, volumeCeiling: 50))
    #expect(choice.volume == 30)
    #expect(choice.startLead == .milliseconds(200))
    #expect(warnings == [])
  }

  @Test func warmUpLengthensTheStartAndTheOutputKnowsItsLatency() throws {
    let (choice, _) = try choice("--device default")
    #expect(choice.startLead == .milliseconds(1200))
    #expect(ALSAOutput(choice).latency == .milliseconds(150))
  }

  @Test func volumeAboveTheCeilingIsLoweredAndReported() throws {
    let (choice, warnings) = try choice("--device default --volume 51")
    #expect(choice.volume == 50 && choice.gain == 0.25)
    #expect(
      warnings == [
        "volume 51 is lowered to 50, the most that config.yaml allows for \"default\""
      ])
  }

  @Test func withoutSoundNoDeviceIsTreatedInAnyWay() throws {
    let (choice, warnings) = try choice("--device default --volume 90", hasSound: false)
    #expect(choice.device == nil && choice.volume == 90)
    #expect(choice.profile == OutputProfile())
    #expect(choice.startLead == .milliseconds(200))
    #expect(warnings == [])
  }

  private static let names: [(String, String, String?)] = [
    ("default", "default", nil), ("", "", nil), ("hw:", "hw", nil), (":", "", nil),
    ("hw:0", "hw", "0"), ("plughw:Device,0", "plughw", "Device"),
    ("plughw:CARD=Device,DEV=0", "plughw", "Device"), ("hw:DEV=1,CARD=Device", "hw", "Device"),
    ("plug:'hw:CARD=a,DEV=0'", "hw", "a"), ("plug:SLAVE=\"hdmi:CARD=b\"", "hdmi", "b"),
    ("hw:DEV=1", "hw", nil), ("hw:CARD=", "hw", nil), ("hw:,1", "hw", nil),
  ]

  @Test(arguments: names)
  func nameOfADeviceTellsItsCard(name: String, interface: String, card: String?) {
    #expect(DeviceName(name).interface == interface)
    #expect(DeviceName(name).card == card)
  }

  // MARK: The program

  private static let file = ".config/cuecoach/config.yaml"

  @Test(arguments: [
    "run tiny.yaml", "run tiny.yaml --no-sound --record kept.wav", "devices", "test-sound",
  ])
  func mistakeInTheConfigurationIsOneLineAndExitCodeTwo(command: String) async throws {
    try space.write(Preset.tiny, to: "tiny.yaml")
    let path = try space.write("device: default\noutput:\n", to: Self.file)
    let outcome = try await space.program.run(command.split(separator: " ").map(String.init))
    outcome.expectOneLine(2)
    #expect(
      outcome.errors
        == "\(path):2: unknown key \"output\" in the configuration (did you mean \"outputs\"?), "
        + "expected one of device, outputs, speech, sounds, density, countdown, acknowledge, phrases, "
        + "athletes, sessions, page\n")
    #expect(!space.has("kept.wav"))
  }

  @Test func configurationIsFoundWhereXDGSays() async throws {
    try space.write(Preset.quiet, to: "tiny.yaml")
    try space.write("device: elsewhere", to: "xdg/cuecoach/config.yaml")
    let program = space.program.with("XDG_CONFIG_HOME", space.path("xdg"))
    let outcome = try await program.run(["run", "tiny.yaml"])
    #expect(outcome.errors.contains("\"elsewhere\" is not there"))
  }

  @Test func deviceOfTheCommandComesBeforeTheConfigurations() async throws {
    try space.write("device: nosuch", to: Self.file)
    let card = try SoundCard(in: space)
    let preset = try space.write(Preset.quiet, to: "tiny.yaml")
    let silent = try await card.program.run(["run", preset])
    #expect(silent.errors.contains("\"nosuch\" is not there"))
    #expect(!card.hasSounded)
    let heard = try await card.program.run(["run", preset, "--device", "default"])
    #expect(heard.errors == "")
    #expect(card.hasSounded)
  }

  @Test func ceilingHoldsAndTheStartWaitsForTheWarmUp() async throws {
    try space.write(
      "outputs:\n  default:\n    volume: 10\n    warm-up: 1.5\n", to: Self.file)
    let card = try SoundCard(in: space)
    let preset = try space.write(Preset.quiet, to: "tiny.yaml")
    let outcome = try await card.program.run([
      "run", preset, "--volume", "90", "--record", "take.wav",
    ]).expect(0)
    #expect(
      outcome.errors
        == "cuecoach: volume 90 is lowered to 10, the most that config.yaml allows for "
        + "\"default\"\n")
    let take = try space.recording("take.wav")
    #expect((1...400).contains(take.peak))
    #expect((take.onsets.first ?? 0) > take.rate * 3 / 2)
  }

  @Test func withoutAHomeNothingIsReadOrKept() async throws {
    let card = try SoundCard(in: space)
    let preset = try space.write(Preset.quiet, to: "tiny.yaml")
    let outcome = try await card.program.with("HOME", nil).run(["run", preset]).expect(0)
    #expect(
      outcome.errors
        == "cuecoach: this workout cannot be resumed if it is interrupted: there is no folder for "
        + "sessions; set HOME or XDG_STATE_HOME\n")
  }
}
