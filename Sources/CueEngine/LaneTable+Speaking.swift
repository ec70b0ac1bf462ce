import IntervalTimeline
import Words

/// What the words of the lanes depend on.
extension LaneTable {
  func speaking(_ id: LaneID) -> SpeakingLane {
    self[id].speaking(isAlone: workouts <= 1)
  }

  /// What a cue that is not heard would have been: words, or what its sound stands for.
  func text(of cue: SilentCue, _ id: LaneID) -> String {
    self[id].meaning(ofSound: cue.cue) ?? speaking(id).wording(of: cue.cue, set: cue.set).text
  }

  /// All lanes if they are few enough for their next words to be considered; else only `some`.
  func speakers(atLeast some: Set<LaneID>) -> SpeakingLanes {
    let isComplete = count <= WordPlanner.maximumForesight
    return SpeakingLanes(
      (isComplete ? ids : some.sorted().filter(contains)).map(speaking), isComplete: isComplete)
  }

  /// The lane with the name that its next words begin with, where others in step with it will say the same.
  func lookingAhead(_ id: LaneID) -> SpeakingLane {
    var lane = speaking(id)
    guard lane.speaker != nil, count <= WordPlanner.maximumForesight else { return lane }
    let going = ids.filter { self[$0].state == lane.session.state }
    let together = going.filter {
      self[$0].session.isInStep(with: lane.session) && self[$0].style == self[id].style
    }
    guard together.count > 1 else { return lane }
    lane.speaker =
      together.count == going.count || together.count > AnnouncementRequest.mostNames
      ? nil : together.map { self[$0].name }.joined(separator: ", ")
    return lane
  }

  /// A single lane's announcements have no name; with several lanes each begins with one. So the words to come
  /// change.
  func speakersChanged(at now: BootInstant) {
    // Before the first check or command there is nothing to say.
    guard count <= 2, now.nanoseconds != .min else { return }
    for id in ids where self[id].state != .ready {
      self[id].lookAheadAgain(at: now)
      self[id].wakesAt = min(self[id].wakesAt, now)
    }
  }

  /// What some lanes say first, in order of time; nil: all lanes.
  func firstWords(
    of some: [LaneID]? = nil, at now: BootInstant
  ) -> [(wait: Duration, lane: LaneID, wording: CueWording)] {
    (some?.filter(contains) ?? ids).flatMap { id in
      LookAhead.firstWordings(lookingAhead(id), at: now, keptAt: self[id].keptAt)
        .map { (wait: $0.wait, lane: id, wording: $0.wording) }
    }.sorted { $0.wait < $1.wait }
  }

  /// The texts of a lane to be rendered and to be measured now; nil where their time has not come. The lane wants its
  /// next check when it has.
  func lookAhead(
    _ id: LaneID, measures: Bool, at now: BootInstant
  ) -> (rendered: [String]?, measured: [String]?) {
    let lookAhead = self[id].lookAhead
    let isDue = now >= lookAhead.rendersAt || measures && now >= lookAhead.measuresAt
    return self[id].lookAhead(isDue ? lookingAhead(id) : nil, measures: measures, at: now)
  }
}
