import Synchronization

/// A clip on its way to the mixer: plain values, so that it can cross to the audio thread.
package struct Voice: BitwiseCopyable {
  /// Chosen by the sender; comes back in every report about it.
  package var id: UInt64
  /// Voices of one lane are withdrawn together.
  package var lane: Int32
  /// When its first sample must be heard.
  package var due: BootInstant
  /// At the mixer's rate. Alive until `.ended` comes back: `MixerLink.play` sees to it.
  package var samples: UnsafePointer<Int16>
  package var count: Int
  /// Linear; 1 leaves the samples as they are.
  package var gain: Float
  /// Speech dips a little under sounds; sounds dip under numbers of a count.
  package var isSpeech: Bool
  /// True at its instant alone, as a number of a count is: heard on it or not at all.
  package var isTimed: Bool
  /// A tick of a metronome: heard at its instant or not at all, softer under words, silent where a sound is heard, and
  /// nothing dips for it.
  package var isTick: Bool

  package init(
    id: UInt64, lane: Int32, due: BootInstant, samples: UnsafePointer<Int16>, count: Int,
    gain: Float,
    isSpeech: Bool = false, isTimed: Bool = false, isTick: Bool = false
  ) {
    self.id = id
    self.lane = lane
    self.due = due
    self.samples = samples
    self.count = count
    self.gain = gain
    self.isSpeech = isSpeech
    self.isTimed = isTimed
    self.isTick = isTick
  }
}

extension Voice {
  /// A spoken number of a count.
  var isNumber: Bool { isSpeech && isTimed }
  /// Words dip under it.
  var isSound: Bool { !isSpeech && !isTick }
  /// One at volume 0 needs no dip.
  var isHeardNumber: Bool { isNumber && gain > 0 }
}

extension Voice: @unchecked Sendable {
  // Unchecked: the samples are only read, and the link or the sender keeps them alive (see above).
}

package enum MixerCommand: BitwiseCopyable, Sendable {
  case play(Voice)
  /// Withdraws what has not begun and fades out what sounds.
  case withdraw(lane: Int32)
  /// The same for one voice.
  case withdrawVoice(id: UInt64)
  /// Moves the master volume to this linear gain, 0…1.
  case volume(Float)
}

/// What became of a voice. Each voice gets one of the first four, perhaps `cut`, or `missed` after its onset, then
/// `ended`.
package enum MixerReport: BitwiseCopyable, Hashable, Sendable {
  /// Its first sample was heard then, by the audio clock.
  case onset(UInt64, at: BootInstant)
  /// It was mixed in full, and no device was requested.
  case unheard(UInt64)
  /// It could not be heard: too late, or no device. After its onset: the device was gone before its end.
  case missed(UInt64)
  /// It was withdrawn before its first sample.
  case withdrawn(UInt64)
  /// It was withdrawn while it sounded, and faded out before its end.
  case cut(UInt64)
  /// The mixer will not touch its memory again.
  case ended(UInt64)
  /// An underrun at that instant.
  case xrun(at: BootInstant)
  /// A device that was lost has played again since then.
  case back(at: BootInstant)
  /// A sound that is handed over this long before it is due is heard on its frame: replaces what the output
  /// said when it began to play (`OutputEvent.plays`), once it knows the device.
  case minimumLeadTime(Duration)
}

/// The two queues between the check and the audio thread, and the clips on their way.
///
/// Both sides own the link, so a clip lives as long as the audio thread may read it, even where that
/// thread hangs in a driver and everybody else has released it.
public final class MixerLink: Sendable {
  /// Producer: the check. Consumer: the audio thread.
  package let commands: Ring<MixerCommand>
  /// Producer: the audio thread. Consumer: the check.
  package let reports: Ring<MixerReport>
  /// How many voices may be waiting or sounding at once.
  package let voices: Int
  /// Of the clips that are sent, in samples a second; nil: of any, for the mixer's owner to know.
  let rate: Int?
  /// Protects the clips of voices that have not ended. Only the check locks it.
  private let clips = Mutex<[UInt64: PCMClip]>([:])

  /// A second mixer would take commands from the first.
  private let hasMixer = Atomic(false)

  /// For the mixer, once.
  func join() {
    guard !hasMixer.exchange(true, ordering: .relaxed) else {
      fatalError("a second Mixer of one MixerLink: an output keeps its mixer for another device")
    }
  }

  /// - Parameters:
  ///   - voices: how many clips may wait or sound at once, 1 or more. All memory is allocated for them here.
  ///   - rate: the rate that the mixer must have, in samples a second; nil: any.
  package init(voices: Int = 1024, rate: Int? = nil) {
    guard (1...Self.maximumVoices).contains(voices) else {
      fatalError("a mixer for \(voices) voices, expected 1 to \(Self.maximumVoices)")
    }
    self.voices = voices
    self.rate = rate
    commands = .allocate(atLeast: voices)
    // Three reports a voice at most, and room for what happens to the device.
    reports = .allocate(atLeast: voices * 4)
  }

  private static let maximumVoices = 1 << 20

  deinit {
    commands.deallocate()
    reports.deallocate()
  }

  /// Ends the program with a sentence where a mixer of that rate cannot play the link's clips.
  func requireRate(_ rate: Int) {
    guard SampleRate.permitted.contains(rate), (self.rate ?? rate) == rate else {
      fatalError(
        "the output plays \(rate) samples a second, the sounds have \(self.rate ?? rate): "
          + "an engine's output and sounds have one rate of \(SampleRate.permitted.lowerBound) to "
          + "\(SampleRate.permitted.upperBound)")
    }
  }

  /// For the check: sends a clip, and keeps it alive until `nextReport` has returned its `.ended`.
  ///
  /// - Parameters:
  ///   - clip: at the mixer's rate.
  ///   - id: of no other voice that has not ended.
  ///   - lane: voices of one lane are withdrawn together.
  ///   - due: when its first sample must be heard.
  ///   - gain: linear; 1 leaves the samples as they are, and what is negative or no number is silence.
  ///   - isSpeech: words dip under sounds.
  ///   - isTimed: true for a number of a count: it is heard at its instant or not at all.
  ///   - isTick: true for a tick of a metronome: likewise, and softer under words and silent where a sound is heard.
  /// - Returns: false when the queue is full; nothing has changed then.
  package func play(
    _ clip: PCMClip, id: UInt64, lane: Int32, due: BootInstant, gain: Float,
    isSpeech: Bool = false,
    isTimed: Bool = false, isTick: Bool = false
  ) -> Bool {
    let voice = Voice(
      id: id, lane: lane, due: due, samples: clip.memory.baseAddress!, count: clip.count,
      gain: gain.isFinite ? max(0, gain) : 0, isSpeech: isSpeech,
      isTimed: isTimed || isTick, isTick: isTick)
    // Before it is sent: the audio thread may be done with it at once.
    clips.withLock { $0[id] = clip }
    let isSent = commands.push(.play(voice))
    if !isSent { clips.withLock { $0[id] = nil } }
    return isSent
  }

  /// For the check: how many commands the audio thread has taken so far, and whether others wait for it.
  package var progress: (taken: Int, isWaiting: Bool) {
    let progress = commands.progress
    return (progress.popped, progress.isWaiting)
  }

  /// For the check: what the audio thread reports next; nil for nothing yet.
  package func nextReport() -> MixerReport? {
    guard let report = reports.pop() else { return nil }
    if case .ended(let id) = report { clips.withLock { $0[id] = nil } }
    return report
  }
}
