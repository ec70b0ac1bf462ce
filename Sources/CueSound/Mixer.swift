/// Adds voices together, each beginning on the frame that is heard at its due instant.
///
/// A waiting voice has an instant. It gets its frame when the block that holds that instant is rendered,
/// from the best map known at that moment, and keeps it from then on. Used by one thread
/// at a time; `render`, `heard` and `takeCommands` neither allocate, lock, log nor count
/// references. Words dip under a sound, and a sound, once it has begun, under a number of a count.
public struct Mixer: ~Copyable {
  /// What became of the frames that a device was given.
  public enum Audience: BitwiseCopyable, Sendable {
    /// A device played them.
    case heard
    /// No device was requested.
    case silent
    /// A device should have played it and did not.
    case lost
  }

  /// Samples a second: of what is rendered, and of every clip that is sent to the mixer.
  public let rate: Int
  /// The frame that comes next.
  public private(set) var frame: Frames = 0
  /// The output's own linear gain over everything, clamped to 0…1; the volume comes on top of it. What is no
  /// number is silence.
  package var gain: Float = 1 {
    didSet { gain = min(1, max(0, gain)) }
  }

  private let link: MixerLink
  private let commands: Ring<MixerCommand>
  private let reports: Ring<MixerReport>
  private let slots: UnsafeMutablePointer<MixerSlot>
  private var used = 0
  private let sum: UnsafeMutablePointer<Float>
  private var dips: MixerDips
  private var volume: VolumeRamp
  private let fadeFrames: Frames
  /// A voice whose instant has passed by no more than this still plays, from its first sample.
  private var lateFrames: Frames
  /// The same for a timed voice.
  private let timedFrames: Frames

  /// Frames mixed at a time.
  private static var chunk: Int { 1024 }

  /// - Precondition: `rate` is that of the link's clips: what an engine hands over has the rate of its
  ///   sounds; it is the link's only mixer, also after the device was opened again; and the spans are in their
  ///   ranges. Anything else ends the program with a sentence.
  /// - Parameters:
  ///   - link: as `SoundOutput.start` received it.
  ///   - rate: frames a second.
  ///   - late: how late a voice may be and still play, from its first sample; 0 to 60 s, 120 ms unless another is
  ///     given. A cue that answers a command is late by what is queued.
  ///   - fade: how long a withdrawn voice takes to fall silent; 0 to 60 s.
  public init(
    link: MixerLink, rate: Int = SampleRate.standard, late: Duration = Mixer.usualLate,
    fade: Duration = .milliseconds(4)
  ) {
    link.requireRate(rate)
    link.join()
    self.link = link
    self.rate = rate
    commands = link.commands
    reports = link.reports
    slots = .allocate(capacity: link.voices)
    sum = .allocate(capacity: Self.chunk)
    dips = MixerDips(rate: rate, capacity: Self.chunk)
    volume = VolumeRamp(rate: rate)
    Self.require(late, fade)
    fadeFrames = max(1, SampleRate.frames(in: fade, at: rate))
    lateFrames = SampleRate.frames(in: late, at: rate)
    timedFrames = SampleRate.frames(in: Self.timedLate, at: rate)
  }

  deinit {
    slots.deallocate()
    sum.deallocate()
    dips.deallocate()
  }

  /// Sets how late a voice may be and still play, clamped to 0…60 s.
  package mutating func allow(late: Duration) {
    lateFrames = SampleRate.frames(in: min(Self.longest, max(.zero, late)), at: rate)
  }

  /// How many voices wait or sound.
  package var voiceCount: Int { used }

  /// Commands wait to be taken.
  var hasCommands: Bool { !commands.isEmpty }

  /// Takes the commands that the check has sent. Call it before each render.
  ///
  /// - Returns: true when something should already have been rendered differently, and
  ///   `stepBack(to:)` would help.
  @discardableResult
  public mutating func takeCommands(map: FrameMap) -> Bool {
    var isOutOfDate = false
    while let command = commands.pop() {
      switch command {
      case .play(let voice):
        isOutOfDate = isOutOfDate || map.frame(at: voice.due) < frame
        if used < link.voices {
          slots[used] = MixerSlot(voice: voice)
          used += 1
        } else {
          report(.missed(voice.id))
          report(.ended(voice.id))
        }
      case .withdraw(let lane):
        isOutOfDate = withdraw { $0.lane == lane } || isOutOfDate
      case .withdrawVoice(let id):
        isOutOfDate = withdraw { $0.id == id } || isOutOfDate
      case .volume(let gain):
        volume.request(gain)
        isOutOfDate = isOutOfDate || isSounding
      }
    }
    return isOutOfDate
  }

