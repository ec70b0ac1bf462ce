import CueSound
import IntervalTimeline

/// A lane in which texts are said that belong to no workout.
extension CueEngine {
  /// Its name, which is not said and which no workout should have.
  package static var trialLane: String { LaneTable.trial }

  /// Adds one, which has no sounds and lasts until it is stopped. Blocks until the check queue is free.
  package func addTrial(_ style: LaneStyle) throws(LaneError) -> LaneID {
    var style = style
    (style.density, style.densities, style.acknowledged) = (.quiet, [:], [])
    style.heartRateAlarm = nil
    let phase = Phase(.prepare, .open(.untilNext))
    guard
      let timeline = try? Timeline(
        Workout(name: LaneTable.trial, blocks: [Block(steps: [Block.Step(phase)])]))
    else { fatalError("a phase without a length cannot be laid out") }
    let rate = loop.wait { [loop] in loop.state.value.coach.sounds.rate }
    return try addLane(
      LaneTable.trial, timeline: timeline, style: style, sounds: Self.silence(rate: rate))
  }

  private static func silence(rate: Int) -> SoundPack {
    let silence = PCMClip(rate: rate, samples: [Int16](repeating: 0, count: rate / 100))
    return SoundPack(
      rate: rate,
      replacing: Dictionary(uniqueKeysWithValues: SoundRole.allCases.map { ($0, silence) }))
  }
}
