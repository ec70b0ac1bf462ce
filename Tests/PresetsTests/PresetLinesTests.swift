import IntervalTimeline
import Presets
import Testing

/// The lines of the phases in the file.
@Suite struct PresetLinesTests {
  private func document(_ yaml: String) throws -> PresetDocument {
    try PresetFile.document(Array(yaml.utf8), file: "a.yaml")
  }

  /// The line of every phase of the timeline, in its order.
  private func lines(_ document: PresetDocument) throws -> [Int?] {
    try Timeline(document.workout).entries.map {
      document.lines.line(block: $0.block, step: $0.step)
    }
  }

  @Test(arguments: [("low", [4, 3]), ("high", [3, 4])])
  func flatFormKnowsItsLinesWhateverTheOrder(first: String, pair: [Int]) throws {
    let document = try document(
      """
      name: A
      rest: 5s
      high: 20s
      low: 30s
      cooldown: 1m
      prepare: 10s
      sets: 2
      first: \(first)
      warmup: 2m
      """)
    let expected = [[6, 9], pair, [2], pair, [5]].flatMap { $0 }
    #expect(try lines(document) == expected)
  }

  @Test func generalFormKnowsTheLinesOfPhasesAndTexts() throws {
    let document = try document(
      """
      name: A
      blocks:
        - phases:
            - warmup: 10m
        - sets: 2
          phases:
            - name: Hard
              high: 4m
              say:
                - at: 1m
                  text: One
                - text: Two
            - recovery: 3m
              last: skip
            - low: 1m
              at: 5s
              say: Three
      """)
    #expect(try lines(document) == [4, 8, 13, 15, 8, 15])
    let lines = document.lines
    #expect(lines.line(ofRemark: 0, block: 1, step: 0) == 11)
    #expect(lines.line(ofRemark: 1, block: 1, step: 0) == 12)
    #expect(lines.line(ofRemark: 0, block: 1, step: 2) == 17)
    #expect(lines.line(ofRemark: 2, block: 1, step: 0) == nil)
    #expect(lines.line(ofRemark: 0, block: 0, step: 0) == nil)
  }

  @Test func whatIsNotThereHasNoLine() throws {
    let lines = try document("name: A\nblocks: [{phases: [{low: 5s}]}]").lines
    #expect(lines.line(block: 0, step: 0) == 2)
    for (block, step) in [(0, 1), (1, 0), (-1, 0), (0, -1)] {
      #expect(lines.line(block: block, step: step) == nil)
      #expect(lines.line(ofRemark: 0, block: block, step: step) == nil)
    }
    #expect(lines.line(block: 0, step: nil) == nil)
    #expect(lines.line(ofRemark: 0, block: 0, step: nil) == nil)
  }
}
