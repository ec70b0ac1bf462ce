import Foundation

/// When each frame of the emulated card's capture was heard, according to the card's log.
struct CardTruth {
  private var runs: [(frame: Int, nanoseconds: Int64, rate: Double)] = []
  private let capture: Data

  /// - Parameter folder: the card's.
  init(folder: String) throws {
    capture = try Data(contentsOf: URL(fileURLWithPath: folder + "/capture"))
    let log = try String(contentsOfFile: folder + "/log", encoding: .utf8)
    var rate = 48_000.0
    for line in log.split(separator: "\n") {
      let words = line.split(separator: " ")
      if words[0] == "rate" { rate = Double(words[1]) ?? rate }
      guard ["start", "resume"].contains(words[0]), let at = Int64(words[1]),
        let frame = Int(words[2])
      else { continue }
      runs.append((frame, at + Self.asleep, rate))
    }
  }

  /// CLOCK_BOOTTIME, used by the ledger, minus CLOCK_MONOTONIC, used by the log.
  private static var asleep: Int64 {
    func now(_ clock: clockid_t) -> Int64 {
      var time = timespec()
      clock_gettime(clock, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
    // The thread may be interrupted between the two readings, so the closest pair counts.
    return (0..<20).map { _ in now(CLOCK_BOOTTIME) - now(CLOCK_MONOTONIC) }
      .max { abs($0) > abs($1) } ?? 0
  }

  /// Nanoseconds of CLOCK_BOOTTIME; nil before the first start.
  func instant(ofFrame frame: Int) -> Int64? {
    runs.last { $0.frame <= frame }.map { run in
      run.nanoseconds + Int64((Double(frame - run.frame) * 1e9 / run.rate).rounded())
    }
  }

  /// Where sounds begin: after 0.2 s of silence.
  var beginnings: [Int] {
    var beginnings: [Int] = []
    var last = -1_000_000
    let samples = capture.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    for frame in 0..<samples.count / 2 where samples[2 * frame] != 0 {
      if frame - last > 9_600 { beginnings.append(frame) }
      last = frame
    }
    return beginnings
  }
}
