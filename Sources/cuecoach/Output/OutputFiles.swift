import CoachHost
import ForeignWorkouts
import FoundationEssentials
import Glibc
import InstalledFiles
import SessionStore
import Synchronization

/// Claims the files that a command writes: each must be different, and none may be one that it
/// reads.
///
/// A file is claimed before it is replaced. The claim is a lock (flock(2)) that ends with this
/// object or the process: two programs never write the same file.
final class OutputFiles {
  private struct Identity: Hashable {
    let device: dev_t
    let inode: ino_t

    init(_ info: stat) { (device, inode) = (info.st_dev, info.st_ino) }
  }

  /// Standard output, for an option that takes a file.
  static let standardOutput = "-"

  private let inputs: [String]
  private let sounds: [String?]
  /// The role of each file that the command reads, for messages; filled when the first file is
  /// claimed.
  private lazy var known = filesRead()
  private var locks: [Int32] = []
  /// Files that did not exist before; a command that is refused removes them.
  private let made = MadeFiles()

  /// - Parameters:
  ///   - inputs: the presets that the command reads.
  ///   - sounds: its sound packs as requested: names, or folders.
  init(inputs: [String], sounds: [String?] = []) {
    self.inputs = inputs
    self.sounds = sounds
  }

  deinit {
    for lock in locks { close(lock) }
  }

  /// Removes the files that were claimed and have got nothing.
  func removeEmpty() { made.removeEmpty() }

  /// Until it is released, a signal that ends the program removes those files first.
  func signals() -> Signals {
    Signals([SIGINT, SIGTERM, SIGHUP], endsWithReader: true) { [made] number in
      made.removeEmpty()
      signal(number, SIG_DFL)
      kill(getpid(), number)
    }
  }

  private func filesRead() -> [Identity: String] {
    var known: [Identity: String] = [:]
    func note(_ path: String, as what: String) {
      var info = stat()
      if stat(path, &info) == 0 { known[Identity(info)] = what }
    }
    func noteFiles(in folder: String, as what: String) {
      for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
        note("\(folder)/\(name)", as: what)
      }
    }
    for case let folder? in sounds { noteFiles(in: folder, as: "is a sound file of this command") }
    for pack in SoundLibrary(in: context.folders).all() {
      noteFiles(in: pack.path, as: "is a sound file of cuecoach")
    }
    if let folder = context.folders.cache { noteFiles(in: folder, as: "holds rendered words") }
    if let folder = context.folders.state {
      for name in SessionStore.fileNames { note("\(folder)/\(name)", as: "holds your sessions") }
    }
    if let folder = context.folders.configuration {
      noteFiles(in: "\(folder)/phrases", as: "holds phrases")
      note("\(folder)/config.yaml", as: "is read by this command")
    }
    for path in inputs { note(path, as: "is read by this command") }
    return known
  }

  /// Claims a file for this command. Its contents stay; a missing file is created. Devices and
  /// pipes are not locked.
  ///
  /// - Parameters:
  ///   - option: the option that names the file, such as `--record`.
  ///   - kind: what will be written: a file of another kind stays, unless `force` is true. Nil: the caller has seen to
  ///     that.
  ///   - takesOutput: true if `-` means standard output; else `-` is an error.
  ///   - replacesPresets: true if the user wants a preset to be replaced.
  func claim(
    _ path: String, for option: String, as kind: WrittenKind? = nil, force: Bool = false,
    takesOutput: Bool = false, replacesPresets: Bool = false
  ) throws(UserError) {
    if path == OutputFiles.standardOutput {
      if takesOutput { return }
      throw .usage("\(option) -: a sound file cannot go to standard output; expected a file")
    }
    do throws(UserError) {
      try take(path, for: option, as: force ? nil : kind, replacesPresets: replacesPresets)
    } catch {
      made.removeAll()
      throw error
    }
  }

  /// Removes a regular file, unless this command reads or writes it or another program is writing it. Returns true if it
  /// did.
  func removeUnused(_ path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var info = stat()
    guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG,
      known[Identity(info)] == nil, flock(descriptor, LOCK_EX | LOCK_NB) == 0
    else { return false }
    return unlink(path) == 0
  }

  /// By its name, that of the file behind its links, or its contents.
  private static func isPreset(_ path: String) -> Bool {
    var names = [path.lowercased()]
    if let place = realpath(path, nil) {
      names.append(String(cString: place).lowercased())
      free(place)
    }
    return names.contains { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
      || (try? WorkoutFile.read(path: path)) != nil
  }

  static func checkIsNoFolder(_ path: String, for option: String) throws(UserError) {
    guard InstalledFolders.isFolder(path) else { return }
    throw .failed("\(option) \(path.singleLine): that is a folder; expected the name of a file")
  }

  private static func unwritable(
    _ path: String, for option: String, _ code: Int32
  ) -> UserError {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let reason =
      code == ENOENT && !folder.isEmpty && access(folder, F_OK) != 0
      ? "there is no folder \(folder.singleLine); expected one that exists"
      : "it cannot be written (\(String(cString: strerror(code)))); expected another place"
    return .failed("\(option) \(path.singleLine): \(reason)")
  }

  private func take(
    _ path: String, for option: String, as kind: WrittenKind?, replacesPresets: Bool
  ) throws(UserError) {
    let name = path.singleLine
    guard !path.isEmpty else { throw .usage("\(option): expected the name of a file") }
    var info = stat()
    let isThere = stat(path, &info) == 0
    try Self.checkIsNoFolder(path, for: option)
    if isThere, info.st_mode & S_IFMT != S_IFREG {
      if access(path, W_OK) != 0 { throw Self.unwritable(path, for: option, errno) }
      return
    }
    if isThere, let what = known[Identity(info)] {
      throw .usage("\(option) \(name): that file \(what); expected a file of its own")
    }
    if isThere, info.st_size > 0, !replacesPresets, Self.isPreset(path) {
      throw .usage("\(option) \(name): presets are not replaced; expected another file")
    }
    if isThere, info.st_size > 0, let kind, !kind.isKind(of: path) {
      throw .usage(
        "\(option) \(name): that file is no \(kind.name); expected another name, or --force")
    }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o644)
    guard descriptor >= 0, fstat(descriptor, &info) == 0 else {
      throw Self.unwritable(path, for: option, errno)
    }
    locks.append(descriptor)
    if !isThere { made.add(path) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      throw .failed(
        "\(option) \(name): another program is writing that file; expected a file of its own")
    }
    known[Identity(info)] = "is given for \(option) too"
  }
}

