import CueSound
import IntervalTimeline

/// Which ticks and tones of a lane are to be handed to the mixer: those of the next moments, and each of them once.
struct LaneMetronome {
  enum Sound {
    case tick(Metronome.Tick)
    case piece(Glides.Piece)
  }

  /// A phase that ticks, as it lies in time: another start of the same phase, or one after a pause, is another one.
  private struct Place: Hashable {
    let phase: Int
    let start: BootInstant
  }

  private struct Running {
    /// Where beat 0 lies, since the beginning of the phase.
    let anchor: Duration
    /// Ticks before it have been handed over.
    var until: BootInstant
  }

  private var running: [Place: Running] = [:]
  /// It was paused when it was last asked.
  private var wasPaused = false

  /// Where the ticks of a phase are first asked for after this time, beat 0 is then, as after a pause.
  private static let begun = Duration.seconds(1)

  /// What was handed over and not yet heard has been withdrawn.
  mutating func withdrawn(at now: BootInstant) {
    for place in running.keys { running[place]?.until = now }
  }

  /// What is due before `horizon` and has not been handed over.
  ///
  /// - Parameters:
  ///   - soonest: what is due earlier cannot be heard in time any more.
  ///   - anchor: the instant of beat 0 after a pause. It is never before `soonest`, and later where the output may have
  ///     sound queued.
  mutating func sounds(
    _ session: Session, soonest: BootInstant, anchor: BootInstant, before horizon: BootInstant
  ) -> [(due: BootInstant, sound: Sound)] {
    let transport = session.transport
    guard session.state == .running, let zero = transport.instant(of: .zero), zero < horizon else {
      running = [:]
      wasPaused = session.state == .paused
      return []
    }
    defer { wasPaused = false }
    var found: [(due: BootInstant, sound: Sound)] = []
    var places: Set<Place> = []
    var phase = transport.position(at: max(zero, soonest)).phase
    while phase < session.timeline.count, let start = transport.start(of: phase) {
      let begins = zero + start
      guard begins < horizon else { break }
      let (metronome, glides) = (
        session.timeline.entries[phase].phase.metronome,
        session.timeline.entries[phase].phase.glides
      )
      if metronome != nil || glides != nil {
        let place = Place(phase: phase, start: begins)
        places.insert(place)
        // Beside a tone, which goes on from where it is due, ticks do so, too.
        let isLate = glides == nil && soonest > begins + (wasPaused ? .zero : Self.begun)
        var now =
          running[place]
          ?? Running(anchor: isLate ? begins.duration(to: anchor) : .zero, until: begins)
        let end = transport.start(of: phase + 1).map { min(horizon, zero + $0) } ?? horizon
        let from = max(now.until, soonest)
        if from < end {
          let window = begins.duration(to: from)..<begins.duration(to: end)
          let length = transport.length(of: phase)
          found +=
            metronome?.ticks(in: window, from: now.anchor, length: length).map {
              (begins + $0.time, .tick($0.tick))
            } ?? []
          found +=
            glides?.pieces(in: window, before: length).map { (begins + $0.time, .piece($0.piece)) }
            ?? []
          now.until = end
        }
        running[place] = now
      }
      phase += 1
    }
    running = running.filter { places.contains($0.key) }
    return found
  }
}

/// The lanes whose workouts have a metronome or glides, and what each of them sounds next.
struct LaneMetronomes {
  typealias Sound = (clip: PCMClip, due: BootInstant, lane: LaneID)

  private var metronomes: [LaneID: LaneMetronome] = [:]
  /// Made for the first glide.
  private var glideTone: GlideTone?
  /// False where nobody listens: nothing sounds then.
  var areHeard = true

  /// The lanes that may tick.
  var lanes: Dictionary<LaneID, LaneMetronome>.Keys { metronomes.keys }

  /// Nothing comes of a lane without a metronome and glides.
  mutating func add(_ lane: Lane) {
    guard areHeard,
      lane.session.timeline.entries.contains(where: {
        $0.phase.metronome != nil || $0.phase.glides != nil
      })
    else { return }
    metronomes[lane.id] = LaneMetronome()
  }

  /// What was handed over of a lane and not yet heard has been withdrawn.
  mutating func withdrawn(_ lane: LaneID, at now: BootInstant) {
    metronomes[lane]?.withdrawn(at: now)
  }

  /// What is due before `horizon` and has not been handed over, lane by lane. Lanes that are over are forgotten.
  ///
  /// - Parameters: as of `LaneMetronome.sounds`.
  mutating func sounds(
    of table: LaneTable, soonest: BootInstant, anchor: BootInstant, before horizon: BootInstant
  ) -> [Sound] {
    var found: [Sound] = []
    for id in metronomes.keys.sorted() {
      guard table.contains(id), !table[id].isOver else {
        metronomes[id] = nil
        continue
      }
      let (session, pack) = (table[id].session, table[id].sounds)
      let sounds = metronomes[id]?.sounds(
        session, soonest: soonest, anchor: anchor, before: horizon)
      for (due, sound) in sounds ?? [] { found.append((clip(of: sound, of: pack), due, id)) }
    }
    return found
  }

  private mutating func clip(of sound: LaneMetronome.Sound, of pack: SoundPack) -> PCMClip {
    switch sound {
    case .tick(let tick): return pack[tick.sound]
    case .piece(let piece):
      let tone = glideTone ?? GlideTone(rate: pack.rate, length: Glides.step * 2)
      glideTone = tone
      return tone.piece(of: piece.part, rises: piece.rises, from: piece.offset)
    }
  }
}

extension Metronome.Tick {
  fileprivate var sound: SoundRole {
    switch self {
    case .beat: .tick
    case .accent: .accent
    case .offbeat: .offbeat
    }
  }
}
