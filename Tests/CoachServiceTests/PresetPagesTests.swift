import ControlProtocol
import Testing

@testable import CoachService

/// The list of all presets, in as many answers as it needs.
@Suite struct PresetPagesTests {
  private let run = ControlRun()

  /// 1000 in no folder, and 65 in two.
  init() {
    let presets = (0..<1065).map { number in
      var entry = PresetEntry(name: "preset \(number + 1000)")
      entry.folder = number < 1000 ? nil : number < 1030 ? "hiit" : "rehab"
      return entry
    }
    run.disk.state.withLock { $0.presets = presets }
  }

  private var presets: [PresetEntry] { run.disk.state.withLock { $0.presets } }

  /// What a client reads.
  private func ask(_ action: ControlRequest.Action) throws -> ControlAnswer {
    let line = try ControlCoding.line(run.send(action, rights: .remote))
    return try ControlCoding.value(ControlAnswer.self, line.dropLast())
  }

  private func list() throws -> [PresetEntry] {
    let whole = try ControlAnswer.whole(.presets(nil, outline: false), ask)
    #expect(whole.omitted == nil && whole.voices == ["flite:slt"])
    return whole.presets ?? []
  }

  @Test func allAreListedOnceAndInOrder() throws {
    #expect(try ask(.presets(nil, outline: false)).presets?.count == ControlLimits.presets)
    #expect(try list() == presets)
  }

  @Test func anAnswerHasAsManyAsFit() throws {
    let long = String(repeating: "🏋", count: 200)
    run.disk.state.withLock { disk in
      for index in disk.presets.indices {
        (disk.presets[index].workout, disk.presets[index].description) = (long, long)
      }
    }
    let first = try ask(.presets(nil, outline: false))
    let count = try #require(first.presets?.count)
    #expect(count < ControlLimits.presets && first.omitted == 1065 - count)
    #expect(try list() == presets)
  }

  /// Deleted between two answers: the last of the first one, another of it, and one that is still to come.
  @Test(arguments: [499, 3, 500, 1040]) func theOthersAreListedWhereOneIsDeleted(
    _ index: Int
  ) throws {
    let before = presets
    var first = try ask(.presets(nil, outline: false))
    run.disk.state.withLock { _ = $0.presets.remove(at: index) }
    let rest = try ControlAnswer.whole(try #require(first.following), ask)
    first.presets? += rest.presets ?? []
    #expect(first.presets == (index < 500 ? before : presets))
  }

  @Test func thePlaceIsThatOfTheFolder() throws {
    let gone = ControlRequest.Action.desk(
      DeskRequest(.presets(after: "preset 1500", folder: "hiit")))
    // It was never in that folder: all of the folder have greater names.
    #expect(try ask(gone).presets == Array(presets[1000...]))
    let last = ControlRequest.Action.desk(
      DeskRequest(.presets(after: "preset 2064", folder: "rehab")))
    let nothing = try ask(last)
    #expect(nothing.presets == [] && nothing.omitted == nil && nothing.following == nil)
  }
}
