import CueSound
import IntervalTimeline
import Words

/// The texts of a workout as they are planned, whether there is room for them or not.
package enum PlannedTexts {
  /// In the order in which they are to be said, each in its fullest wording.
  ///
  /// - Parameter phase: the index of one phase: what tells it before it begins, and what is said in it; nil: all of the
  ///   workout.
  package static func texts(
    of timeline: Timeline, _ style: LaneStyle, phase: Int? = nil
  ) -> [String] {
    let plan = style.applied(to: CueEngine.Settings().plan)
    let lane = SpeakingLane(
      id: LaneID(serial: 0, slot: 0), name: LaneTable.trial,
      session: Session(timeline, plan: plan), voice: style.voice,
      phrases: style.sharedPhrases, values: LiveValues(), speaker: nil,
      beep: PCMClip(rate: SampleRate.standard, samples: [0]))
    let phases = phase.map { max(0, $0 - 1)...$0 } ?? 0...timeline.count
    return phases.flatMap { index in
      lane.session.cues(of: index).filter { cue in
        guard cue.isSpoken, let phase, index < phase else { return cue.isSpoken }
        return cue.content == .next(phase)
      }.map { cue in
        lane.wording(of: cue, set: index < timeline.count ? timeline.entries[index].set : nil).text
      }.filter { !$0.isEmpty }
    }
  }
}
