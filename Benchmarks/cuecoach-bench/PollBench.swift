import ALSAOutput
import CueEngine
import CueSound
import Dispatch
import IntervalTimeline

/// For comparison, a coach without look-ahead: every 0.5 s a timer plays whatever has become due at
/// once, through the same output.
enum PollBench {
  private struct State {
    /// Not yet played, in order.
    var due: [BootInstant]
    var played: UInt64 = 0
  }

  /// Reads cue times from standard input (seconds from the start, one per line, in order), prints
  /// the start (CLOCK_BOOTTIME nanoseconds) and plays a beep for each.
  static func run() {
    let clip = SoundPack()[.count]
    let link = MixerLink()
    let output = ALSAOutput(device: "default")
    output.start(link) { _ in }
    let begin = BootClock.now() + .milliseconds(200)
    print(begin.nanoseconds)
    var times: [BootInstant] = []
    while let line = readLine(), let time = Double(line) {
      times.append(begin + .nanoseconds(Int64((time * 1e9).rounded())))
    }

    let queue = DispatchQueue(label: "poll", qos: .userInitiated)
    let state = QueueState(State(due: times))
    let done = DispatchSemaphore(value: 0)
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now() + .milliseconds(500), repeating: .milliseconds(500),
      leeway: .milliseconds(20))
    timer.setEventHandler {
      let now = BootClock.now()
      if state.value.due.isEmpty { done.signal() }
      while let due = state.value.due.first, due <= now {
        state.value.due.removeFirst()
        // This function keeps the clip alive, and outlives the output.
        _ = link.commands.push(
          .play(
            Voice(
              id: state.value.played, lane: 0, due: now, samples: clip.memory.baseAddress!,
              count: clip.count, gain: 1)))
        state.value.played += 1
      }
      while link.reports.pop() != nil {}
      output.wake()
    }
    timer.activate()
    done.wait()
    timer.cancel()
    output.stop()
    withExtendedLifetime(clip) {}
  }
}

/// A value that only one queue uses.
private final class QueueState<Value>: @unchecked Sendable {
  // Unchecked: created before the queue's first block and used only by its blocks.
  var value: Value
  init(_ value: Value) { self.value = value }
}
