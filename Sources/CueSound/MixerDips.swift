/// How far words dip under sounds, and sounds under numbers of a count, in the frames that are being mixed.
///
/// For the audio thread: only `init` allocates.
struct MixerDips {
  private var words: Dip
  private var sounds: Dip
  /// For how long a sound keeps its full loudness under a number.
  private let onset: Frames

  /// How long a sound keeps its loudness under a number: its attack and first pitch.
  private static var onset: Duration { .milliseconds(50) }

  init(rate: Int, capacity: Int) {
    words = Dip(.wordsUnderSound, rate: rate, capacity: capacity)
    sounds = Dip(.soundUnderNumber, rate: rate, capacity: capacity)
    onset = SampleRate.frames(in: Self.onset, at: rate)
  }

  func deallocate() {
    words.deallocate()
    sounds.deallocate()
  }

  /// The gain of each frame that words have.
  var wordGains: UnsafeMutablePointer<Float> { words.gains }
  /// That of sounds past their onset.
  var soundGains: UnsafeMutablePointer<Float> { sounds.gains }

  /// Works out how far words and sounds dip in `count` frames from `frame` on; false for those that do not.
  ///
  /// - Parameter used: how many slots there are.
  mutating func compute(
    _ slots: UnsafeMutablePointer<MixerSlot>, _ used: Int, _ frame: Frames, count: Int,
    fadeFrames: Frames
  ) -> (words: Bool, sounds: Bool) {
    var has = (words: false, sounds: false)
    // By index: a collection's iterator asks for memory in a debug build.
    for index in 0..<used where slots[index].hasStarted {
      if slots[index].voice.isSpeech {
        has.words = has.words || !slots[index].voice.isNumber
      } else if !slots[index].voice.isTick {
        has.sounds = true
      }
    }
    if has.words { words.begin(frame, count: count) }
    if has.sounds { sounds.begin(frame, count: count) }
    for index in 0..<used where slots[index].hasStarted {
      let slot = slots[index]
      let stop = slot.stop(fadeFrames: fadeFrames)
      if slot.voice.isSound, has.words { words.add(from: slot.start, to: stop) }
      if slot.voice.isHeardNumber, has.sounds { sounds.add(from: slot.start, to: stop) }
    }
    return (has.words && words.finish(), has.sounds && sounds.finish())
  }

  /// A voice that has been heard to its end.
  mutating func keep(_ voice: Voice, from start: Frames, to stop: Frames) {
    if voice.isSound { words.keep(from: start, to: stop) }
    if voice.isHeardNumber { sounds.keep(from: start, to: stop) }
  }

  /// How many frames `frame` is past the onset of a sound that began at `start`.
  func pastOnset(_ frame: Frames, of start: Frames) -> Int { Int(frame - start - onset) + 1 }

  /// How much of a dip applies to a sound so many frames past its onset, 0…1: none at first, then more
  /// and more.
  func share(_ pastOnset: Int) -> Float {
    let attack = Int(sounds.attack.value)
    return Float(min(attack, max(0, pastOnset))) / Float(attack)
  }

  /// How much softer a tick is under words: −12 dB.
  private static var tickUnderWords: Float { 0.251 }

  /// A tick is silent where a sound is heard, and softer under words.
  static func gain(
    ofTick tick: MixerSlot, beside slots: UnsafeMutablePointer<MixerSlot>, _ used: Int,
    _ map: FrameMap, fadeFrames: Frames
  ) -> Float {
    let stop = tick.stop(fadeFrames: fadeFrames)
    var gain: Float = 1
    for index in 0..<used where !slots[index].voice.isTick {
      var other = slots[index]
      if !other.hasStarted { other.start = map.frame(at: other.voice.due) }
      guard other.start < stop, other.stop(fadeFrames: fadeFrames) > tick.start else { continue }
      if other.voice.isSound { return 0 }
      gain = tickUnderWords
    }
    return gain
  }
}
