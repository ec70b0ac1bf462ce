import CGlibc
import Glibc
import IntervalTimeline
import SystemIO

/// Reads the clocks of this machine.
package enum MachineClocks {
  /// The kernel's boot ID; empty if unknown, so that no boot is mistaken for another.
  package static let bootID: String = {
    let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes[..<max(0, count)].prefix { $0 > 0x20 }, as: UTF8.self)
  }()

  /// True once a time server has set the wall clock; false where the kernel does not say.
  package static var isSynchronised: Bool {
    var time = timex()
    let state = adjtimex(&time)
    // A sandbox may refuse the question: then nobody knows.
    return state >= 0 && state != TIME_ERROR && time.status & Int32(STA_UNSYNC) == 0
  }

  /// Nanoseconds since 1970, UTC.
  package static var wall: Int64 { MachineTime.wall }

  /// All clocks, read one after the other. Any thread; does not block.
  package static func now() -> ClockReading {
    ClockReading(
      boot: BootInstant.now, wall: wall, bootID: bootID,
      isSynchronised: isSynchronised)
  }

  /// The readings at `instant`, past or future.
  package static func reading(at instant: BootInstant) -> ClockReading {
    var reading = now()
    reading.wall += reading.boot.duration(to: instant).wholeNanoseconds
    reading.boot = instant
    return reading
  }
}

extension WallTime {
  /// The zone in `TZ`, or the machine's.
  package static func localZone(_ seconds: Int64) -> Int64 {
    var time = time_t(seconds)
    var date = tm()
    // Nil for a year that cannot be represented; UTC is used then.
    return localtime_r(&time, &date) == nil ? 0 : Int64(date.tm_gmtoff)
  }
}
