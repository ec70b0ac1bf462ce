/// The words of a session, for the layout: what is to come, where it lies, and how it is worded.
extension Session {
  /// Whether the other session does the same workout at the same instants, and tells the same of it.
  package func isInStep(with other: Session) -> Bool {
    transport.anchors == other.transport.anchors && plan == other.plan
      && timeline.workout == other.timeline.workout
  }

  /// The cues of entry `index` (`count` for the end), in hand-off order, as far as its end is known now.
  package func cues(of index: Int) -> [Cue] { scan.cues(of: index, in: transport, plan) }

  /// Announcements that are not handed off yet and may begin before `end`; their `id` is 0. The
  /// layout leaves room for them.
  ///
  /// - Parameter maximum: how many are returned, the earliest first, and besides them the ends of sets.
  package func upcoming(before end: BootInstant, atMost maximum: Int = .max) -> [HandOff] {
    guard state == .running else { return [] }
    return scan.upcoming(before: end, atMost: maximum, in: transport, plan, progress.outcomes)
  }

  /// Learns where its words lie, in order: the last entry about a hand-off is valid.
  package mutating func learn(_ feedback: [WordFeedback]) {
    for words in feedback {
      scan.learn(words, in: timeline)
      answers.learn(words)
    }
  }

  /// When the text before `cue` in its phase begins; nil while it is not laid out.
  package func place(before cue: Cue) -> BootInstant? { scan.announcements.place(before: cue) }

  /// Postpones an answer that found no room. One about the position is given later, worded for that
  /// moment, or after the next boundary, about the phase that begins there. The question whether to
  /// stop is asked later, in the end before the numbers of other lanes' counts. Nil if that would
  /// be too late, if nothing follows, or for any other announcement. The `id` stays the same.
  package func postponed(_ handOff: HandOff) -> HandOff? {
    answers.postponed(handOff, in: transport)
  }

  /// Whether the name of a phase is all that is said of it.
  package func nameIsEnough(for phase: Int) -> Bool {
    plan.density(of: timeline.entries[phase]) < .full
      && scan.told.familiarity.knows(phase, in: timeline)
  }

  /// What has been done of the workout.
  package var done: WorkDone { progress.done }
}
