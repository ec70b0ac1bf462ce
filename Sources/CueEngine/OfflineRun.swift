import CueSound
import IntervalTimeline

/// Runs a workout faster than real time on a clock of its own, through the same coach and mixer.
///
/// Frame n of the sound is heard at exactly n / rate seconds of workout time.
package struct OfflineRun: ~Copyable {
  package enum Piece {
    /// Valid until the next one is asked for.
    case sound(UnsafeBufferPointer<Int16>)
    /// This many silent samples.
    case silence(Int)
  }

  private var coach: Coach
  private var mixer: Mixer
  private let map: FrameMap
  private let interval: Duration
  private var now = BootInstant(nanoseconds: 0)
  private let block: UnsafeMutableBufferPointer<Int16>
  private let openLength: Duration

  /// - Parameters:
  ///   - openLength: how long an open phase lasts until the run ends it.
  ///   - ledger: called for every event with instants counted from the workout's start.
  package init(
    _ timeline: Timeline, sounds: SoundPack, speech: SpeechLibrary?,
    settings: CueEngine.Settings = .init(), style: LaneStyle = LaneStyle(),
    openLength: Duration = .seconds(5),
    ledger: @escaping @Sendable (LedgerEvent) -> Void = { _ in }
  ) {
    let link = MixerLink()
    coach = Coach(
      link: link, sounds: sounds, speech: speech, settings: settings, write: ledger,
      emit: { _ in })
    mixer = Mixer(link: link, rate: sounds.rate)
    map = FrameMap(frame: 0, instant: .boot, rate: Double(sounds.rate))
    interval = settings.checkInterval
    self.openLength = openLength
    let frames = SampleRate.frames(in: interval, at: sounds.rate)
    block = .allocate(capacity: Int(frames))
    coach.start(timeline, style: style, at: now)
  }

  deinit { block.deallocate() }

  /// The next piece of sound, or nil after the last cue has ended.
  package mutating func next() -> Piece? {
    var silence = 0
    while coach.isRunning {
      coach.endOpenPhase(after: openLength, at: now)
      mixer.takeCommands(map: map)
      if mixer.isSilent(for: block.count, map: map) {
        mixer.skip(to: mixer.frame + Frames(block.count))
        silence += block.count
        check()
      } else if silence > 0 {
        break
      } else {
        mixer.render(into: block.baseAddress!, count: block.count, map: map)
        mixer.heard(upTo: mixer.frame, map: map, by: .heard)
        check()
        return .sound(UnsafeBufferPointer(block))
      }
    }
    return silence > 0 ? .silence(silence) : nil
  }

  private mutating func check() {
    now = map.instant(of: mixer.frame)
    coach.check(at: now)
  }
}

extension Coach {
  /// Gives the command `next` where a lane's open phase has lasted `length`, or its shortest length if that is
  /// longer: no person does.
  mutating func endOpenPhase(after length: Duration, at now: BootInstant) {
    for lane in lanes.ids(in: .running) {
      let session = lanes[lane].session
      let here = session.transport.position(at: now)
      guard here.phaseLeft == nil,
        case .open(_, let bounds) = session.timeline.entries[here.phase].phase.length,
        here.elapsed - here.phaseStart >= max(length, bounds.atLeast ?? .zero)
      else { continue }
      handle(.next, lane: lane, at: now)
    }
  }
}
