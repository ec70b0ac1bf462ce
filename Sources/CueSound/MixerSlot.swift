/// A voice in the mixer: where it begins, and whether it fades.
struct MixerSlot: BitwiseCopyable {
  var voice: Voice
  /// The frame of its first sample; `.max` while it waits.
  var start = Frames.max
  /// The frame at which a fade begins; `.max` without one.
  var fade = Frames.max
  var isReported = false
  /// That of a tick beside what else is heard; of everything else 1.
  var gain: Float = 1

  var hasStarted: Bool { start != .max }

  /// The frame after its last.
  func stop(fadeFrames: Frames) -> Frames {
    let end = start + Frames(voice.count)
    return fade == .max ? end : min(end, fade + fadeFrames)
  }

  /// How many frames after `frame` its fade ends; `.max` without one.
  func fadeLeft(at frame: Frames, fadeFrames: Frames) -> Int {
    fade == .max ? .max : Int(fade + fadeFrames - frame)
  }
}
