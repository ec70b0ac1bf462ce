import IntervalTimeline
import Words

/// One session with everything the coach knows of it. It has one place, the `LaneTable`: an object, because a session is
/// large and would be copied with each look at it.
final class Lane {
  let id: LaneID
  let name: String
  let style: LaneStyle
  let sounds: SoundPack
  var session: Session
  var cues = CueTally()
  /// What somebody else has measured.
  var values = LiveValues()
  /// The names of those that its texts say; nil before the first was set.
  private var namesOfValues: Set<String>?
  /// When the session was last saved, and whether it has changed since.
  var keptAt = BootInstant(nanoseconds: .min)
  var hasChanged = false
  /// Its end is known, while it is still said how far it came.
  var hasEnded = false
  /// It was added with the session of an earlier run, which has not been restored yet.
  var awaitsRestoring = false
  /// When it wants its next check.
  var wakesAt = BootInstant.never
  /// Which of its words have been requested ahead of their time.
  var lookAhead = LookAhead()
  /// What its readings lead to.
  var coaching: LaneCoaching

  /// The longest time for which a running session is not saved.
  private static let heartbeat = Duration.seconds(10)

  init(id: LaneID, name: String, style: LaneStyle, sounds: SoundPack, session: Session) {
    self.id = id
    self.name = name
    self.style = style
    self.sounds = sounds
    self.session = session
    coaching = LaneCoaching(
      session.timeline.workout, alarmLimit: style.heartRateAlarm.map(Double.init),
      keepsReadings: style.keepsReadings)
  }

  /// A lane with its session.
  ///
  /// - Parameter record: of a session that has run before, which waits to be restored.
  /// - Returns: nil where `record` is not of this workout.
  convenience init?(
    id: LaneID, name: String, timeline: Timeline, style: LaneStyle, sounds: SoundPack,
    settings: CueEngine.Settings, horizon: Duration, restoring record: SessionRecord?
  ) {
    let fresh = Session(
      timeline, plan: style.applied(to: settings.plan), window: settings.duplicateWindow,
      horizon: horizon, acknowledged: style.acknowledged, responseTime: settings.outputLatency)
    let session = if let record { fresh.restoring(record) } else { Optional(fresh) }
    guard let session else { return nil }
    self.init(id: id, name: name, style: style, sounds: sounds, session: session)
    guard let record else { return }
    (cues, keptAt, awaitsRestoring) = (record.cues, record.at, true)
    coaching.restore(record.readings ?? [])
  }

  /// Continues a session that has run before: the phase in which it was when it was saved, and what follows.
  ///
  /// - Parameter alive: when its program was last alive, nil if unknown: what was due by then was heard.
  func restore(
    _ mode: RestoreMode, alive: BootInstant?, at now: BootInstant
  ) -> (phase: Int, effects: [SessionEffect]) {
    awaitsRestoring = false
    let phase = session.transport.position(at: keptAt).phase
    if let alive, mode == .running, (keptAt...max(keptAt, now)).contains(alive) {
      cues.played += session.hear(until: alive)
    }
    return (phase, session.restore(at: now, from: keptAt, mode))
  }

  /// When it is to be saved again: at once after a change, and every ten seconds while it runs.
  var savesAt: BootInstant {
    if hasChanged { return BootInstant(nanoseconds: .min) }
    guard state == .running, keptAt.nanoseconds != .min else { return .never }
    return keptAt + Self.heartbeat
  }

  /// Of its session, without a copy of the session.
  var transport: Transport { session.progress.transport }
  var state: Transport.State { session.progress.transport.state }

  var isOver: Bool {
    let state = state
    return state == .finished || state == .stopped
  }

  /// What a sound stands for; nil for words.
  func meaning(ofSound cue: Cue) -> String? {
    style.phrases.meaning(ofSound: cue, in: session.timeline)
  }

  /// Sets a live value, or removes it. True where a text says it, or it is a reading that matters.
  func setValue(_ name: String, to value: LiveValue?, at now: BootInstant) -> Bool {
    values[name] = value
    let isReading = coaching.take(name, value, in: session, at: now)
    return saysValue(name) || isReading
  }

  /// Whether one more live value of that name would be too many.
  func isFull(for name: String) -> Bool {
    values[name] == nil && values.count >= LiveValues.maximumCount
  }

  /// Whether any text of the workout or of the catalogue says that live value.
  private func saysValue(_ name: String) -> Bool {
    let names = namesOfValues ?? style.phrases.values.union(session.timeline.workout.values)
    namesOfValues = names
    return names.contains(name)
  }

  /// What its words depend on. Alone it needs no name.
  func speaking(isAlone: Bool) -> SpeakingLane {
    SpeakingLane(
      id: id, name: name, session: session, voice: style.voice, phrases: style.sharedPhrases,
      values: values, speaker: isAlone ? nil : name, beep: sounds[.count])
  }

  /// See `LaneTable.lookAhead`.
  ///
  /// - Parameter speaking: nil where the time of none has come.
  func lookAhead(
    _ speaking: SpeakingLane?, measures: Bool, at now: BootInstant
  ) -> (rendered: [String]?, measured: [String]?) {
    var texts: (rendered: [String]?, measured: [String]?)
    if let speaking {
      if now >= lookAhead.rendersAt {
        texts.rendered = lookAhead.textsToRender(speaking, at: now)
      }
      if measures, now >= lookAhead.measuresAt {
        texts.measured = lookAhead.textsToMeasure(speaking, at: now)
      }
    }
    wakesAt = min(
      session.nextEvent, lookAhead.rendersAt, measures ? lookAhead.measuresAt : .never)
    return texts
  }

  /// After a command other words are to come.
  func lookAheadAgain(at now: BootInstant) { lookAhead.startAgain(session, at: now) }
}