/// The paths of files that a command has made. Any thread.
private final class MadeFiles: Sendable {
  private let paths = Mutex<[String]>([])

  func add(_ path: String) { paths.withLock { $0.append(path) } }

  func removeAll() {
    paths.withLock { for path in $0 { unlink(path) } }
  }

  func removeEmpty() {
    paths.withLock {
      for path in $0 {
        var info = stat()
        if stat(path, &info) == 0, info.st_size == 0 { unlink(path) }
      }
    }
  }
}

extension OutputFiles {
  /// Writes a text as a whole to a file that must be new, unless `force` replaces it.
  ///
  /// - Parameters:
  ///   - option: the option that names the file.
  ///   - inputs: the files that the command reads, which are never replaced.
  ///   - isWorkout: with `force` the text may replace a preset.
  static func write(
    _ text: String, to path: String, for option: String, inputs: [String], force: Bool,
    isWorkout: Bool = false
  ) throws(UserError) {
    let files = OutputFiles(inputs: inputs)
    defer { withExtendedLifetime(files) {} }
    let target = TextOutput(path)
    guard force || !target.isFilled else {
      throw .usage(
        "\(option) \(path.singleLine): that file exists; expected another name, or --force")
    }
    try files.claim(path, for: option, replacesPresets: force && isWorkout)
    do throws(UserError) {
      try target.write(text)
    } catch {
      files.made.removeEmpty()
      throw error
    }
  }
}

extension LedgerFile {
  /// The ledger for `--ledger`. `-` is standard output; lines for the user then go to standard
  /// error.
  static func forOption(
    _ path: String, appends: Bool = false, waits: Bool = false,
    failed: @escaping @Sendable (String) -> Void
  ) throws(UserError) -> LedgerFile {
    guard path == OutputFiles.standardOutput else {
      return try UserError.wrapping {
        try LedgerFile(path, appends: appends, waits: waits, failed: failed)
      }
    }
    try context.giveUpOutput(for: "--ledger -")
    return try UserError.wrapping {
      try LedgerFile(
        descriptor: context.output, name: "on standard output", waits: waits, failed: failed)
    }
  }
}
