import ControlProtocol
import InstalledFiles
import TestSupport
import Testing

@testable import cuecoach

/// What there is to say of a preset's text, by another process.
@Suite struct CheckedPresetTests {
  private let space = Workspace()

  private func report(
    _ text: String, command: [String] = [Program.path, "check", "--json", "-"],
    patience: Duration = .seconds(600)
  ) async throws -> PresetReport {
    let installed = try Installation(InstalledFolders(), voices: nil)
    return try await apart {
      CheckedPreset(installed, command: command, patience: patience).report(text)
    }
  }

  @Test func aRightTextHasItsLengthItsOutlineAndItsNotes() async throws {
    let long = String(repeating: "and one more word ", count: 20)
    let report = try await report(
      "name: Rows\nblocks:\n  - sets: 2\n    phases:\n      - work: 20s\n        say: \"\(long)\"\n"
        + "      - rest: 10s\n  - phases:\n      - work: {until: next}\n")
    #expect(report.faults.isEmpty && report.seconds == nil && report.sets == 2)
    #expect(report.language == "en")
    #expect(report.outline?.map(\.kind) == [.work, .rest, .work, .rest, .work])
    #expect(report.lines == [5, 7, 5, 7, 9])
    let tooLong = try #require(report.notes.first { $0.message.contains("and one more") })
    #expect(tooLong.phase == 0 && tooLong.line == 6)
    #expect(
      tooLong.because == "left-out" && tooLong.about?.first?.hasPrefix("and one more") == true)
    #expect(tooLong.count == 2 && tooLong.at == 1)
    // Whoever sees the notes can press Next.
    #expect(report.notes.allSatisfy { !$0.message.contains("lasts until") })
    #expect(report.notes.allSatisfy { !$0.message.contains("-:") })
  }

  @Test func eachPhaseThatIsDoneHasItsLine() async throws {
    let report = try await report(
      """
      name: Places
      blocks:
        - phases:
            - warmup: 5m
        - sets: 2
          between: {rest: 1m}
          phases:
            - sides: [left, right]
              switch: 5s
              phases:
                - work: 20s
            - rest: 20s
              last: skip
        - ladder: [10s, 20s]
          phases:
            - work: rung
        - sets: 1
          phases:
            - work: 9s
            - rest: 8s
              last: skip

      """)
    #expect(report.lines == [4, 11, 9, 11, 12, 6, 11, 9, 11, 16, 16, 19])
  }

  @Test func whatAListenerIsNotToldHasItsReason() async throws {
    let report = try await report(
      """
      name: Long names
      blocks:
        - phases:
            - prepare: 30s
            - rest: 10s
            - work: 57s
              name: Turkish get-ups with the heavy kettlebell, left

      """)
    let note = try #require(report.notes.first)
    #expect(note.about == ["length"] && note.because == "room" && note.phase == 2)
    let replaced = try await self.report(
      """
      name: Walks
      blocks:
        - sets: 2
          phases:
            - work: 30s
            - rest: 3m
              name: Walk around
              say: [{at: 1s, text: Breathe out}]

      """)
    #expect(replaced.notes.map(\.because) == ["own-text"])
    #expect(replaced.notes.first?.about == ["name", "length"] && replaced.notes.first?.count == 2)
  }

  @Test func aMistakeHasItsLine() async throws {
    let report = try await report("name: Rows\nblocks:\n  - phases:\n      - wrok: 20s\n")
    #expect(report.faults.count == 1 && report.faults.first?.line == 4)
    #expect(report.faults.first?.message.text.contains("expected") == true)
    #expect(report.outline == nil && report.notes.isEmpty && report.language == nil)
    #expect(report.lines == nil)
    let whole = try await self.report("")
    #expect(whole.faults.count == 1)
  }

  @Test func whatCannotBeSpokenIsAFault() async throws {
    let report = try await report("name: Rows\nlow: 20s\nhigh: 40s\nsets: 2\nvoice: wyoming:any\n")
    #expect(report.faults.first?.message.text.contains("is not \"offered\"") == true)
  }

  /// The text is right whatever becomes of that process.
  @Test func theOtherProcessMayFail() async throws {
    let text = "name: Rows\nlow: 20s\nhigh: 40s\nsets: 2\n"
    for (command, patience, reason) in [
      (["/bin/sleep", "600"], Duration.milliseconds(50), "it takes more than 0 s"),
      (["/nowhere/cuecoach"], .seconds(600), "there is no program"),
      (["/bin/true"], .seconds(600), "there is no answer"),
      (["/bin/cat"], .seconds(600), "there is no answer"),
    ] {
      let report = try await report(text, command: command, patience: patience)
      #expect(report.seconds == 120 && report.faults.isEmpty && report.notes.count == 1)
      #expect(
        report.notes.first?.message.hasPrefix("what is said in it is not checked: \(reason)")
          == true)
      #expect(report.notes.first?.because == "unchecked")
    }
  }

  @Test func everyNoteHasAWordForOtherLanguages() async throws {
    let report = try await report(
      """
      name: Many notes
      values: [bpm]
      blocks:
        - phases:
            - work: 2m
              target: {power: 80 % FTP}
            - work: 5s
              target: {power: 200}
            - rest: 3s
              say: [{at: 1s, text: A text that has no room in what is left of a short rest}]
            - work: 1m
              say: [{at: 20s, text: "Your heart beats {bpm} times"}, {at: 40s, text: First}, {at: 40s, text: And second}]

      """)
    #expect(report.faults.isEmpty, "\(report.faults)")
    let notes = report.notes.map { "\($0.because ?? "") \($0.about ?? [])" }
    #expect(
      notes == [
        "short [\"0:23\"]", "athlete [\"ftp\"]",
        "left-out [\"A text that has no room in what is left of a short rest\"]",
        "value [\"Your heart beats {bpm} times\"]", "moved [\"And second\"]",
      ])
  }

  @Test func checkReadsTheStandardInput() async throws {
    try space.write("name: Rows\nlow: 20s\nhigh: 40s\nsets: 2\n", to: "draft.yaml")
    var program = Program(in: space.folder)
    program.redirection = "< draft.yaml"
    let outcome = try await program.run(["check", "-"]).expect(0)
    #expect(outcome.output.hasPrefix("-: correct: "))
  }
}
