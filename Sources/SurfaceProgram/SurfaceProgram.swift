import ArgumentParser
import CGlibc
import Glibc
import IntervalTimeline
import SystemIO

extension ParsableCommand {
  /// Runs a program that talks to the coach's sockets. What goes wrong is a line on standard error; exit codes: 0 done,
  /// 1 failed, 2 a mistake in the command.
  package static func runSurface() {
    // A closed stream's number would be that of the first socket, and lines would go to its peer.
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", O_RDWR)
    }
    let name = configuration.commandName ?? ""
    do {
      var command = try parseAsRoot()
      // What reading arguments took is not needed again: it would be most of a surface's memory.
      Footprint.releaseCode()
      try command.run()
    } catch let error as Complaint {
      Log.write("\(name): \(error.message)")
      Glibc.exit(error.code)
    } catch {
      let code = exitCode(for: error)
      if code == .success {
        print(fullMessage(for: error))
        Glibc.exit(0)
      }
      Log.write("\(name): \(message(for: error)); see \(name) --help")
      Glibc.exit(code == .validationFailure ? 2 : 1)
    }
  }
}

/// Something the person has to know, on one line, and the exit code.
package struct Complaint: Error {
  package let message: String
  package let code: Int32

  package static func usage(_ message: String) -> Complaint {
    Complaint(message: message, code: 2)
  }
  package static func failed(_ message: String) -> Complaint {
    Complaint(message: message, code: 1)
  }
}

/// Lines on standard error.
package enum Log {
  package static func write(_ message: String) {
    let line = message.unicodeScalars.map { $0.isSafeOnOneLine ? Character($0) : " " }
    let bytes = Array("\(String(line))\n".utf8)
    // A log that takes nothing holds up nobody.
    _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

/// What ends the process.
package enum EndSignals {
  /// A descriptor that is readable when the process is to end, from now on; below zero on failure. A peer that goes away
  /// does not end it.
  package static func descriptor() -> Int32 {
    signal(SIGPIPE, SIG_IGN)
    return cuecoach_end_signals()
  }
}

/// The environment's variables that say where things are. One that is empty or no whole path says nothing.
package enum Places {
  package static var environment: [String: String] {
    values { getenv($0).map { String(cString: $0) } }
  }

  /// The file of this user's own configuration, for writing; nil where there is no home.
  package static func ownConfiguration(_ name: String) -> String? {
    let folder = environment["XDG_CONFIG_HOME"] ?? environment["HOME"].map { "\($0)/.config" }
    return folder.map { "\($0)/cuecoach/\(name)" }
  }

  /// A file that this user's programs keep; nil where there is no home.
  package static func ownState(_ name: String) -> String? {
    let folder = environment["XDG_STATE_HOME"] ?? environment["HOME"].map { "\($0)/.local/state" }
    return folder.map { "\($0)/cuecoach/\(name)" }
  }

  /// The machine's.
  package static func systemConfiguration(_ name: String) -> String { "/etc/cuecoach/\(name)" }

  /// The file of the configuration: the user's own, and the machine's where there is none.
  package static func configuration(_ name: String) -> String {
    if let own = ownConfiguration(name), access(own, F_OK) == 0 { return own }
    return systemConfiguration(name)
  }

  package static func values(_ variable: (String) -> String?) -> [String: String] {
    var values: [String: String] = [:]
    for name in ["XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "HOME"] {
      if let value = variable(name), value.hasPrefix("/") { values[name] = value }
    }
    return values
  }
}
