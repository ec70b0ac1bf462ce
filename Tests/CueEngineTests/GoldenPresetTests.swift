import Foundation
import IntervalTimeline
import Presets
import TestSupport
import Testing

/// The cue traces of shipped presets in Golden/: what plays, when, and its outcome, with what a person does
/// meanwhile.
struct GoldenPresetTests {
  /// A preset, and when its keys are pressed.
  struct Script: Sendable {
    let preset: String
    /// Of a phase that lasts until something ends it: each one ends after the next of these seconds, in turn.
    var openFor: [Double] = [6]
    /// Seconds since the start, and the command.
    var commands: [(at: Double, command: Command)] = []
    var group: Int?
  }

  static let scripts = [
    Script(
      preset: "amrap-12",
      commands: [
        (130, .rep), (250, .next), (371, .next), (493, .rep), (616, .next), (729.5, .next),
      ]),
    Script(preset: "boxing-callouts"),
    Script(preset: "class-stations", group: 2),
    Script(preset: "emom-two-tasks"),
    Script(preset: "fartlek"),
    Script(preset: "for-time-20", commands: [(900, .next)]),
    Script(preset: "nested-rounds"),
    Script(preset: "pyramid-half-rests"),
    Script(preset: "ramp"),
    Script(preset: "ramp-spoken"),
    Script(preset: "rehab-holds"),
    Script(preset: "rep-ladder"),
    Script(preset: "running-6x800", openFor: [200, 150]),
    Script(preset: "strength-5x5", openFor: [20, 70]),
    Script(preset: "swim-send-offs", openFor: [90, 100, 110.25, 117, 119, 126, 95]),
    Script(preset: "tempo-split-squats"),
  ]

  @Test(arguments: scripts.map(\.preset)) func everyCueOfAShippedPreset(_ preset: String) throws {
    let script = try #require(Self.scripts.first { $0.preset == preset })
    let file = try #require(try ShippedPresets.files().first { $0.hasSuffix("/\(preset).yaml") })
    let bytes = Array(try Data(contentsOf: ShippedPresets.folder.appendingPathComponent(file)))
    let workout = try PresetFile.parse(
      bytes, file: preset, variant: WorkoutVariant(group: script.group))
    try GoldenTests.compare(try Self.trace(of: workout, script), to: "presets/\(preset)")
  }

  private static func trace(of workout: Workout, _ script: Script) throws -> [String] {
    let run = try TestRun(workout, settings: .init())
    run.send(.start)
    var commands = script.commands[...]
    var ended = 0
    // A step is a quarter of a second, so that each command lies on its instant.
    for step in 0..<(4 * 3600 * 4) {
      let now = Double(step) / 4
      while let next = commands.first, next.at <= now {
        run.send(next.command)
        commands.removeFirst()
      }
      let session = run.session()
      if session.state == .finished { break }
      let here = session.transport.position(at: run.clock.now)
      if script.commands.isEmpty, session.state == .running, here.phase < session.timeline.count,
        !session.transport.isEndKnown(of: here.phase),
        here.elapsed - here.phaseStart >= .seconds(script.openFor[ended % script.openFor.count])
      {
        ended += 1
        run.send(.next)
      }
      run.run(.milliseconds(250), every: .milliseconds(250))
    }
    #expect(run.session().state == .finished)
    run.run(.seconds(10))
    return run.trace
  }
}
