/// A time of day as a clock on the wall shows it.
package struct ClockTime: Hashable {
  /// Since midnight, as the clock shows it.
  package let seconds: Int64

  /// What a message expects.
  package static let expected = "a time such as 18:00 or 18:00:30"

  /// Parses "18:00" and "18:00:30"; nil for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        ? Int64(part) : nil
    }
    guard (2...3).contains(parts.count), numbers.count == parts.count,
      (1...2).contains(parts[0].count), parts.dropFirst().allSatisfy({ $0.count == 2 }),
      numbers[0] < 24, numbers.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    seconds = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count > 2 ? numbers[2] : 0)
  }

  /// When the clock shows it next: at `now` or later, in nanoseconds since 1970. A time that a change
  /// to summer time leaves out comes a day later; one that is shown twice comes as soon as it can.
  package func next(after now: Int64, in zone: WallTime.Zone) -> Int64 {
    let second = now.quotient(by: 1_000_000_000)
    let earliest = second.whole + (second.rest > 0 ? 1 : 0)
    // Every offset that holds until it has been shown, also where it is left out once.
    let offsets = Set((0...72).map { zone(earliest + $0 * 3600) })
    let candidates = offsets.flatMap { offset in
      let midnight = (earliest + offset).quotient(by: 86_400).whole * 86_400
      return (0...2).map { midnight + $0 * 86_400 + seconds - offset }
        .filter { $0 >= earliest && zone($0) == offset }
    }
    // A zone whose clock leaves it out for days is none that there is.
    return (candidates.min() ?? earliest) * 1_000_000_000
  }
}