  private var isSounding: Bool {
    for index in 0..<used where slots[index].hasStarted { return true }
    return false
  }

  /// Removes voices that wait, and fades out those that sound. True when there is one that sounds.
  private mutating func withdraw(where isWithdrawn: (Voice) -> Bool) -> Bool {
    var isRendered = false
    var index = 0
    while index < used {
      if isWithdrawn(slots[index].voice) {
        if !slots[index].hasStarted {
          report(.withdrawn(slots[index].voice.id))
          remove(index)
          continue
        }
        slots[index].fade = min(slots[index].fade, frame)
        isRendered = true
      }
      index += 1
    }
    return isRendered
  }

  /// Takes back frames that have not been heard: the next to be rendered is `earlier`. Voices that began
  /// after it wait again, and withdrawn ones fade from there.
  public mutating func stepBack(to earlier: Frames) {
    guard earlier < frame else { return }
    frame = earlier
    var index = 0
    while index < used {
      let isWithdrawn = slots[index].fade != .max
      if slots[index].hasStarted, slots[index].start >= earlier, !slots[index].isReported {
        if isWithdrawn {
          report(.withdrawn(slots[index].voice.id))
          remove(index)
          continue
        }
        slots[index].start = .max
      } else if isWithdrawn {
        slots[index].fade = min(slots[index].fade, max(earlier, slots[index].start))
      }
      index += 1
    }
  }

  /// Renders the next `count` frames, mono, into `target`.
  public mutating func render(into target: UnsafeMutablePointer<Int16>, count: Int, map: FrameMap) {
    volume.begin(at: frame)
    var done = 0
    while done < count {
      let chunk = min(Self.chunk, count - done)
      if place(until: frame + Frames(chunk), map: map) {
        mix(chunk)
        let gain = gain * volume.apply(to: sum, count: chunk, from: frame)
        SoftLimit.write(sum, by: gain, to: target + done, count: chunk)
      } else {
        (target + done).update(repeating: 0, count: chunk)
      }
      frame += Frames(chunk)
      done += chunk
    }
  }

  /// Whether the next `count` frames are silent, so that skipping them changes nothing.
  package func isSilent(for count: Int, map: FrameMap) -> Bool {
    let end = frame + Frames(count)
    for index in 0..<used
    where slots[index].hasStarted || map.frame(at: slots[index].voice.due) < end {
      return false
    }
    return true
  }

  /// Skips frames that a device has lost or that were not rendered.
  ///
  /// - Precondition: `newFrame` is at most 2⁵², more than a century. Anything else ends the program with a
  ///   sentence.
  public mutating func skip(to newFrame: Frames) {
    Self.require(newFrame)
    frame = max(frame, newFrame)
  }

  /// Lets the frames before `end` pass as if they were rendered and heard, in the order in which voices begin and
  /// end. No sample is computed.
  package mutating func pass(to end: Frames, map: FrameMap) {
    while frame < end {
      _ = place(until: end, map: map)
      var next = end
      for index in 0..<used where slots[index].hasStarted {
        let slot = slots[index]
        if !slot.isReported { next = min(next, max(slot.start, frame) + 1) }
        let stop = slot.stop(fadeFrames: fadeFrames)
        if stop > frame { next = min(next, stop) }
      }
      frame = next
      heard(upTo: frame, map: map, by: .heard)
    }
  }

  /// The frame after the last of all voices that wait or sound; nil where there are none.
  package func lastEnd(map: FrameMap) -> Frames? {
    (0..<used).map { index in
      var slot = slots[index]
      if !slot.hasStarted { slot.start = map.frame(at: slot.voice.due) }
      return slot.stop(fadeFrames: fadeFrames)
    }.max()
  }

  /// Gives frames to the voices that begin before `end`. True when anything sounds.
  private mutating func place(until end: Frames, map: FrameMap) -> Bool {
    var sounds = false
    var index = 0
    while index < used {
      if !slots[index].hasStarted {
        let start = map.frame(at: slots[index].voice.due)
        if start + (slots[index].voice.isTimed ? timedFrames : lateFrames) < frame {
          report(.missed(slots[index].voice.id))
          remove(index)
          continue
        }
        if start < end { slots[index].start = max(start, frame) }
      }
      sounds = sounds || slots[index].hasStarted
      index += 1
    }
    for index in 0..<used where slots[index].voice.isTick && slots[index].start >= frame {
      slots[index].gain =
        slots[index].hasStarted
        ? MixerDips.gain(ofTick: slots[index], beside: slots, used, map, fadeFrames: fadeFrames) : 1
    }
    return sounds
  }

