import CueEngine
import CueSound
import Foundation
import Testing

@testable import cuecoach

/// Devices that are missing, refuse access, disappear and return.
@Suite struct DeviceAdviceTests {
  private let space = Workspace()

  @Test func aServiceAdvisesOnItsOutput() {
    let gone = SoundOutputError(kind: .gone, device: "hw:9", detail: "")
    #expect(
      DeviceAdvice.line(about: .deviceLost(gone)).hasPrefix("no sound: \"hw:9\" is not there"))
    #expect(DeviceAdvice.line(about: .notRealtime) == DeviceAdvice.realtime())
    #expect(DeviceAdvice.line(about: .xrun) == BusyNotice.xrun())
  }

  private static let goesOn = "The workout continues, and the device is tried again."

  private static let problems: [(SoundOutputError.Kind, String, String)] = [
    (
      .gone, "hw:1,0",
      "\"hw:1,0\" is not there, and numbers change; cuecoach devices lists the cards by id (CARD=)"
    ),
    (.gone, "hw:CARD=b\n", "\"hw:CARD=b \" is not there; cuecoach devices lists what is there"),
    (
      .unsupported, "hw:CARD=Device,DEV=0",
      "\"hw:CARD=Device,DEV=0\" does not take 48 kHz of 16 bits; pass plughw:CARD=Device, or "
        + "hdmi:CARD=Device for HDMI"
    ),
    (
      .unsupported, "hw:CARD=vc4hdmi0,DEV=0",
      "\"hw:CARD=vc4hdmi0,DEV=0\" does not take 48 kHz of 16 bits; pass hdmi:CARD=vc4hdmi0"
    ),
    (
      .unsupported, "plughw:b1",
      "\"plughw:b1\" does not take 48 kHz of 16 bits; try hdmi:CARD=b1"
    ),
    (
      .unsupported, "bluealsa",
      "\"bluealsa\" does not take 48 kHz of 16 bits; try --device \"plug:'bluealsa'\""
    ),
    (
      .stuck, "default",
      "\"default\" accepts sound but plays none; check its connection and the sound server, if any"
    ),
    (
      .failed, "default",
      "\"default\" fails (snd_pcm_open: Broken); cuecoach devices lists what is there"
    ),
  ]

  @Test(arguments: problems)
  func problemIsOneLineThatSaysWhatToDo(
    kind: SoundOutputError.Kind, device: String, says: String
  ) {
    let error = SoundOutputError(kind: kind, device: device, detail: "snd_pcm_open:\tBroken")
    #expect(DeviceAdvice.problem(error) == says)
  }

  private func expectSilence(_ outcome: Outcome, _ ledger: Ledger, says: String) {
    #expect(outcome.status == .exited(0))
    #expect(outcome.lines.count == 2)
    #expect(outcome.errors == "cuecoach: no sound: \(says). \(Self.goesOn)\n")
    #expect(ledger.isWhole)
    #expect(ledger.events.count { $0 == "device-lost" } == 1)
    #expect(ledger.has("finish"))
    // A slow machine may be so late that the coach also says where the workout is.
    #expect(ledger.cues.count { $0.kind != "position" } == 3)
    #expect(ledger.outcomes == ["missed"])
    #expect(ledger.cues.allSatisfy { $0.onset == nil })
  }

  @Test(arguments: ["default", "nosuch", "plughw:CARD=Nosuch"])
  func missingDeviceIsReportedOnceAndItsCuesAreMissed(device: String) async throws {
    let preset = try space.write(Preset.tiny, to: "tiny.yaml")
    let outcome = try await space.run(
      "run", preset, "--ledger", Workspace.ledgerName, "--device", device)
    expectSilence(
      outcome, space.ledger,
      says: "\"\(device)\" is not there; cuecoach devices lists what is there")
    #expect(space.ledger.lines.first { $0.event == "device-lost" }?.reason == "gone")
  }

  private static let refusals: [(SoundCard.Order, String)] = [
    (
      .busy,
      "\"default\" is in use by another program; fuser -v /dev/snd/* shows which; close that one"
    ),
    (
      .denied,
      "\"default\" may not be used by this user; join the group audio "
        + "(sudo usermod -aG audio $USER) and log in again"
    ),
    (.unplug, "\"default\" is not there; cuecoach devices lists what is there"),
  ]

  @Test(arguments: refusals)
  func deviceThatRefusesIsReportedWithAdvice(order: SoundCard.Order, says: String) async throws {
    let card = try SoundCard(in: space, order)
    let preset = try space.write(Preset.tiny, to: "tiny.yaml")
    let outcome = try await card.program.run([
      "run", preset, "--ledger", Workspace.ledgerName,
    ])
    expectSilence(outcome, space.ledger, says: says)
    #expect(!card.hasSounded)
  }

  @Test func defaultDeviceIsHeard() async throws {
    let card = try SoundCard(in: space)
    let preset = try space.write(Preset.short, to: "short.yaml")
    let (outcome, ledger) = try await undisturbed {
      let outcome = try await card.program.run([
        "run", preset, "--ledger", Workspace.ledgerName,
      ])
      return (outcome, space.ledger)
    } ledger: {
      $0.1
    }
    #expect(outcome.status == .exited(0))
    // A busy machine may interrupt the sound, which is reported.
    #expect(!outcome.errors.contains("no sound"))
    #expect(ledger.outcomes == ["played"])
    #expect(ledger.cues.count == 4)
    #expect(ledger.cues.allSatisfy { $0.onset != nil })
    #expect(!ledger.has("device-lost"))
    #expect(card.hasSounded)
  }

  @Test func deviceThatVanishesComesBackInPlace() async throws {
    func end(_ ledger: Ledger) -> [Ledger.Line] {
      ledger.cues.filter { ["Finish", "Workout complete"].contains($0.text) }
    }
    // A cue of before is missed in any case.
    let (ledger, output) = try await undisturbed {
      try await runWithoutDevice(Workspace())
    } wasHeldUp: {
      end($0.0).contains { $0.outcome == "missed" }
    }
    #expect(ledger.isWhole)
    #expect(ledger.has("finish"))
    let finish = end(ledger)
    #expect(finish.map(\.outcome) == ["played", "played"])
    #expect(finish.allSatisfy { $0.onset != nil })
    // The screen took the warnings with it.
    #expect(output.contains("cuecoach: no sound: \"default\" is not there"))
    #expect(output.contains("cuecoach: the sound is back"))
  }

  /// A workout whose device is away for one of its phases.
  private func runWithoutDevice(_ space: Workspace) async throws -> (Ledger, output: String) {
    let card = try SoundCard(in: space)
    let preset = try space.write(Preset.open, to: "open.yaml")
    let terminal = try PseudoTerminal()
    let run = try await card.program.start(
      ["run", preset, "--ledger", Workspace.ledgerName], on: terminal)
    try await run.until("the first cue is heard") { space.ledger.has("cue") }
    try card.tell(.unplug)
    try await run.until("the loss is known") { space.ledger.has("device-lost") }
    try await run.until("the loss is shown") { terminal.text.contains("no sound: \"default\"") }
    terminal.type("n")
    try await run.until("a cue is missed") { space.ledger.outcomes.contains("missed") }
    try card.tell(.run)
    try await run.until("the return is known") { space.ledger.has("device-back") }
    terminal.type("n")
    try await run.until("the last phase begins") { terminal.picture.shows("Jump, 3 reps") }
    terminal.type("n")
    let outcome = await run.end().expect(0)
    return (space.ledger, outcome.output)
  }

  @Test func deviceThatAppearsLaterIsUsed() async throws {
    let card = try SoundCard(in: space, .busy)
    let preset = try space.write(Preset.long, to: "long.yaml")
    let run = try await card.program.start(["run", preset, "--ledger", Workspace.ledgerName])
    try await run.until("the refusal is told") { run.errors.contains("is in use") }
    try card.tell(.run)
    try await run.until("the return is told") { run.errors.contains("the sound is back") }
    // Until the words are ready there is nothing to keep.
    try await run.until("the workout runs") { space.ledger.has("cue") }
    let outcome = await run.end(by: SIGTERM).expect(143)
    #expect(outcome.errorLines.count == 3)
    let device = space.ledger.events.filter { $0.hasPrefix("device") }
    #expect(device == ["device-lost", "device-back"])
  }
}
