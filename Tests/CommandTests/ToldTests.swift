import Foundation
import TestSupport
import Testing

/// The table of what a listener is told, made of what a stand-in for the program prints.
@Suite struct ToldTests {
  private let space = Workspace()

  private static let script = SourceTree.path("Benchmarks/told")

  private struct Phase {
    var kind = "high"
    var name: String?
    var target: String?
    var length: Double? = 30
    var isSurprise = false
    /// What is said in it: seconds since its start, kind, text.
    var said: [(Double, String, String)] = []
  }

  /// What `timeline --json` prints of them, each text half a second long.
  private func json(_ phases: [Phase]) throws -> String {
    var start = 0.0
    var entries: [[String: Any]] = []
    var cues: [[String: Any]] = []
    for (index, phase) in phases.enumerated() {
      let end = start + (phase.length ?? 5)
      entries.append([
        "kind": phase.kind, "name": phase.name ?? NSNull(), "intensity": phase.target ?? NSNull(),
        "length": phase.length ?? NSNull(), "start": start, "end": end,
        "surprise": phase.isSurprise,
      ])
      for (seconds, kind, text) in phase.said {
        let at = start + seconds
        cues.append([
          "at": at, "phase": index, "inPhase": seconds, "kind": kind, "text": text,
          "outcome": "played", "reason": NSNull(),
          "parts": [["text": text, "at": at, "length": 0.5]],
        ])
      }
      start = end
    }
    let object: [String: Any] = [
      "preset": "Stand-in", "length": start, "phases": entries, "cues": cues,
    ]
    return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
  }

  /// The words of the row for a workout of these phases, and the whole output.
  private func told(
    _ phases: [Phase], _ options: String...
  ) async throws -> (row: [String], outcome: Outcome) {
    try space.write(try json(phases), to: "timeline.json")
    try space.write("#!/bin/sh\nexec cat '\(space.path("timeline.json"))'\n", to: "stand-in")
    // Another process writes it: one that this process writes may be busy when it is run.
    var shell = space.program
    shell.executable = "/bin/sh"
    _ = try await shell.run(["-c", "cp stand-in program && chmod +x program"])
    let workout = try space.write("", to: "w.yaml")
    var python = space.program
    python.executable = "/usr/bin/python3"
    let outcome = try await python.run([Self.script, space.path("program"), workout] + options)
    let row = outcome.lines.first { $0.hasPrefix(workout.suffix(31)) } ?? ""
    return (row.dropFirst(32).split(separator: " ").map(String.init), outcome)
  }

  private let first = Phase(kind: "warmup", length: 60)

