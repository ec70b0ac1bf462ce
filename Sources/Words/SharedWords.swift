import CueSound
import IntervalTimeline

/// Equal texts of several lanes at one instant: one is said for all of them.
extension WordTurn {
  /// What two requests have to have in common before their words are compared.
  private struct Instant: Hashable {
    let due: BootInstant
    let end: BootInstant
    let limit: BootInstant?
    let kind: String
    let voice: SpeechVoice
  }

  /// The same requests, those of equal words at one instant as one: the first of them, with the others as its
  /// companions.
  ///
  /// - Parameter requests: in the order of priority.
  func merged(_ requests: [AnnouncementRequest]) -> [AnnouncementRequest] {
    guard lanes.lanes.count > 1, requests.count > 1 else { return requests }
    var merged: [AnnouncementRequest] = []
    var places: [Instant: [Int]] = [:]
    for request in requests {
      guard request.canBeShared else {
        merged.append(request)
        continue
      }
      let handOff = request.handOff
      let instant = Instant(
        due: handOff.due, end: handOff.until, limit: handOff.limit,
        kind: handOff.cue.content.name, voice: request.voice)
      let equal = places[instant]?.first { merged[$0].saysTheSame(as: request) }
      if let equal {
        merged[equal].companions += request.participants
      } else {
        places[instant, default: []].append(merged.count)
        merged.append(request)
      }
    }
    for index in merged.indices where !merged[index].companions.isEmpty {
      merged[index].isForAll = isForAll(merged[index])
    }
    return merged
  }

  /// Whether its words are said for all lanes that run.
  func isForAll(_ request: AnnouncementRequest) -> Bool {
    guard lanes.isComplete, !request.companions.isEmpty else { return false }
    let participants = Set(request.participants.map(\.lane))
    // What is said of a workout that does not run may be untrue of another that does not.
    let areRunning = request.lane.session.state == .running
    return lanes.lanes.allSatisfy {
      participants.contains($0.id) || areRunning && $0.session.state != .running
    }
  }
}

extension AnnouncementRequest {
  /// Whether its words may be said for other lanes too: they say no live value of its lane.
  fileprivate var canBeShared: Bool { handOff.cue.content.canBeShared && !saysValues }

  fileprivate func saysTheSame(as other: AnnouncementRequest) -> Bool {
    guard lane.id != other.lane.id, !companions.contains(where: { $0.lane == other.lane.id })
    else { return false }
    return unnamed.wording(at: due) == other.unnamed.wording(at: due)
  }

  /// The announcement of each lane for which its words are said, its own first.
  func announcements(_ cue: LaidOutCue) -> [Announcement] {
    participants.map { one in
      var cue = cue
      if one.lane != lane.id, !cue.parts.isEmpty {
        cue.outcome = .merged
        cue.add("said with \(lane.name)")
      }
      return announcement(cue, for: one)
    }
  }

  private var unnamed: AnnouncementRequest {
    var request = self
    request.companions = []
    request.lane.speaker = nil
    return request
  }
}

extension Cue.Content {
  /// True for words that the workout plans or that confirm a command, not for a message or an answer to one person.
  fileprivate var canBeShared: Bool {
    switch self {
    case .message, .repetition, .total: false
    case .acknowledgement: true
    default: !isAnswer
    }
  }
}
