import Testing

/// A complete run, without a device and without a terminal.
@Suite struct RunCommandTests {
  /// Each preset is run once for all tests.
  private static let short = Task { try await Take(Preset.short) }
  private static let counted = Task { try await Take(Preset.counted) }
  private static let oneSet = Task { try await Take(Preset.oneSet) }

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
    let phases = names.map { "{work: 0.2s, name: \($0)}" }.joined(separator: ", ")
    let take = try await Take("name: Fast\nblocks: [{phases: [\(phases)]}]\n")
    #expect(take.outcome.status == .exited(0))
    let shown = take.outcome.lines.dropLast().map { line in
      line.drop { !$0.isLetter }.prefix { $0.isLetter }
    }
    #expect(shown == names.map { $0[...] })
    #expect(take.ledger.plan(of: "preset") == take.timeline.plan)
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

  @Test(arguments: [short, counted, oneSet])
  func everyCueOfTheTimelineIsPlayedOnceWhenItIsDue(run: Task<Take, any Error>) async throws {
    let take = try await run.value
    #expect(take.outcome.status == .exited(0))
    #expect(take.ledger.outcomes == ["played"])
    #expect(take.ledger.plan(of: "preset") == take.timeline.plan)
    #expect(take.ledger.cues.allSatisfy { $0.onset != nil && $0.reason == nil })
    #expect(take.ledger.cues.flatMap { $0.parts ?? [] }.allSatisfy { $0.onset != nil })
  }

  @Test func setCompletionIsItsWordsAndFourNumbersOnTheirSeconds() async throws {
    let take = try await Self.oneSet.value
    let completion = try #require(take.ledger.cues.first { $0.kind == "set-completion" })
    #expect(completion.text == "Set 1 completing in 3, 2, 1, 0")
    let parts = try #require(completion.parts)
    #expect(parts.map(\.text) == ["Set 1 completing in", "3", "2", "1", "0"])
    let start = try #require(take.ledger.lines.first?.at)
    let counts = parts.dropFirst().map { $0.due - start }
    #expect(counts == [3, 4, 5, 6].map { $0 * 1_000_000_000 })
    #expect(parts[0].due < parts[1].due)
  }

  @Test(arguments: [short, counted, oneSet])
  func recordingIsWhole(run: Task<Take, any Error>) async throws {
    let take = try await run.value
    #expect(take.recording.isWhole)
    #expect(take.recording.rate == 48_000)
    let length = try #require(take.timeline.length)
    #expect(take.recording.samples.count >= Int(length * 48_000))
  }

  @Test func beepsLieASecondApartOnTheFrame() async throws {
    let take = try await Self.counted.value
    // The transition, three beeps, the finish and its announcement.
    let onsets = take.recording.onsets
    #expect(onsets.count >= 5)
    let gaps = zip(onsets[1...4], onsets[2...4]).map { $1 - $0 }
    #expect(gaps.prefix(2).allSatisfy { (47_999...48_001).contains($0) }, "\(gaps)")
    let told = take.ledger.cues.filter { $0.kind == "countdown" }.compactMap(\.onset)
    let frames = zip(told, told.dropFirst()).map { ($1 - $0) * 48 / 1_000_000 }
    #expect(frames.count == 2)
    #expect(frames.allSatisfy { (47_999...48_001).contains($0) }, "\(frames)")
  }

  @Test func volumeIsThatOfTheRecordingToo() async throws {
    // Only sounds, because espeak-ng never speaks the same way twice.
    async let loud = Take(Preset.tiny, "--density", "quiet")
    async let half = Take(Preset.tiny, "--density", "quiet", "--volume", "50")
    async let mute = Take(Preset.tiny, "--density", "quiet", "--volume", "0")
    let peaks = try await [loud.recording.peak, half.recording.peak, mute.recording.peak]
    #expect(peaks[0] > 1000)
    #expect(abs(peaks[0] - peaks[1] * 4) <= 4, "\(peaks)")
    #expect(peaks[2] == 0)
  }

  @Test func withoutADeviceOrARecordingCuesArePlayedToNobody() async throws {
    let space = try Workspace()
    defer { space.remove() }
    let preset = try space.write(Preset.tiny, to: "tiny.yaml")
    let (outcome, ledger) = try await undisturbed {
      let outcome = try await space.run(
        "run", preset, "--no-sound", "--ledger", Workspace.ledgerName, "--voice", "en-us")
      return (outcome, space.ledger)
    } ledger: {
      $0.1
    }
    #expect(outcome.status == .exited(0))
    #expect(outcome.errors == "")
    #expect(ledger.outcomes == ["played"])
    #expect(ledger.cues.allSatisfy { $0.onset == nil })
    #expect(ledger.has("finish"))
  }

  @Test func fullLedgerIsReportedOnceAndTheWorkoutContinues() async throws {
    let space = try Workspace()
    defer { space.remove() }
    let preset = try space.write(Preset.quiet, to: "tiny.yaml")
    let outcome = try await space.run("run", preset, "--no-sound", "--ledger", "/dev/full")
    #expect(outcome.status == .exited(1))
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.contains("the ledger /dev/full misses lines"))
    #expect(outcome.lines.last?.contains("complete") == true)
  }
}