  @Test func aTextOfThePhaseBeforeOrOfTheFirstSecondsTells() async throws {
    var (warmup, hard, easy) = (
      first, Phase(name: "Hard", target: "95 % FTP"), Phase(kind: "low", name: "Easy")
    )
    warmup.said = [(50, "next", "Next: Hard, 30 seconds, 95 percent")]
    easy.said = [(1.2, "begins", "Easy, 30 seconds")]
    let (row, outcome) = try await told([warmup, hard, easy])
    #expect(row == ["2", "100", "%", "100", "%", "100", "%", "of", "1"])
    #expect(outcome.status == .exited(0))
    hard.said = [(2, "halfway", "Halfway, Easy, 30 seconds")]
    easy.said = [(4, "text", "Easy, 30 seconds")]
    #expect(
      try await told([warmup, hard, easy]).row
        == ["2", "50", "%", "50", "%", "100", "%", "of", "1"])
  }

  @Test func whatIsSaidOfThePhaseBeforeTellsNothingOfTheNext() async throws {
    let hard = Phase(name: "Hard", said: [(1, "begins", "Hard, 30 seconds")])
    let easy = Phase(name: "Easy")
    #expect(try await told([first, hard, easy]).row == ["2", "50", "%", "50", "%", "–"])
    var rest = Phase(kind: "rest", said: [(1, "text", "Shake out for 30 seconds, then go on")])
    #expect(try await told([first, rest, easy]).row.prefix(5) == ["2", "0", "%", "50", "%"])
    rest.said = [(1, "next", "Next: Easy, 30 seconds")]
    #expect(try await told([first, rest, easy]).row.prefix(5) == ["2", "50", "%", "50", "%"])
  }

  @Test func anotherLengthOrTargetIsNotTold() async throws {
    let hard = Phase(
      name: "Hard", target: "50 to 75 % FTP", length: 90,
      said: [(1, "begins", "Hard, 1 minute, 50 percent")])
    #expect(
      try await told([first, hard]).row == ["1", "100", "%", "0", "%", "0", "%", "of", "1"])
    let right = Phase(
      name: "Hard", target: "50 to 75 % FTP", length: 90,
      said: [(1, "begins", "Hard, 1 minute 30 seconds, from 50 to 75 percent")])
    #expect(
      try await told([first, right]).row == ["1", "100", "%", "100", "%", "100", "%", "of", "1"])
  }

  @Test func whatWasToldInFullTwiceIsToldByItsName() async throws {
    let full = Phase(name: "Hard", said: [(1, "begins", "Hard, 30 seconds")])
    let named = Phase(name: "Hard", said: [(1, "begins", "Hard")])
    #expect(
      try await told([first, full, full, named]).row.prefix(5) == ["3", "100", "%", "100", "%"])
    #expect(try await told([first, full, named]).row.prefix(5) == ["2", "100", "%", "50", "%"])
  }

  @Test func theTextOfAGroupTellsAsManyTurnsAsItSays() async throws {
    var warmup = first
    warmup.said = [(50, "next", "Next: 2 times: 20 seconds Hard, 10 seconds Easy")]
    let turn = [Phase(name: "Hard", length: 20), Phase(name: "Easy", length: 10)]
    #expect(
      try await told([warmup] + turn + turn + turn).row.prefix(5)
        == ["6", "66", "%", "66", "%"])
  }

  @Test func theTextOfARollingStretchTellsThePhasesInItsRange() async throws {
    var warmup = first
    warmup.said = [(50, "next", "Next 2 minutes: rolling, 180 to 240 watts")]
    let phases = ["180 to 200 W", "200 to 240 W", "240 to 260 W", "200 to 190 W", "190 W"]
      .map { Phase(name: nil, target: $0) }
    // One is out of the range, and the last one after the two minutes.
    #expect(
      try await told([warmup] + phases).row == ["5", "60", "%", "60", "%", "60", "%", "of", "5"])
  }

  @Test func shortOpenAndFirstPhasesAndTheLengthBeforeASurpriseAreLeftOut() async throws {
    let phases = [
      first, Phase(length: 9), Phase(length: nil),
      Phase(name: "Easy", said: [(1, "begins", "Easy")]), Phase(name: "Surge", isSurprise: true),
    ]
    let (row, outcome) = try await told(phases, "--missing")
    #expect(row.prefix(5) == ["2", "50", "%", "0", "%"])
    #expect(outcome.lines.contains("w: 1:44 Surge, 30: name and length not told"))
  }

  @Test func textsThatOverlapOrComeTooLateMissTheAims() async throws {
    var (warmup, hard) = (first, Phase(name: "Hard"))
    warmup.said = [(50, "next", "Next: Hard, 30 seconds")]
    #expect(try await told([warmup, hard], "--strict").outcome.status == .exited(0))
    hard.said = [(20, "text", "Hold on"), (20.4, "text", "Now")]
    var outcome = try await told([warmup, hard], "--strict").outcome
    #expect(outcome.output.contains("1:20 \"Now\" begins before \"Hold on\" has ended"))
    #expect(outcome.status == .exited(1))
    hard.said = []
    warmup.said = [(59.8, "next", "Next: Hard, 30 seconds")]
    outcome = try await told([warmup, hard], "--strict").outcome
    #expect(
      outcome.output.contains(
        "0:59 \"Next: Hard, 30 seconds\" ends after the phase that it tells has begun"))
    #expect(outcome.status == .exited(1))
  }

  @Test func aFileThatCannotBeReadIsReported() async throws {
    var python = space.program
    python.executable = "/usr/bin/python3"
    let outcome = try await python.run([Self.script, "/bin/false"]).expect(1)
    #expect(outcome.errors.contains("tabata.yaml: exit status 1"))
  }
}
