import Foundation
import IntervalTimeline
import SessionStore

@testable import cuecoach

/// Commands that run in the process of the tests.
extension Program {
  /// Variables that a command reads of its context.
  private static let contextVariables: Set = [
    "HOME", "LANG", "LC_ALL", "LC_CTYPE", "COLUMNS", "TERM", "NO_COLOR", "XDG_CONFIG_HOME",
    "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR", "STATE_DIRECTORY", "CACHE_DIRECTORY",
    "RUNTIME_DIRECTORY",
  ]

  /// Whether a command plays, follows, asks what is plugged in, or uses the standard streams as "-".
  static func needsProcess(_ arguments: [String]) -> Bool {
    ["run", "resume", "serve", "test-sound", "devices"].contains(arguments.first)
      || ["--try", "--watch", "-"].contains(where: arguments.contains)
  }

  /// Whether what the test changes around the command is a matter of the process: limits, rights, streams, what
  /// libraries read of the environment.
  var needsProcess: Bool {
    let usual = Program(in: folder)
    let isChanged =
      executable != usual.executable || setUp != usual.setUp || redirection != usual.redirection
      || inputIsClosed || obeysModes || keepsPriority || output != .file || errors != .file
    var changed = Set(environment.keys.filter { environment[$0] != usual.environment[$0] })
    changed.formUnion(usual.environment.keys.filter { environment[$0] == nil })
    changed.subtract(Self.contextVariables)
    if Self.isUTC(environment["TZ"]) { changed.remove("TZ") }
    return isChanged || !changed.isEmpty
  }

  private static func isUTC(_ zone: String?) -> Bool { zone == "UTC" || zone == "UTC0" }

  /// Runs a command on this thread, which has the program's folder for itself from now on. Nil where the thread cannot
  /// have a folder of its own: some containers forbid that.
  func runHere(_ arguments: [String]) throws -> Outcome? {
    guard Self.unshare?(0x200) == 0 else { return nil }
    guard chdir(folder) == 0 else {
      throw CannotStart(call: "chdir \(folder)", code: errno)
    }
    // Threads that the command has started share the folder.
    defer { _ = chdir(Self.usualFolder) }
    let streams = [open("/dev/null", O_RDONLY | O_CLOEXEC), try Self.file(), try Self.file()]
    defer { for stream in streams { close(stream) } }
    let isUTC = Self.isUTC(environment["TZ"])
    let context = CommandContext(
      input: streams[0], output: streams[1], errors: streams[2], environment: environment,
      zone: { isUTC ? 0 : WallTime.localZone($0) })
    let code = Cuecoach.run(arguments, in: context)
    return Outcome(
      status: .exited(code), output: Self.text(of: streams[1]), errors: Self.text(of: streams[2]))
  }

  /// With CLONE_FS (0x200): the calling thread gets a working folder of its own. Declared for GNU sources alone.
  private static let unshare = dlsym(nil, "unshare").map {
    unsafeBitCast($0, to: (@convention(c) (Int32) -> Int32).self)
  }

  /// That of the process.
  private static let usualFolder =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/cwd")) ?? "/"

  /// A file without a name.
  private static func file() throws -> Int32 {
    guard let file = tmpfile() else { throw CannotStart(call: "tmpfile", code: errno) }
    defer { fclose(file) }
    return fcntl(fileno(file), F_DUPFD_CLOEXEC, 0)
  }

  private static func text(of file: Int32) -> String {
    lseek(file, 0, SEEK_SET)
    let handle = FileHandle(fileDescriptor: file)
    return String(decoding: (try? handle.readToEnd()) ?? Data(), as: UTF8.self)
  }
}
