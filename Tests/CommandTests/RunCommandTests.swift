import Testing

/// A complete run, without a device and without a terminal.
@Suite struct RunCommandTests {
  private let space = Workspace()

  /// Run once for all tests.
  private static let short = Task { try await Take(Preset.short) }

  @Test func eachPhaseIsOnePlainLine() async throws {
    let take = try await Self.short.value
    #expect(take.outcome.status == .exited(0))
    #expect(take.outcome.errors == "")
    #expect(
      take.outcome.lines == [
        "0:00  Get ready, 0:02 (next: Work)", "0:02  Work, 0:01",
        "Short: complete after 0:03, 2 of 2 phases done",
      ])
  }

  @Test func phaseShorterThanACheckHasItsLineToo() async throws {
    let names = ["A", "B", "C", "D", "E", "F", "G"]
    let phases = names.map { "{work: 0.25s, name: \($0)}" }.joined(separator: ", ")
    let take = try await Take("name: Fast\nblocks: [{phases: [\(phases)]}]\n")
    #expect(take.outcome.status == .exited(0))
    let shown = take.outcome.lines.dropLast().map { line in
      line.drop { !$0.isLetter }.prefix { $0.isLetter }
    }
    #expect(shown == names.map { $0[...] })
  }

  @Test func ledgerIsAnObjectALineFromStartToFinish() async throws {
    let take = try await Self.short.value
    #expect(take.ledger.isWhole)
    let start = try #require(take.ledger.lines.first)
    #expect(start.event == "start")
    #expect(start.lane == "preset")
    #expect(start.preset == "Short")
    #expect(start.wall?.hasSuffix("Z") == true)
    #expect(take.ledger.events.count { $0 == "finish" } == 1)
    #expect(!take.ledger.has("stop"))
    #expect(take.ledger.outcomes(ofPhase: "Get ready") == ["done"])
    #expect(take.ledger.outcomes(ofPhase: "Work") == ["done"])
    let finish = take.ledger.lines.first { $0.event == "finish" }?.at
    #expect(finish == start.at.map { $0 + 3_000_000_000 })
  }

  @Test func everyCueOfTheTimelineIsPlayedOnceWhenItIsDue() async throws {
    let take = try await Self.short.value
    let timeline = try await Take.timeline(of: Preset.short)
    #expect(take.outcome.status == .exited(0))
    #expect(take.ledger.outcomes == ["played"])
    #expect(take.ledger.plan(of: "preset") == timeline.plan)
    #expect(take.ledger.cues.allSatisfy { $0.onset != nil && $0.reason == nil })
    #expect(take.ledger.cues.flatMap { $0.parts ?? [] }.allSatisfy { $0.onset != nil })
  }

  @Test func recordingIsWhole() async throws {
    let take = try await Self.short.value
    #expect(take.recording.isWhole)
    #expect(take.recording.rate == 48_000)
    #expect(take.recording.samples.count >= 3 * 48_000)
  }

  @Test func withoutADeviceOrARecordingCuesArePlayedToNobody() async throws {
    let preset = try space.write(Preset.tiny, to: "tiny.yaml")
    let (outcome, ledger) = try await undisturbed {
      let outcome = try await space.run(
        "run", preset, "--no-sound", "--ledger", Workspace.ledgerName, "--voice", "en-us")
      return (outcome, space.ledger)
    } ledger: {
      $0.1
    }
    outcome.expectSuccess()
    #expect(ledger.outcomes == ["played"])
    #expect(ledger.cues.allSatisfy { $0.onset == nil })
    #expect(ledger.has("finish"))
  }

  @Test func fullLedgerIsReportedOnceAndTheWorkoutContinues() async throws {
    let preset = try space.write(Preset.quiet, to: "tiny.yaml")
    let outcome = try await space.run("run", preset, "--no-sound", "--ledger", "/dev/full")
      .expect(1)
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.contains("the ledger /dev/full misses lines"))
    #expect(outcome.lines.last?.contains("complete") == true)
  }
}
