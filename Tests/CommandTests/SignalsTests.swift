import Foundation
import Testing

/// Runs that are ended by signals.
@Suite struct SignalsTests {
  private let space = Workspace()

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func signalEndsTheRunWithEverythingWhole(number: Int32, code: Int32) async throws {
    let made = try await undisturbed {
      let space = Workspace()
      defer { space.remove() }
      let preset = try space.write(Preset.long, to: "long.yaml")
      let run = try await space.program.start([
        "run", preset, "--no-sound", "--record", "kept.wav", "--ledger", Workspace.ledgerName,
      ])
      try await run.until("the first cue is heard") { space.ledger.has("cue") }
      run.send(signal: number)
      return (
        outcome: await run.end(), ledger: space.ledger, recording: try space.recording("kept.wav")
      )
    } ledger: {
      $0.ledger
    }
    #expect(made.outcome.status == .exited(code))
    #expect(made.outcome.errorLines.count == 1)
    #expect(made.outcome.errors.hasSuffix("left; to continue: cuecoach resume\n"))
    #expect(made.outcome.lines.count == 2)
    #expect(made.outcome.lines.last?.hasPrefix("Long: interrupted after ") == true)
    #expect(made.ledger.isWhole)
    #expect(made.ledger.has("stop"))
    #expect(!made.ledger.has("finish"))
    #expect(made.recording.isWhole)
    #expect(made.recording.peak > 1000)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func signalEndsARunWhoseOutputNobodyTakes(number: Int32) async throws {
    let preset = try space.write(Preset.long, to: "long.yaml")
    let run = try await space.program.with(\.output, .stuck).start([
      "run", preset, "--no-sound", "--ledger", Workspace.ledgerName,
    ])
    try await run.until("the first cue is heard") { space.ledger.has("cue") }
    await run.end(by: number).expect(128 + number)
    #expect(space.ledger.has("stop"))
  }

  @Test func cuesOnTheirWayAreWithdrawnEachOnce() async throws {
    // Every count is within the hand-off horizon.
    let preset = try space.write(
      "name: A\nblocks: [{phases: [{prepare: 1400ms}, {work: 1h}]}]\n", to: "a.yaml")
    let (outcome, ledger) = try await undisturbed {
      let run = try await space.program.start([
        "run", preset, "--no-sound", "--ledger", Workspace.ledgerName, "--resume", "discard",
      ])
      try await run.until("the workout begins") {
        !run.output.isEmpty
      } then: {
        run.send(signal: SIGTERM)
      }
      return (await run.end(), space.ledger)
    } ledger: {
      $0.1
    }
    #expect(outcome.status == .exited(143))
    #expect(ledger.isWhole)
    #expect(ledger.outcomes.isSubset(of: ["played", "withdrawn"]))
    let texts = ledger.cues.compactMap(\.text)
    #expect(Set(texts).count == texts.count)
    #expect(texts.contains("Work"))
  }

  @Test func killedRunLeavesARecordingAndALedgerThatCanBeRead() async throws {
    let preset = try space.write(Preset.long, to: "long.yaml")
    let run = try await space.program.start([
      "run", preset, "--no-sound", "--record", "kept.wav", "--ledger", Workspace.ledgerName,
    ])
    try await run.until("something is recorded") {
      (try? space.recording("kept.wav"))?.samples.isEmpty == false && space.ledger.has("cue")
    }
    let outcome = await run.end(by: SIGKILL)
    #expect(outcome.status == .killed(SIGKILL))
    #expect(space.ledger.isWhole)
    let recording = try space.recording("kept.wav")
    #expect(recording.isWhole)
  }
}
