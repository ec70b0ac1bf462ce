import ControlProtocol
import CueEngine
import Foundation
import IntervalTimeline
import TestSupport
import Testing

/// A service whose files cannot grow any more, as on a disk that is full.
@Suite struct FullDiskTests {
  private let space = Workspace()

  /// The most bytes that a file of the service may have; nil: any number.
  private func limit(_ service: Service, to bytes: Int?) throws {
    let size = bytes.map { "\($0)" } ?? "unlimited"
    try #require(try shell("prlimit --pid \(service.run.pid) --fsize=\(size):").code == 0)
  }

  private func save(_ text: String, tag: String? = nil) -> ControlRequest.Action {
    .preset(PresetRequest(.save(PresetChange(preset: "rows", workout: text, tag: tag))))
  }

  private func desk(_ action: DeskRequest.Action) -> ControlRequest.Action {
    .desk(DeskRequest(action))
  }

  /// What the service keeps besides its database, by path.
  private var kept: [String: Data] {
    let folder = space.stateFolder
    let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return paths.filter { !$0.hasPrefix("sessions.") && $0 != "lanes.lock" }.reduce(into: [:]) {
      found, path in
      found[path] = FileManager.default.contents(atPath: "\(folder)/\(path)")
    }
  }

  @Test func whatIsRefusedIsSaidAndNothingIsLost() async throws {
    try space.write(Preset.tiny, to: "Presets/tiny.yaml")
    try space.write(Preset.long, to: "Presets/long.yaml")
    let service = try await Service(in: space, ["serve", "--no-sound"])
    func order(_ time: String) -> DeskRequest.Action {
      .schedule(ScheduleOrder(preset: "long", time: time, days: .daily))
    }
    func favourite(_ preset: String) -> DeskRequest.Action {
      .favourite(preset: preset, person: "anna", isOn: true)
    }
    let first = try #require(try service.send(save(Preset.tiny)).preset?.tag)
    let tag = try #require(try service.send(save(Preset.long, tag: first)).preset?.tag)
    let repeated = try #require(try service.send(desk(order("3:00"))).schedule?.id)
    #expect(try service.send(desk(favourite("tiny"))).ok)
    #expect(try service.start("tiny").ok)
    try await service.run.until("it is in the history") {
      (try? service.send(.history(limit: 1)).history?.count) == 1
    }
    let past = try #require(try service.send(.history(limit: 1)).history?.first)
    let before = kept
    let versions = "presets/.versions/rows/1.yaml"
    #expect(
      before.keys.sorted() == ["favourites.json", versions, "presets/rows.yaml", "schedules.json"])

    var later = StartOrder(preset: "long", lane: "later")
    later.at = BootClock.now() + .seconds(3600)
    let refused: [ControlRequest.Action] = [
      save("# changed\n" + Preset.long, tag: tag), desk(favourite("long")), desk(order("4:00")),
      desk(.unschedule(repeated)), desk(.delete(session: past.id)),
    ]
    try limit(service, to: 0)
    for action in refused {
      let answer = try service.send(action)
      #expect(answer.error == .failed, "\(action)")
      #expect(answer.message?.contains("\n") == false && answer.message?.isEmpty == false)
    }
    #expect(kept == before)
    #expect(try service.send(desk(.schedules)).schedules?.map(\.id) == [repeated])
    let people = try service.send(desk(.people)).people
    #expect(people?.first { $0.name == "anna" }?.favourites == ["tiny"])
    #expect(try service.send(.history(limit: 9)).history == [past])
    // Nobody trains less because of it.
    #expect(try service.start("tiny", lane: "ben").ok)
    let warned = try service.send(.start(later))
    #expect(warned.ok && warned.warnings?.first?.hasPrefix("it does not begin if") == true)

    try limit(service, to: nil)
    for action in refused { #expect(try service.send(action).ok, "\(action)") }
    try await service.run.until("what ran meanwhile is in the history") {
      (try? service.send(.history(limit: 9)).history?.map(\.lane)) == ["ben"]
    }
    #expect(await service.run.end(by: SIGTERM).status == .exited(0))
  }

  /// There is room for the text that would become a version, and none for that which replaces it.
  @Test func attemptsToSaveTakeNoVersion() async throws {
    let service = try await Service(in: space, ["serve", "--no-sound"])
    var tag: String?
    for number in 0...10 { tag = try service.send(save("# \(number)", tag: tag)).preset?.tag }
    let long = "# long\n" + String(repeating: "#", count: 8192)
    try limit(service, to: 4096)
    for _ in 0..<12 {
      let answer = try service.send(save(long, tag: tag))
      #expect(answer.error == .failed && answer.message?.contains("rows.yaml cannot be") == true)
    }
    func read(_ version: Int?) throws -> PresetText? {
      try service.send(.preset(PresetRequest(.read("rows", version: version)))).preset
    }
    func versions() throws -> [String?] {
      try #require(try read(nil)?.versions).map { try read($0.number)?.workout }
    }
    #expect(try versions() == (0...9).reversed().map { "# \($0)" })
    try limit(service, to: nil)
    #expect(try service.send(save(long, tag: tag)).ok)
    #expect(try versions() == (1...10).reversed().map { "# \($0)" })
    #expect(await service.run.end(by: SIGTERM).status == .exited(0))
  }
}
