import ControlProtocol
import IntervalTimeline
import Testing

/// Answers that are too long for a line.
@Suite struct CutAnswerTests {
  /// As long as a name can be.
  private static let long = String(repeating: "🏋", count: 200)

  private func answer(_ fill: (inout ControlAnswer) -> Void) -> ControlAnswer {
    var answer = ControlAnswer(.number(1), revision: 7)
    fill(&answer)
    return answer
  }

  /// What a client reads.
  private func read(_ answer: ControlAnswer) throws -> ControlAnswer {
    let line = try ControlCoding.line(answer)
    #expect(line.count <= ControlLimits.answerLine)
    return try ControlCoding.value(ControlAnswer.self, line.dropLast())
  }

  @Test func whatFitsIsWhole() throws {
    let whole = answer { $0.presets = (0..<500).map { PresetEntry(name: "preset \($0)") } }
    #expect(try read(whole) == whole)
  }

  @Test func aListHasTheFirstThatFit() throws {
    let presets = (0..<500).map { number in
      var entry = PresetEntry(name: "\(number) \(Self.long)")
      entry.workout = Self.long
      return entry
    }
    let cut = try read(answer { $0.presets = presets })
    let kept = try #require(cut.presets)
    #expect(cut.ok && kept == Array(presets.prefix(kept.count)))
    #expect(kept.count + (try #require(cut.omitted)) == 500)
    // One more would not fit.
    let more = answer {
      $0.presets = Array(presets.prefix(kept.count + 1))
      $0.omitted = 500 - kept.count - 1
    }
    #expect(try read(more).presets?.count == kept.count)
  }

  @Test func whatWasLeftOutBeforeCountsToo() throws {
    let cut = try read(
      answer {
        $0.presets = Array(repeating: PresetEntry(name: Self.long), count: 500)
        $0.omitted = 20
      })
    #expect(try #require(cut.presets?.count) + #require(cut.omitted) == 520)
  }

  @Test func everyListIsCut() throws {
    let session = SessionEntry(lane: Self.long, workout: Self.long, place: Self.long, age: 1)
    let sessions = try read(answer { $0.sessions = Array(repeating: session, count: 200) })
    #expect(try #require(sessions.sessions?.count) + #require(sessions.omitted) == 200)
    let item = HistoryItem(
      id: Self.long, lane: Self.long, workout: Self.long, outcome: "", startedAt: "", seconds: 1)
    let history = try read(answer { $0.history = Array(repeating: item, count: 200) })
    #expect(try #require(history.history?.count) + #require(history.omitted) == 200)
    let warnings = try read(
      answer { $0.notes = Array(repeating: Sentence(verbatim: Self.long), count: 1000) })
    #expect(try #require(warnings.warnings?.count) + #require(warnings.omitted) == 1000)
  }

  /// In the order of the lanes; a short one is there also behind one that does not fit.
  @Test func outlinesThatDoNotFitAreLeftOut() throws {
    let segment = OutlineSegment(
      kind: .work, label: String(repeating: "\"", count: 60), seconds: 0.1, set: 1, sets: nil)
    let lanes = (0..<ControlLimits.lanes).map { number in
      var lane = WorkoutStatus(
        name: "lane \(number)", workout: Self.long, state: .running, language: "en")
      lane.label = Self.long
      lane.next = Self.long
      return lane
    }
    let snapshot = CoachSnapshot(
      revision: 7, at: 0, wall: 0, lanes: lanes, device: DeviceSnapshot(.working), volume: 80,
      warnings: Array(repeating: Self.long, count: ControlLimits.warnings))
    var outlines: [String: [OutlineSegment]] = [:]
    for lane in lanes { outlines[lane.name] = Array(repeating: segment, count: 500) }
    outlines["lane 31"] = [segment]
    let cut = try read(
      answer {
        $0.snapshot = snapshot
        $0.outlines = outlines
      })
    #expect(cut.snapshot == snapshot)
    let kept = try #require(cut.outlines)
    #expect(kept.keys.sorted() == ["lane 0", "lane 1", "lane 31"])
    for (lane, outline) in kept { #expect(outline == outlines[lane]) }
    #expect(cut.omitted == ControlLimits.lanes - kept.count)
  }

  @Test func whatIsTooLongWithoutListsIsRefused() {
    let long = String(repeating: "a", count: ControlLimits.answerLine)
    #expect(throws: ControlError.self) {
      try ControlCoding.line(answer { $0.sentence = Sentence(verbatim: long) })
    }
  }
}
