// An output of one's own: raw PCM on standard output, paced by the machine's clock. Links no library
// of sound: neither ALSA nor espeak-ng nor libsoxr. The ledger goes to standard error.
//
//   swift run OwnOutput | aplay -f S16_LE -r 48000
import CueEngine
import CueSound
import Foundation
import IntervalTimeline
import Synchronization

/// Writes 16-bit mono samples, 48 000 a second, as the clock comes to them.
final class StandardOutput: SoundOutput {
  let latency = Duration.zero
  private let hasStarted = Atomic(false)
  private let isStopping = Atomic(false)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// The thread owns the link, and it alone uses the mixer.
  func start(_ link: MixerLink, events: @escaping @Sendable (OutputEvent) -> Void) {
    guard !hasStarted.exchange(true, ordering: .relaxed) else {
      fatalError("an output serves one engine")
    }
    Thread.detachNewThread { [self] in
      events(.plays(minimumLeadTime: .milliseconds(40)))
      play(Mixer(link: link))
      hasEnded.signal()
    }
  }

  private func play(_ mixer: consuming Mixer) {
    let count = 480
    let block = UnsafeMutablePointer<Int16>.allocate(capacity: count)
    defer { block.deallocate() }
    // Frame 0 is heard in 20 ms, when two blocks are written, and each one after it at its own instant.
    let map = FrameMap(
      frame: 0, instant: BootClock.now() + .milliseconds(20), rate: Double(mixer.rate))
    while !isStopping.load(ordering: .relaxed) {
      let heard = map.frame(at: BootClock.now())
      mixer.takeCommands(map: map)
      // What could not be written in time, after a stall or a sleep of the machine, is left out,
      // and the ledger says so.
      if heard > mixer.frame {
        mixer.skip(to: heard)
        mixer.reportXrun(at: BootClock.now())
      }
      // Two blocks ahead of what is heard.
      while mixer.frame < heard + Frames(2 * count) {
        mixer.render(into: block, count: count, map: map)
        write(STDOUT_FILENO, block, count * MemoryLayout<Int16>.size)
      }
      mixer.heard(upTo: heard, map: map, by: .heard)
      usleep(5_000)
    }
    mixer.abandon()
  }

  // It always plays, and takes its commands every few milliseconds.
  func setActivity(_ activity: OutputActivity) {}
  func wake() {}

  // Nothing before `start`, and nothing a second time.
  func stop() {
    guard hasStarted.load(ordering: .relaxed),
      !isStopping.exchange(true, ordering: .relaxed)
    else { return }
    hasEnded.wait()
  }
}

let effort = Block.Step(Phase(.work, .fixed(.seconds(5))))
let rest = Block.Step(Phase(.rest, .fixed(.seconds(3))))
let workout = Workout(name: "Short", blocks: [Block(sets: 2, steps: [effort, rest])])
let engine = CueEngine(
  output: StandardOutput(), sounds: SoundPack(), speech: nil,
  ledger: { FileHandle.standardError.write(Data("\($0.line)\n".utf8)) })
let lane = try engine.addLane("runner", timeline: Timeline(workout))
engine.send(.start, to: lane)
while engine.status(of: lane) != nil { try await Task.sleep(for: .milliseconds(100)) }
engine.shutDown()
