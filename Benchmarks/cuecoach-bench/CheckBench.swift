import CueEngine
import CueSound
import IntervalTimeline

/// A coach with any number of lanes on a simulated clock, to measure the cost of a check.
struct CheckBench: ~Copyable {
  private var coach: Coach
  private var mixer: Mixer
  private let map = FrameMap(frame: 0, instant: .boot, rate: 48_000)
  private var now = BootInstant(nanoseconds: 0)
  private let block: UnsafeMutableBufferPointer<Int16>

  /// Lanes that start 37 ms apart, so that their cues are spread like those of independent users.
  init(_ timeline: Timeline, lanes: Int, speech: SpeechLibrary?) {
    self.init(Array(repeating: timeline, count: lanes), apart: .milliseconds(37), speech: speech)
  }

  /// A lane for each timeline; lane n starts n × `apart` after the first, modulo a minute.
  init(_ timelines: [Timeline], apart: Duration, speech: SpeechLibrary?) {
    let link = MixerLink(voices: max(512, timelines.count * 12))
    coach = Coach(
      link: link, sounds: SoundPack(), speech: speech, settings: .init(), write: { _ in },
      emit: { _ in })
    mixer = Mixer(link: link)
    block = .allocate(capacity: 24_000)
    let ids = timelines.indices.map { add("\($0)", timelines[$0]) }
    for (lane, id) in ids.enumerated() {
      coach.handle(.start, lane: id, at: now + apart * (lane % 1_600))
    }
  }

  private mutating func add(_ name: String, _ timeline: Timeline) -> LaneID {
    do throws(LaneError) {
      return try coach.addLane(name, timeline: timeline, style: LaneStyle())
    } catch {
      preconditionFailure("lane \(name): \(error)")
    }
  }

  deinit { block.deallocate() }

  /// Advances the clock by half a second. Returns how long the next check takes.
  mutating func check() -> Duration {
    mixer.takeCommands(map: map)
    mixer.render(into: block.baseAddress!, count: block.count, map: map)
    mixer.heard(upTo: mixer.frame, map: map, by: .heard)
    now = map.instant(of: mixer.frame)
    let begin = ContinuousClock.now
    coach.check(at: now)
    return ContinuousClock.now - begin
  }

  /// Adds a lane and removes it before its start. Returns how long both take.
  mutating func comeAndGo(_ timeline: Timeline) -> Duration {
    let begin = ContinuousClock.now
    let lane = add("guest", timeline)
    coach.handle(.stop, lane: lane, at: now)
    return ContinuousClock.now - begin
  }
}
