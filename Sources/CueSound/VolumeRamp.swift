/// The master volume: a linear gain that moves to each new value within 20 ms, so that no click is
/// heard.
///
/// The gain depends on the frame alone, so frames that are rendered again sound the same.
struct VolumeRamp: BitwiseCopyable {
  private let frames: Frames
  private var first: Float = 1
  private var last: Float = 1
  /// The frame at which the gain begins to move from `first` to `last`.
  private var start = Frames(Int64.min / 2)
  private var requested: Float = 1

  private static var length: Duration { .milliseconds(20) }

  init(rate: Int) { frames = max(1, SampleRate.frames(in: Self.length, at: rate)) }

  /// Moves to `gain` from the next frame that is rendered. Values outside 0…1 are clamped.
  mutating func request(_ gain: Float) { requested = min(1, max(0, gain)) }

  /// Begins the requested change at `frame`, the next to be rendered.
  mutating func begin(at frame: Frames) {
    guard requested != last else { return }
    (first, last, start) = (gain(at: frame), requested, frame)
  }

  /// Whether the gain does not change from `frame` on.
  func isSteady(from frame: Frames) -> Bool { frame - start >= frames }

  func gain(at frame: Frames) -> Float { gain(afterStart: framesAfterStart(frame)) }

  /// How many frames `frame` lies after the beginning of the change.
  func framesAfterStart(_ frame: Frames) -> Int { Int(frame - start) }

  func gain(afterStart count: Int) -> Float {
    let whole = Int(frames)
    return count >= whole ? last : first + (last - first) * Float(max(0, count)) / Float(whole)
  }

  /// Applies the volume to `count` frames from `frame` on while it moves. Returns what is left to be applied to all of
  /// them; a steady volume is part of it.
  func apply(to samples: UnsafeMutablePointer<Float>, count: Int, from frame: Frames) -> Float {
    if isSteady(from: frame) { return gain(at: frame) }
    let first = framesAfterStart(frame)
    for index in 0..<count { samples[index] *= gain(afterStart: first + index) }
    return 1
  }
}
