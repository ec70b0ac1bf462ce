/// The master volume: a linear gain that moves to each new value within 20 ms, so that no click is
/// heard.
///
/// The gain depends on the frame alone, so frames that are rendered again sound the same.
struct VolumeRamp: BitwiseCopyable {
  private let frames: Int64
  private var first: Float = 1
  private var last: Float = 1
  /// The frame at which the gain begins to move from `first` to `last`.
  private var start = Int64.min / 2
  private var requested: Float = 1

  /// Nanoseconds.
  private static var length: Int64 { 20_000_000 }

  init(rate: Int) { frames = max(1, Self.length * Int64(rate) / 1_000_000_000) }

  /// Moves to `gain` from the next frame that is rendered. Values outside 0…1 are clamped.
  mutating func request(_ gain: Float) { requested = min(1, max(0, gain)) }

  /// Begins the requested change at `frame`, the next to be rendered.
  mutating func begin(at frame: Int64) {
    guard requested != last else { return }
    (first, last, start) = (gain(at: frame), requested, frame)
  }

  /// Whether the gain does not change from `frame` on.
  func isSteady(from frame: Int64) -> Bool { frame - start >= frames }

  func gain(at frame: Int64) -> Float {
    if isSteady(from: frame) { return last }
    return first + (last - first) * Float(max(0, frame - start)) / Float(frames)
  }
}
