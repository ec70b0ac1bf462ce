import FileFuzzing
import Glibc
import TestSupport

/// Reads damaged files of every format, in this process: fuzz-files [COUNT] [SEED].
///
/// Each must become a workout or one line, within ten seconds of the processor's time, ten minutes in all, and a
/// gigabyte. What does not ends the program with its number: `fuzz-files 1 SEED NUMBER` reads that one alone.
@main
enum FuzzFiles {
  private static let patience = 10
  /// For what waits without using the processor. On a busy machine ten seconds may be few.
  private static let longest: UInt32 = 600
  private static let memory: rlim_t = 1 << 30

  /// What is read now, for the handler of signals.
  nonisolated(unsafe) private static var number: UInt64 = 0
  // Written by the main thread alone, and read by a handler in it.

  static func main() {
    let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
    let count = arguments.first ?? 1_000_000
    let seed = arguments.count > 1 ? arguments[1] : 1
    let first = arguments.count > 2 ? arguments[2] : 0
    limit()
    var read: [String: Int] = [:]
    var refused = 0
    for index in first..<first + count {
      number = index
      // Each file depends on its number alone, so that one can be read again without the others.
      var generator = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ index)
      let bytes = FileMutation.file(of: FileSamples.all, using: &generator)
      measure(seconds: patience)
      alarm(longest)
      do throws(FileTrial.Failure) {
        if let format = try FileTrial.read(bytes) {
          read[format.rawValue, default: 0] += 1
        } else {
          refused += 1
        }
      } catch {
        alarm(0)
        print("number \(index) of seed \(seed): \(error.what)")
        print(String(decoding: bytes.prefix(2000), as: UTF8.self))
        exit(1)
      }
      if (index + 1) % 50_000 == 0 { print("\(index + 1 - first) read") }
    }
    measure(seconds: 0)
    alarm(0)
    let formats = read.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    print("\(count) files: \(refused) refused, workouts: \(formats.joined(separator: ", "))")
  }

  /// SIGPROF comes once the process has used that much of the processor from now on; 0: never.
  private static func measure(seconds: Int) {
    var timer = itimerval()
    timer.it_value.tv_sec = seconds
    setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
  }

  private static func limit() {
    var limit = rlimit(rlim_cur: memory, rlim_max: memory)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    for signal in [SIGALRM, SIGPROF, SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE] {
      Glibc.signal(signal) { signal in
        FuzzFiles.tell(signal)
        _exit(1)
      }
    }
  }

  /// Writes the signal and the file's number, without allocating.
  private static func tell(_ signal: Int32) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { buffer in
      // Initialised byte by byte, and read only up to there.
      var count = 0
      func add(_ text: StaticString) {
        text.withUTF8Buffer {
          for byte in $0 {
            buffer[count] = byte
            count += 1
          }
        }
      }
      func add(_ value: UInt64) {
        var divisor: UInt64 = 1
        while value / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
          buffer[count] = UInt8(48 + value / divisor % 10)
          count += 1
          divisor /= 10
        }
      }
      add("signal ")
      add(UInt64(signal))
      add(" while reading number ")
      add(number)
      add("\n")
      _ = write(STDERR_FILENO, buffer.baseAddress, count)
    }
  }
}
