import CueSound
import IntervalTimeline
import Phrases

/// The part of a lane that its words depend on.
package struct SpeakingLane: Sendable {
  package let id: LaneID
  package let name: String
  package var session: Session
  let voice: SpeechVoice
  private let sharedPhrases: Shared<PhraseCatalogue>
  let values: LiveValues
  /// The name that announcements begin with; nil while a single lane runs.
  package var speaker: String?
  /// Played instead of a number that cannot be said.
  let beep: PCMClip

  package init(
    id: LaneID, name: String, session: Session, voice: SpeechVoice,
    phrases: Shared<PhraseCatalogue>, values: LiveValues, speaker: String?, beep: PCMClip
  ) {
    (self.id, self.name, self.session) = (id, name, session)
    (self.voice, sharedPhrases, self.values) = (voice, phrases, values)
    (self.speaker, self.beep) = (speaker, beep)
  }

  var phrases: PhraseCatalogue { sharedPhrases.value }

  /// What a cue says at its planned time.
  ///
  /// - Parameter start: the workout time at which its phase begins; the timeline's when nil.
  package func wording(of cue: Cue, set: Int?, start: Duration? = nil) -> CueWording {
    let timeline = session.timeline
    let length =
      session.transport.isEndKnown(of: cue.phase) ? session.transport.length(of: cue.phase) : nil
    let start = start ?? timeline.start(of: cue.phase)
    return CueWording(
      cue, in: timeline,
      at: .init(
        set: set, phaseLeft: length.map { $0 - cue.at },
        elapsed: start.map { $0 + cue.at }, values: values, nameIsEnough: nameIsEnough(in: cue),
        done: done(in: cue)), speaker: speaker,
      phrases: phrases)
  }

  /// Whether the listener knows the phase that the cue tells by its name.
  func nameIsEnough(in cue: Cue) -> Bool {
    switch cue.content {
    case .next(let phase): session.nameIsEnough(for: phase)
    case .begins: session.nameIsEnough(for: cue.phase)
    default: false
    }
  }

  func done(in cue: Cue) -> WorkDone? {
    switch cue.content {
    case .finish, .stopped: session.done
    default: nil
    }
  }

  /// What may be heard between two workout times, in order; from `here` on if `first` is nil. An open phase
  /// is taken to end now.
  ///
  /// - Parameter maximum: how many are looked for; the phase with the last of them is looked through.
  func wordings(
    from here: Transport.Position, _ first: Duration?, until end: Duration,
    atMost maximum: Int = .max
  ) -> [(earliest: Duration, wording: CueWording)] {
    let timeline = session.timeline
    var found: [(earliest: Duration, wording: CueWording)] = []
    var phase = here.phase
    var start = here.phaseStart
    while phase <= timeline.count, start < end, found.count < maximum {
      for cue in session.cues(of: phase) where cue.isSpoken {
        let earliest = start + cue.earliest
        guard earliest < end, first.map({ earliest >= $0 }) ?? (start + cue.until >= here.elapsed)
        else { continue }
        found.append((earliest, wording(of: cue, set: set(ofPhase: phase), start: start)))
      }
      guard phase < timeline.count else { break }
      start =
        session.transport.length(of: phase).map { start + $0 }
        ?? max(start, here.elapsed)
      phase += 1
    }
    return found.sorted { $0.earliest < $1.earliest }
  }

  func wordings(ofPhase phase: Int, start: Duration?) -> [CueWording] {
    session.cues(of: phase).filter(\.isSpoken).map {
      wording(of: $0, set: set(ofPhase: phase), start: start)
    }
  }

  /// How many numbers of a count are rendered ahead of the last that was counted.
  static let numbersAhead = 10

  /// The numbers of a phase's repetitions that are said next; none where none are counted aloud.
  func nextNumbers(ofPhase phase: Int, at now: BootInstant) -> [String] {
    guard phase < session.timeline.count,
      case let entry = session.timeline.entries[phase].phase,
      entry.isCounted, entry.countsAloud, session.plan.density(of: entry.kind) >= .counts
    else { return [] }
    var target = Int.max
    if case .reps(let reps) = entry.length.end { target = reps }
    let isRunning = session.transport.position(at: now).phase == phase
    let counted = isRunning ? session.progress.repetitions(at: now) ?? 0 : 0
    return (counted..<max(counted, min(target, counted + Self.numbersAhead))).map { String($0 + 1) }
  }

  private func set(ofPhase phase: Int) -> Int? {
    phase < session.timeline.count ? session.timeline.entries[phase].set : nil
  }
}

/// The lanes whose words compete, as of one instant.
package struct SpeakingLanes: Sendable {
  /// In the order in which they were added.
  private(set) var lanes: [SpeakingLane]
  /// Whether these are all lanes, so that their next words can be considered.
  let isComplete: Bool
  private let places: [LaneID: Int]

  package init(_ lanes: [SpeakingLane], isComplete: Bool) {
    self.lanes = lanes
    self.isComplete = isComplete
    places = Dictionary(uniqueKeysWithValues: zip(lanes.map(\.id), lanes.indices))
  }

  /// - Precondition: the lane is one of them.
  subscript(id: LaneID) -> SpeakingLane {
    get { lanes[place(of: id)] }
    _modify { yield &lanes[place(of: id)] }
  }

  private func place(of id: LaneID) -> Int {
    guard let place = places[id] else {
      fatalError("no words of lane \(id) were expected")
    }
    return place
  }
}
