import IntervalTimeline

public struct PresetError: Error { public var description: String }
public enum PresetFile {
  public static func read(path: String) throws(PresetError) -> Workout {
    Workout(
      name: "x",
      blocks: [
        Block(
          sets: 3,
          steps: [
            .init(Phase(.low, .fixed(.seconds(5)))), .init(Phase(.high, .fixed(.seconds(7)))),
          ])
      ])
  }
}
