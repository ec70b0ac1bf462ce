import ALSAOutput
import CueEngine
import CueSound
import Dispatch
import Synchronization
import TestSupport
import Testing

extension ALSAOutputTests {
  /// Uses an output: sends voices and waits for its reports.
  final class Player: Sendable {
    let link = MixerLink()
    let output: ALSAOutput
    private let events = Mutex<[OutputEvent]>([])
    private let clips = Mutex<[PCMClip]>([])
    private let ramp = PCMClip(rate: 48_000, samples: (1...480).map { Int16($0 * 20) })

    /// What it plays on stays as long as it does.
    private let card: Card?

    /// - Parameter name: the device where it is no card.
    init(
      _ card: Card?, name: String? = nil, profile: OutputProfile = .init(),
      drifts: DriftMemory = .none,
      tap: RecordingTap? = nil
    ) {
      self.card = card
      output = ALSAOutput(device: card?.device ?? name, profile: profile, drifts: drifts, tap: tap)
      output.start(link) { [self] event in events.withLock { $0.append(event) } }
      output.setActivity(.running)
    }

    /// Plays a rising ramp of 480 frames, or something else, `milliseconds` from now.
    func play(_ id: UInt64, in milliseconds: Int64, _ samples: [Int16]? = nil) {
      play(id, at: BootClock.now() + .milliseconds(milliseconds), samples)
    }

    func play(_ id: UInt64, at due: BootInstant, _ samples: [Int16]? = nil) {
      let clip = samples.map { PCMClip(rate: 48_000, samples: $0) } ?? ramp
      clips.withLock { $0.append(clip) }
      let voice = Voice(
        id: id, lane: 0, due: due, samples: clip.memory.baseAddress!, count: clip.count, gain: 1)
      #expect(link.commands.push(.play(voice)))
      output.wake()
    }

    /// Withdraws everything of the lane.
    func withdraw() {
      #expect(link.commands.push(.withdraw(lane: 0)))
      output.wake()
    }

    /// Plays a sound far enough ahead for this machine. Returns its fate once it has ended.
    ///
    /// A busy machine may miss it; it is then played again, further ahead each time.
    func result(
      of id: UInt64, in milliseconds: Int64, _ samples: [Int16]? = nil, test: String = #function
    ) throws -> MixerReport? {
      var lead = milliseconds
      var tries = 1
      play(id, in: lead, samples)
      var result = fate(of: id)
      while result == .missed(id), tries < 8 {
        lead = 2 * max(lead, 10)
        tries += 1
        play(id, in: lead, samples)
        result = fate(of: id)
      }
      try RealTimeRuns.note(tries, of: test)
      return result
    }

    /// True if it is heard.
    func isHeard(
      _ id: UInt64, in milliseconds: Int64, _ samples: [Int16]? = nil, test: String = #function
    ) throws -> Bool {
      if case .onset = try result(of: id, in: milliseconds, samples, test: test) {
        true
      } else {
        false
      }
    }

    /// True once it begins to be heard.
    func begins(
      _ id: UInt64, in milliseconds: Int64, _ samples: [Int16], test: String = #function
    ) throws -> Bool {
      var lead = milliseconds
      for tries in 1...8 {
        play(id, in: lead, samples)
        var isMissed = false
        let isOver = report { report in
          isMissed = report == .missed(id)
          if case .onset(id, _) = report { return true }
          return isMissed
        }
        guard isOver else { return false }
        if !isMissed {
          try RealTimeRuns.note(tries, of: test)
          return true
        }
        _ = fate(of: id)
        lead *= 2
      }
      return false
    }

    /// Waits until the voice has ended. Returns its fate, or nil if it hangs.
    func fate(of id: UInt64) -> MixerReport? {
      var fate: MixerReport?
      let isOver = wait {
        while let report = link.reports.pop() {
          switch report {
          case .onset(id, _), .missed(id), .unheard(id), .withdrawn(id), .cut(id): fate = report
          case .ended(id): return true
          default: break
          }
        }
        return false
      }
      return isOver ? fate : nil
    }

    /// Waits until the output reports that the device plays again.
    func isBack() -> Bool { report { if case .back = $0 { true } else { false } } }

    /// Waits for a report; earlier ones are skipped.
    func report(_ matches: (MixerReport) -> Bool) -> Bool {
      wait {
        while let report = link.reports.pop() { if matches(report) { return true } }
        return false
      }
    }

    /// Why the device was lost, so far.
    var losses: [SoundOutputError] {
      events.withLock { $0 }.compactMap { if case .lost(let error, _) = $0 { error } else { nil } }
    }

    func event(_ matches: @escaping (OutputEvent) -> Bool) -> Bool {
      wait { self.events.withLock { $0.contains(where: matches) } }
    }

    func wait(_ isDone: () throws -> Bool) rethrows -> Bool { try Self.wait { try isDone() } }

    /// Returns false if it hangs; the limit is longer than any machine needs.
    static func wait(_ seconds: Int = 600, _ isDone: () throws -> Bool) rethrows -> Bool {
      let pause = DispatchSemaphore(value: 0)
      let deadline = DispatchTime.now() + .seconds(seconds)
      while DispatchTime.now() < deadline {
        if try isDone() { return true }
        _ = pause.wait(timeout: .now() + .milliseconds(5))
      }
      return try isDone()
    }
  }
}
