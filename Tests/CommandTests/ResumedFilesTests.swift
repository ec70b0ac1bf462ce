import Foundation
import SessionStore
import TestSupport
import Testing

/// Files of a resumed session: missing ones, and those that it would replace.
@Suite struct ResumedFilesTests {
  private let space = Workspace()
  private static let rows = """
    name: Rows
    sets: 30
    low: 20s
    high: 20s
    """

  init() throws { try space.write(Self.rows, to: "rows.yaml") }

  @Test func aRecordingOfAResumedSessionLeavesTheFirstPart() async throws {
    try await space.interrupt(["anna=rows.yaml", "--record", "rows.wav"])
    let first = try space.data("rows.wav")
    #expect(first.count > 44)
    let run = try await space.program.start([
      "resume", "anna", "--no-sound", "--record", "rows.wav", "--ledger", Workspace.ledgerName,
    ])
    try await run.until("it goes on") { space.ledger.has("restored") }
    let outcome = await run.end(by: SIGTERM)
    #expect(outcome.errorLines.contains { $0.contains("the recording continues in rows-2.wav") })
    #expect(try space.data("rows.wav") == first)
    let second = try space.data("rows-2.wav")
    #expect(second.prefix(4) == Data("RIFF".utf8))
  }

  @Test func soundsThatAreGoneKeepNoSessionFromResuming() async throws {
    try space.write("", to: "mine/readme.txt")
    let pack = space.path("mine")
    try FileManager.default.copyItem(
      atPath: SourceTree.path("Sounds/low/high-begins.wav"), toPath: "\(pack)/high-begins.wav")
    try await space.interrupt(["anna=rows.yaml", "--sounds", "./mine", "--density", "full"])
    try await space.interrupt("ben", "rows.yaml")
    try FileManager.default.removeItem(atPath: pack)
    let run = try await space.program.start([
      "resume", "--no-sound", "--ledger", Workspace.ledgerName,
    ])
    try await run.until("both go on") {
      space.ledger.events.count { $0 == "restored" } == 2
    }
    let outcome = await run.end(by: SIGTERM)
    #expect(
      outcome.errorLines.contains {
        $0.contains("anna: there is no folder") && $0.hasSuffix("the usual sounds are played")
      })
    let store = try SessionStore(folder: space.stateFolder, date: "2026-11-22")
    let sessions = try store.sessions()
    #expect(sessions.map(\.lane).sorted() == ["anna", "ben"])
    // The request is kept in case the pack returns.
    let style = sessions.first { $0.lane == "anna" }?.identity.order.style
    #expect(style?.sounds == pack)
    #expect(style?.density == .full)
  }
}
