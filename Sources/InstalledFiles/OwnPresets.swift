import Glibc
import IntervalTimeline
import SystemIO

/// The presets that people make on a surface: files of one folder, each with its earlier versions.
///
/// The earlier versions of `NAME.yaml` are `.versions/NAME/1.yaml`, `2.yaml`, …, the latest with the highest number; of
/// one that has been deleted the last text is among them. Used by one thread at a time; blocks on the disk.
package struct OwnPresets {
  /// A preset's text as it stands on the disk.
  package struct Stored: Hashable, Sendable {
    package let text: String
    /// Changes with the text: who saves says which text was changed.
    package let tag: String
  }

  /// A text that a preset had before.
  package struct Version: Hashable, Sendable {
    package let number: Int
    /// When it was saved, in nanoseconds since 1970.
    package let saved: Int64
  }

  /// Why nothing was done; the files are as they were.
  package enum Fault: Error, Hashable, Sendable, SaidInSentence {
    /// The name cannot be that of a preset, or belongs to one that others have made.
    case name(Sentence)
    /// There is no such preset, or no such version.
    case missing(Sentence)
    /// There is one of that name.
    case taken(Sentence)
    /// Somebody else has saved or deleted it meanwhile.
    case changed(Sentence)
    /// The text is too long.
    case large(Sentence)
    /// There are too many presets.
    case full(Sentence)
    /// The disk does not take it.
    case disk(Sentence)

    package var sentence: Sentence {
      switch self {
      case .name(let line), .missing(let line), .taken(let line), .changed(let line),
        .large(let line), .full(let line), .disk(let line):
        line
      }
    }
  }

  /// Files in the folder: 1000.
  package static let maxCount = 1000
  /// Bytes of a text: 49 152.
  package static let maxBytes = 48 * 1024
  /// Earlier versions that are kept of each: 10.
  package static let maxVersions = 10
  /// Presets that were deleted, of which the texts are kept: the last 100.
  package static let maxDeleted = 100

  private let folder: String

  package init(folder: String) { self.folder = folder }

  /// - Throws: `Fault.disk` where there is no folder for them.
  package init(_ folders: InstalledFolders) throws(Fault) {
    guard let folder = folders.surfacePresets else {
      throw .disk("there is no folder for presets; set HOME or XDG_STATE_HOME")
    }
    self.init(folder: folder)
  }

  // MARK: Reading

  /// Nil where there is none of that name.
  package func read(_ name: String) throws(Fault) -> Stored? {
    try Self.check(name)
    return try Self.stored(path(of: name))
  }

  /// The earlier versions, the latest first.
  package func versions(of name: String) throws(Fault) -> [Version] {
    try Self.check(name)
    return numbers(of: name).reversed().map {
      let saved = Self.modified(path(of: name, version: $0))
      return Version(number: $0, saved: Int64(saved.tv_sec) * 1_000_000_000 + Int64(saved.tv_nsec))
    }
  }

  package func read(_ name: String, version: Int) throws(Fault) -> Stored {
    try Self.check(name)
    guard let stored = try Self.stored(path(of: name, version: version)) else {
      throw .missing("\(name.quotedName) has no version \(version)")
    }
    return stored
  }

  /// Every name, sorted.
  package var names: [String] {
    Folder.names(in: folder).filter { $0.hasSuffix(Self.suffix) }
      .map { String($0.dropLast(Self.suffix.count)) }.sorted()
  }

  // MARK: Writing

  /// Puts a text in place as a whole; the one that stood there becomes the latest of its versions.
  ///
  /// - Parameters:
  ///   - base: the tag of the text that was changed; nil for a new preset.
  ///   - former: the name that the preset has had until now, and loses; nil: `name`. Its versions go with it, unless an
  ///     earlier preset of the new name has left some.
  ///   - taken: whether others have made a preset of that name.
  package func save(
    _ text: String, as name: String, base: String?, former: String? = nil,
    taken: (String) -> Bool
  ) throws(Fault) -> Stored {
    try Self.check(name)
    guard text.utf8.count <= Self.maxBytes else {
      throw .large("\(text.utf8.count) bytes; a preset has at most \(Self.maxBytes)")
    }
    let stored = Stored(text)
    if let former, former != name {
      return try rename(former, to: name, stored, base: base, taken: taken)
    }
    // The same text again: the answer to the first may have been lost.
    if let old = try read(name), old == stored { return stored }
    let old = try unchanged(name, base)
    if old == nil {
      try checkFree(name, taken)
      guard names.count < Self.maxCount else {
        throw .full("there are \(Self.maxCount) presets already")
      }
    }
    try write(stored, to: path(of: name)) { () throws(Fault) in
      if let old { try keep(old, of: name) }
    }
    return stored
  }

  /// Deletes a preset; its text is the latest of its versions from then on.
  ///
  /// - Parameter base: the tag of the text that is to be deleted.
  package func delete(_ name: String, base: String) throws(Fault) {
    try Self.check(name)
    guard try unchanged(name, base) != nil else { throw missing(name) }
    // On a full disk too.
    let version = newVersion(of: name)
    guard AtomicFile.makeFolders(for: version, mode: 0o700),
      Glibc.rename(path(of: name), version) == 0
    else { throw Self.disk(path(of: name)) }
    forgetOldest(of: name)
    forgetOldestDeleted()
  }

  private func rename(
    _ former: String, to name: String, _ stored: Stored, base: String?,
    taken: (String) -> Bool
  ) throws(Fault) -> Stored {
    // The same again: the answer to the first may have been lost.
    if try read(former) == nil, try read(name) == stored { return stored }
    guard let old = try unchanged(former, base) else { throw missing(former) }
    // By a name in other cases the former one is found.
    let isOther = name.lowercased() != former.lowercased()
    try checkFree(name) { isOther && taken($0) }
    try write(stored, to: path(of: name)) { () throws(Fault) in
      if old != stored { try keep(old, of: former) }
    }
    // Where this is as far as it comes, the preset is there twice.
    _ = Glibc.rename(versionFolder(of: former), versionFolder(of: name))
    guard unlink(path(of: former)) == 0 else { throw Self.disk(path(of: former)) }
    return stored
  }

  // MARK: Files

  private static let suffix = ".yaml"

  private func path(of name: String) -> String { "\(folder)/\(name)\(Self.suffix)" }
  private func versionFolder(of name: String) -> String { "\(folder)/.versions/\(name)" }
  private func path(of name: String, version: Int) -> String {
    "\(versionFolder(of: name))/\(version)\(Self.suffix)"
  }

  /// In order of time.
  private func numbers(of name: String) -> [Int] {
    Folder.names(in: versionFolder(of: name)).compactMap {
      $0.hasSuffix(Self.suffix) ? Int($0.dropLast(Self.suffix.count)) : nil
    }.sorted()
  }

  private static func check(_ name: String) throws(Fault) {
    if let fault = PresetName.fault(of: name) { throw .name(fault) }
  }

  /// Throws where there is a preset of that name.
  private func checkFree(_ name: String, _ taken: (String) -> Bool) throws(Fault) {
    // Who reads it may not be of this machine: no path.
    if try read(name) != nil || taken(name) {
      throw .taken("there is a preset \(name.quotedName) already")
    }
  }

  private func missing(_ name: String) -> Fault {
    .missing("there is no preset \(name.quotedName) of your own")
  }

  /// What stands there, where that is what the caller knows.
  private func unchanged(_ name: String, _ base: String?) throws(Fault) -> Stored? {
    let old = try read(name)
    guard old?.tag == base else {
      throw .changed(
        old == nil
          ? "\(name.quotedName) has been deleted meanwhile"
          : "\(name.quotedName) has been changed meanwhile")
    }
    return old
  }

  /// Makes a text the latest of a preset's versions. The oldest go.
  private func keep(_ old: Stored, of name: String) throws(Fault) {
    let version = newVersion(of: name)
    let saved = Self.modified(path(of: name))
    try write(old, to: version)
    _ = utimensat(AT_FDCWD, version, [saved, saved], 0)
    forgetOldest(of: name)
  }

  private func newVersion(of name: String) -> String {
    path(of: name, version: (numbers(of: name).last ?? 0) + 1)
  }

  private func forgetOldest(of name: String) {
    for number in numbers(of: name).dropLast(Self.maxVersions) {
      unlink(path(of: name, version: number))
    }
  }

  private func forgetOldestDeleted() {
    let deleted = Set(Folder.names(in: "\(folder)/.versions")).subtracting(names)
    guard deleted.count > Self.maxDeleted else { return }
    let ages = deleted.map { (changed: Self.modified(versionFolder(of: $0)).tv_sec, name: $0) }
    for (_, name) in ages.sorted(by: <).dropLast(Self.maxDeleted) {
      for number in numbers(of: name) { unlink(path(of: name, version: number)) }
      rmdir(versionFolder(of: name))
    }
  }

  /// When a file or a folder was changed last; 1970 where there is none.
  private static func modified(_ path: String) -> timespec {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mtim : timespec()
  }

  /// - Parameter first: done once the disk has taken the text, and before the text has its name.
  private func write(
    _ stored: Stored, to path: String, first: () throws(Fault) -> Void = {}
  ) throws(Fault) {
    guard AtomicFile.makeFolders(for: path, mode: 0o700), let file = AtomicFile(path),
      file.write(stored.text.utf8), fsync(file.descriptor) == 0
    else { throw Self.disk(path) }
    try first()
    guard file.commit(isDurable: true) else { throw Self.disk(path) }
  }

  private static func disk(_ path: String) -> Fault {
    .disk(
      "\(path.singleLine) cannot be written: \(Sentence.ofSystem(errno))"
    )
  }

  private static func stored(_ path: String) throws(Fault) -> Stored? {
    guard access(path, F_OK) == 0 else { return nil }
    do throws(InstallationError) {
      return Stored(try PresetLibrary.text(path: path))
    } catch {
      throw .disk(error.sentence)
    }
  }
}

extension OwnPresets.Stored {
  fileprivate init(_ text: String) {
    self.text = text
    tag = String(UInt64(bitPattern: Checksum.of(text.utf8)), radix: 36)
  }
}

/// What a preset's file may be called, without its extension.
package enum PresetName {
  /// Why it cannot be that of a new preset; nil where it can.
  package static func fault(of name: String) -> Sentence? {
    let isPlain =
      NameRule.lane.allows(name) && !name.contains("/") && !name.hasPrefix(".")
      && !name.hasPrefix("-")
    let suffix = PresetLibrary.suffixes.first { name.hasSuffix($0) }
    guard !isPlain || suffix != nil else { return nil }
    return "\(name.quotedName) cannot be a preset's name; expected \(expected(without: suffix))"
  }

  private static func expected(without suffix: String?) -> Sentence {
    suffix.map { "a name of 1 to 40 characters such as rows, without / and without \($0)" }
      ?? "a name of 1 to 40 characters such as rows, without / and without a dot or a hyphen at its start"
  }
}
