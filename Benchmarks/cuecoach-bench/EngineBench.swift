import ALSAOutput
import CGlibc
import CueEngine
import CueSound
import CueTesting
import Dispatch
import IntervalTimeline
import Synchronization

/// A whole engine with any number of lanes: its memory, its commands and its subscribers.
final class EngineBench: Sendable {
  let engine: CueEngine
  let lanes: [LaneID]
  private let heapBefore: UInt64

  /// On a device that plays nothing, at the pace of the clock.
  ///
  /// - Parameter lanes: all with the same timeline; they have been running for some seconds, and started
  ///   37 ms apart, modulo a minute.
  convenience init(_ timeline: Timeline, lanes: Int) {
    self.init(
      Array(repeating: timeline, count: lanes), on: ALSAOutput(device: nil), clock: BootClock.now)
  }

  private init(
    _ timelines: [Timeline], on output: any SoundOutput,
    clock: @escaping @Sendable () -> BootInstant
  ) {
    engine = CueEngine(
      output: output, sounds: SoundPack(), speech: nil, clock: clock, sleepClock: { .zero })
    engine.prepare([])
    heapBefore = Self.heap
    let now = clock()
    var ids: [LaneID] = []
    for (number, timeline) in timelines.enumerated() {
      do throws(LaneError) {
        let id = try engine.addLane("\(number)", timeline: timeline)
        engine.start([id], at: now + .milliseconds(200 + 37 * (number % 1_600)))
        ids.append(id)
      } catch {
        preconditionFailure("lane \(number): \(error)")
      }
    }
    lanes = ids
    _ = engine.volume
  }

  /// Bytes that the program has allocated and not freed.
  private static var heap: UInt64 {
    let info = mallinfo2()
    return UInt64(info.uordblks) + UInt64(info.hblkhd)
  }

  /// Bytes for each lane, after two simulated minutes.
  ///
  /// - Parameter isShared: false where each lane has a timeline of its own.
  static func memory(_ workout: Workout, lanes: Int, isShared: Bool) -> UInt64 {
    let clock = ManualClock()
    let output = RecordingOutput(origin: clock.now)
    output.keepsSamples = false
    let common = timeline(workout)
    let before = heap
    let timelines = (0..<lanes).map { _ in isShared ? common : timeline(workout) }
    let own = heap - before
    let bench = EngineBench(timelines, on: output, clock: { clock.now })
    for _ in 0..<240 {
      clock.advance(by: .milliseconds(500))
      output.advance(to: clock.now)
      bench.engine.checkNow()
    }
    let bytes = heap - bench.heapBefore + own
    bench.engine.shutDown()
    return bytes / UInt64(lanes)
  }

  /// Commands a second from that many threads, each of which gives its own lanes `pause` and `resume` in
  /// turn, up to the last answer.
  func commandsPerSecond(threads: Int, each count: Int) -> Int {
    let group = DispatchGroup()
    let begin = ContinuousClock.now
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      for number in 0..<count {
        group.enter()
        let lane = lanes[(thread + number / 2 * threads) % lanes.count]
        engine.send(number % 2 == 0 ? .pause : .resume, to: lane) { _ in group.leave() }
      }
    }
    group.wait()
    return Int(Double(threads * count) / ((ContinuousClock.now - begin) / .seconds(1)))
  }

  /// How long an event takes, from its command to its answer, while that many subscribers read.
  func event(subscribers: Int, of count: Int) -> Duration {
    let readers = (0..<subscribers).map { _ in
      let events = engine.events
      return Task {
        for await _ in events {}
      }
    }
    let group = DispatchGroup()
    let begin = ContinuousClock.now
    for number in 0..<count {
      group.enter()
      engine.setVolume(number % 2 == 0 ? 0.5 : 1) { _ in group.leave() }
    }
    group.wait()
    let time = ContinuousClock.now - begin
    for reader in readers { reader.cancel() }
    return time / count
  }
}
