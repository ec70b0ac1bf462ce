/// The readings of the last half minute, and the two hulls of them that bound a line.
///
/// A line is given relative to the newest reading and to the nominal rate: it is `offset` frames ahead at
/// that reading's end and gains `drift` frames a nanosecond.
struct ReadingWindow: ~Copyable {
  private struct Corner: BitwiseCopyable {
    /// Nanoseconds, never positive.
    let time: Double
    /// Frames ahead of the nominal rate.
    let lead: Double
  }

  private(set) var count = 0
  private var first = 0
  private let readings: UnsafeMutablePointer<FrameClock.Reading>
  /// Corners that the line must not lie below, and those that it must not lie a step above.
  private let floor: UnsafeMutablePointer<Corner>
  private let ceiling: UnsafeMutablePointer<Corner>
  private var floorCount = 0
  private var ceilingCount = 0

  private static let capacity = 1024
  private static let length: Duration = .seconds(30)

  init() {
    readings = .allocate(capacity: Self.capacity)
    floor = .allocate(capacity: Self.capacity)
    ceiling = .allocate(capacity: Self.capacity)
  }

  deinit {
    readings.deallocate()
    floor.deallocate()
    ceiling.deallocate()
  }

  subscript(_ index: Int) -> FrameClock.Reading {
    readings[(first + index) & (Self.capacity - 1)]
  }

  /// - Precondition: there is one.
  var newest: FrameClock.Reading { self[count - 1] }
  /// From the oldest reading to the newest.
  var span: Duration { count > 0 ? newest.latest - self[0].earliest : .zero }

  /// How many readings there are from `instant` on.
  func count(from instant: BootInstant) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].earliest < instant { low = middle + 1 } else { high = middle }
    }
    return count - low
  }

  mutating func removeAll() { count = 0 }

  mutating func removeFirst(_ removed: Int) {
    first = (first + removed) & (Self.capacity - 1)
    count -= removed
  }

  /// Undoes `removeFirst`, if nothing was appended since.
  mutating func putBack(_ removed: Int) {
    first = (first - removed) & (Self.capacity - 1)
    count += removed
  }

  mutating func append(_ reading: FrameClock.Reading) {
    if count == Self.capacity { removeFirst(1) }
    readings[(first + count) & (Self.capacity - 1)] = reading
    count += 1
    while count > 1, self[0].earliest < reading.latest - Self.length { removeFirst(1) }
  }

  /// The device's position was ahead of what was heard: all readings are of earlier frames.
  mutating func moveBack(by frames: Frames) {
    for index in 0..<count {
      // Swift 6.3 with the thread sanitizer cannot compile `-=` on the member of what a pointer leads to.
      let place = (first + index) & (Self.capacity - 1)
      var reading = readings[place]
      reading.frame -= frames
      readings[place] = reading
    }
  }

  /// Brings the hulls up to date.
  mutating func prepare(rate: Double) {
    floorCount = 0
    ceilingCount = 0
    for index in 0..<count {
      let (low, high) = corners(of: self[index], rate: rate)
      // Upper hull of the floor, lower hull of the ceiling.
      while floorCount >= 2, Self.turn(floor[floorCount - 2], floor[floorCount - 1], low) >= 0 {
        floorCount -= 1
      }
      floor[floorCount] = low
      floorCount += 1
      while ceilingCount >= 2,
        Self.turn(ceiling[ceilingCount - 2], ceiling[ceilingCount - 1], high) <= 0
      {
        ceilingCount -= 1
      }
      ceiling[ceilingCount] = high
      ceilingCount += 1
    }
  }

  /// The least offset that a line of this drift may have, and, but for the step, the greatest.
  func bounds(drift: Double) -> (least: Double, greatest: Double) {
    var least = -Double.infinity
    var greatest = Double.infinity
    for index in 0..<floorCount {
      least = max(least, floor[index].lead - drift * floor[index].time)
    }
    for index in 0..<ceilingCount {
      greatest = min(greatest, ceiling[index].lead - drift * ceiling[index].time)
    }
    return (least, greatest)
  }

  /// The least step, in frames, with which a line of this drift fits the readings from `instant` on.
  func width(from instant: BootInstant, drift: Double, rate: Double) -> Double {
    var least = -Double.infinity
    var greatest = Double.infinity
    for index in count - count(from: instant)..<count {
      let (low, high) = corners(of: self[index], rate: rate)
      least = max(least, low.lead - drift * low.time)
      greatest = min(greatest, high.lead - drift * high.time)
    }
    return least - greatest
  }

  private func corners(
    of reading: FrameClock.Reading, rate: Double
  ) -> (floor: Corner, ceiling: Corner) {
    let newest = newest
    let frames = Double(reading.frame.value - newest.frame.value)
    let end = Double(reading.latest.nanoseconds - newest.latest.nanoseconds)
    let begin = Double(reading.earliest.nanoseconds - newest.latest.nanoseconds)
    return (
      Corner(time: end, lead: frames - end * rate), Corner(time: begin, lead: frames - begin * rate)
    )
  }

  /// Positive for a turn to the left.
  private static func turn(_ a: Corner, _ b: Corner, _ c: Corner) -> Double {
    (b.time - a.time) * (c.lead - a.lead) - (b.lead - a.lead) * (c.time - a.time)
  }
}
