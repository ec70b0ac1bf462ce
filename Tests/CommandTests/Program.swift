import Foundation
import TestSupport

/// The built program, and the surroundings in which it is to run.
struct Program: Sendable {
  /// Where standard output or standard error goes.
  enum Output {
    case file, closed
    /// A pipe whose reader has gone.
    case broken
    /// A pipe that is full and whose reader takes nothing.
    case stuck
  }

  struct CannotStart: Error {
    let call: String
    let code: Int32
  }

  /// The folder in which it runs.
  let folder: String
  /// Everything it finds in its environment: nothing of ours leaks in.
  var environment: [String: String]
  var inputIsClosed = false
  /// What sh(1) does before the program takes its place, such as "ulimit -n 10".
  var setUp = ":"
  /// Whether the modes of files bind it also where the tests are run by root.
  var obeysModes = false
  /// Whether it may not raise its priority also where the tests are run by root.
  var keepsPriority = false
  /// A redirection of sh(1) for the program, such as ">&-".
  var redirection = ""
  /// True if a terminal is only standard input, and output goes to `output` and `errors`.
  var terminalIsInputAlone = false
  var output = Output.file
  var errors = Output.file

  static let path = Bundle.main.bundleURL.appendingPathComponent("cuecoach").path
  static let pathOfPage = Bundle.main.bundleURL.appendingPathComponent("cuecoach-web").path

  /// What is run.
  var executable = Program.path

  static let turnstile = Turnstile(busy: 3, playing: 12)

  private static func kind(of arguments: [String]) -> Turnstile.Kind {
    ["run", "resume", "test-sound", "serve"].contains(arguments.first) ? .playing : .busy
  }

  init(in folder: String) {
    self.folder = folder
    // An empty ALSA configuration: no test plays on the machine's own device by mistake.
    environment = [
      "PATH": "/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8", "TERM": "xterm",
      "ALSA_CONFIG_PATH": "/dev/null",
    ]
    environment["LD_LIBRARY_PATH"] = getenv("LD_LIBRARY_PATH").map { String(cString: $0) }
  }

  /// The same with this in its environment; nil: without.
  func with(_ name: String, _ value: String?) -> Program {
    var program = self
    program.environment[name] = value
    return program
  }

  /// The same in other surroundings.
  func with<Value>(_ part: WritableKeyPath<Program, Value>, _ value: Value) -> Program {
    var program = self
    program[keyPath: part] = value
    return program
  }

  /// Runs it to its end; kills it if it hangs. The command runs in this process where it needs none of its own.
  ///
  /// - Parameter isRefused: the command plays nothing, because something in it is wrong.
  func run(_ arguments: [String], isRefused: Bool = false) async throws -> Outcome {
    guard !needsProcess, isRefused || !Self.needsProcess(arguments) else {
      return try await start(arguments).end()
    }
    await Self.turnstile.enter(folder, .busy)
    defer { Self.turnstile.leave(folder) }
    let outcome = try await apart { try runHere(arguments) }
    if let outcome { return outcome }
    return try await start(arguments).end()
  }

  /// - Parameter terminal: all of its standard streams, or only its input.
  func start(_ arguments: [String], on terminal: PseudoTerminal? = nil) async throws
    -> RunningProgram
  {
    await Self.turnstile.enter(folder, Self.kind(of: arguments))
    do {
      let streams = "\(folder)/.stream-\(UUID().uuidString)"
      let files = (output: streams + ".out", errors: streams + ".err")
      let pipe = try output == .file && errors == .file ? nil : FullPipe()
      let pid = try spawn(arguments, on: terminal, files: files, pipe: pipe)
      let screen = terminalIsInputAlone ? nil : terminal
      return RunningProgram(pid: pid, files: files, terminal: screen) {
        pipe?.closeReader()
        Self.turnstile.leave(folder)
      }
    } catch {
      Self.turnstile.leave(folder)
      throw error
    }
  }

  /// Runs a script in an interactive shell with job control on a terminal; in it `"$0" "$@"` is the
  /// program.
  func startShell(
    _ script: String, _ arguments: [String], on terminal: PseudoTerminal
  ) async throws -> RunningProgram {
    await Self.turnstile.enter(folder, Self.kind(of: arguments))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // A session leader that opens a terminal gets it as its controlling terminal.
    posix_spawn_file_actions_addopen(&actions, 0, terminal.name, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    do {
      let pid = try Self.spawn(
        "/bin/bash", ["bash", "-c", "set -m; cd '\(folder)'; " + script, Self.path] + arguments,
        environment, &actions, leads: true)
      return RunningProgram(pid: pid, files: ("", ""), terminal: terminal) {
        Self.turnstile.leave(folder)
      }
    } catch {
      Self.turnstile.leave(folder)
      throw error
    }
  }

  private func spawn(
    _ arguments: [String], on terminal: PseudoTerminal?, files: (output: String, errors: String),
    pipe: FullPipe?
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }

    // Not as its controlling terminal: the kernel would reset its mode when the leader ends, and
    // tests examine that mode.
    if let terminal {
      posix_spawn_file_actions_addopen(&actions, 0, terminal.name, O_RDWR | O_NOCTTY, 0)
    } else if inputIsClosed {
      posix_spawn_file_actions_addclose(&actions, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    if terminal != nil, !terminalIsInputAlone {
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
    } else {
      for (descriptor, kind, file) in [(Int32(1), output, files.output), (2, errors, files.errors)]
      {
        switch kind {
        case .file:
          let flags = O_WRONLY | O_CREAT | O_APPEND
          posix_spawn_file_actions_addopen(&actions, descriptor, file, flags, 0o600)
        case .closed:
          posix_spawn_file_actions_addclose(&actions, descriptor)
        case .broken, .stuck:
          if kind == .broken { pipe?.closeReader() }
          posix_spawn_file_actions_adddup2(&actions, pipe?.writer ?? -1, descriptor)
        }
      }
    }
    // Swift does not import the call with which posix_spawn changes the folder.
    let rights =
      (obeysModes ? ["-dac_override", "-dac_read_search"] : [])
      + (keepsPriority ? ["-sys_nice"] : [])
    let launcher =
      rights.isEmpty || geteuid() != 0
      ? "" : "setpriv --bounding-set=\(rights.joined(separator: ","))"
    let script =
      "cd \"$1\" && shift && \(setUp) && exec \(launcher) \"$0\" \"$@\" \(redirection)"
    return try Self.spawn(
      "/bin/sh", ["sh", "-c", script, executable, folder] + arguments, environment, &actions)
  }

  private static func spawn(
    _ file: String, _ arguments: [String], _ environment: [String: String],
    _ actions: inout posix_spawn_file_actions_t, leads isLeader: Bool = false
  ) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Pool threads block every signal, and a child inherits that.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // POSIX_SPAWN_SETSID, which Swift does not import.
    let session: Int16 = isLeader ? 0x80 : 0
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF) | session)

    let argumentList = arguments.map { strdup($0) } + [nil]
    let environmentList = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in argumentList + environmentList { free(text) } }
    while true {
      var pid = pid_t()
      let code = posix_spawn(&pid, file, &actions, &attributes, argumentList, environmentList)
      guard code == 0 else { throw CannotStart(call: "posix_spawn \(file)", code: code) }
      if !Emulator.isUsed || Emulator.hasBegun(pid) { return pid }
      kill(pid, SIGKILL)
      waitpid(pid, nil, 0)
    }
  }
}