  /// Adds the voices that sound to `sum`. Each kind of gain has its own loop, so that a sample costs no
  /// more than its voice needs.
  private mutating func mix(_ chunk: Int) {
    sum.update(repeating: 0, count: chunk)
    let end = frame + Frames(chunk)
    let (areWordsDipped, areSoundsDipped) = dips.compute(
      slots, used, frame, count: chunk, fadeFrames: fadeFrames)
    for index in 0..<used where slots[index].hasStarted {
      let slot = slots[index]
      let from = max(slot.start, frame)
      let to = min(slot.stop(fadeFrames: fadeFrames), end)
      guard from < to else { continue }
      let samples = slot.voice.samples + Int(from - slot.start)
      let target = sum + Int(from - frame)
      let count = Int(to - from)
      let left = slot.fadeLeft(at: from, fadeFrames: fadeFrames)
      if slot.voice.isTick {
        let gain = slot.voice.gain * slot.gain
        for offset in 0..<count {
          target[offset] += Float(samples[offset]) * gain * fade(left - offset)
        }
      } else if slot.voice.isSpeech, areWordsDipped, !slot.voice.isNumber {
        let gains = dips.wordGains + Int(from - frame)
        for offset in 0..<count {
          target[offset] +=
            Float(samples[offset]) * slot.voice.gain * fade(left - offset) * gains[offset]
        }
      } else if !slot.voice.isSpeech, areSoundsDipped {
        let gains = dips.soundGains + Int(from - frame)
        let pastOnset = dips.pastOnset(from, of: slot.start)
        for offset in 0..<count {
          target[offset] +=
            Float(samples[offset]) * slot.voice.gain * fade(left - offset)
            * (1 - (1 - gains[offset]) * dips.share(pastOnset + offset))
        }
      } else if slot.fade == .max {
        for offset in 0..<count { target[offset] += Float(samples[offset]) * slot.voice.gain }
      } else {
        for offset in 0..<count {
          target[offset] += Float(samples[offset]) * slot.voice.gain * fade(left - offset)
        }
      }
    }
  }

  /// The gain `left` frames before the end of a fade, 0…1.
  private func fade(_ left: Int) -> Float {
    let whole = Int(fadeFrames.value)
    return left >= whole ? 1 : max(0, Float(left) / Float(whole))
  }

  /// Reports the voices whose first samples lie before `played`, and removes those whose last samples do.
  ///
  /// `map` must know when the frames up to `played` were heard.
  public mutating func heard(upTo played: Frames, map: FrameMap, by audience: Audience) {
    var index = 0
    while index < used {
      let slot = slots[index]
      guard slot.hasStarted else {
        index += 1
        continue
      }
      if !slot.isReported, slot.start < played {
        switch audience {
        case .heard: report(.onset(slot.voice.id, at: map.instant(of: slot.start)))
        case .silent: report(.unheard(slot.voice.id))
        case .lost: report(.missed(slot.voice.id))
        }
        slots[index].isReported = true
      }
      let stop = slot.stop(fadeFrames: fadeFrames)
      if slots[index].isReported, stop <= played {
        if stop < slot.start + Frames(slot.voice.count) { report(.cut(slot.voice.id)) }
        dips.keep(slot.voice, from: slot.start, to: stop)
        remove(index)
      } else {
        index += 1
      }
    }
  }

  /// The device is gone: voices that sound are over and count as missed, also those whose beginning was heard;
  /// voices that wait stay.
  public mutating func breakOff() {
    var index = 0
    while index < used {
      if slots[index].hasStarted {
        report(.missed(slots[index].voice.id))
        remove(index)
      } else {
        index += 1
      }
    }
  }

  /// Nothing more will be rendered: every voice that waits or sounds is over.
  public mutating func abandon() {
    takeCommands(map: FrameMap(frame: 0, instant: .boot, rate: Double(rate)))
    while used > 0 {
      let slot = slots[0]
      if !slot.isReported { report(.withdrawn(slot.voice.id)) } else { report(.cut(slot.voice.id)) }
      remove(0)
    }
  }

  /// A device that was lost plays again.
  public mutating func reportBack(at instant: BootInstant) { report(.back(at: instant)) }

  /// How long before it is due a sound must be handed over has changed.
  package mutating func reportMinimumLeadTime(_ minimumLeadTime: Duration) {
    report(.minimumLeadTime(minimumLeadTime))
  }

  /// An underrun.
  public mutating func reportXrun(at instant: BootInstant) { report(.xrun(at: instant)) }

  private mutating func remove(_ index: Int) {
    report(.ended(slots[index].voice.id))
    used -= 1
    if index != used { slots[index] = slots[used] }
  }

  private func report(_ report: MixerReport) {
    // The ring holds every report of every voice; only xruns could ever overfill it.
    _ = reports.push(report)
  }
}
