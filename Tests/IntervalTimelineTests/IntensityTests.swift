import Foundation
import IntervalTimeline
import TestSupport
import Testing

/// The intensity of a phase: a label that nothing but the display depends on.
@Suite struct IntensityTests {
  private static let plain = Phase(.high, .fixed(.seconds(20)), name: "Hard")
  private static let labelled = Phase(
    .high, .fixed(.seconds(20)), name: "Hard", intensity: "95 % FTP")

  @Test func phaseThatWasStoredWithoutOneIsRead() throws {
    let data = try JSONEncoder().encode(Self.plain)
    #expect(!String(decoding: data, as: UTF8.self).contains("intensity"))
    #expect(try JSONDecoder().decode(Phase.self, from: data) == Self.plain)
  }

  @Test func itIsStored() throws {
    let data = try JSONEncoder().encode(Self.labelled)
    #expect(try JSONDecoder().decode(Phase.self, from: data) == Self.labelled)
  }

  @Test func placeInACourseIsStoredWhereThereIsOne() throws {
    var phase = Self.plain
    phase.course = .continues
    let data = try JSONEncoder().encode(phase)
    #expect(try JSONDecoder().decode(Phase.self, from: data) == phase)
    #expect(String(decoding: data, as: UTF8.self).contains("\"course\":\"continues\""))
    #expect(
      !String(decoding: try JSONEncoder().encode(Self.plain), as: UTF8.self).contains("course"))
  }

  @Test func sessionContinuesWhateverTheLabel() {
    let plain = Workout("A", [Self.plain])
    let labelled = Workout("A", [Self.labelled])
    #expect(plain.hasSamePhases(as: labelled))
  }

  @Test func sessionContinuesWhetherItsSetsAreMarkedOrAlike() {
    let alike = Workout.sets(3, [(.work, 1)])
    #expect(alike.hasSamePhases(as: .marked([1, 2, 3])))
    #expect(!alike.hasSamePhases(as: .marked([1, 2, 2])))
    #expect(!alike.hasSamePhases(as: .sets(4, [(.work, 1)])))
  }
}
