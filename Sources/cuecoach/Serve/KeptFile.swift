import ControlProtocol
import Glibc
import IntervalTimeline
import Presets
import Synchronization
import SystemIO

/// A value that the service keeps as a small file of JSON in its folder for state. Any thread; blocks on the disk.
///
/// The file is written whole or not at all. One that cannot be understood is set aside, and the value is empty.
final class KeptFile<Value: Codable & Equatable & Sendable>: Sendable {
  /// Nil: there is no folder for it.
  private let path: String?
  private let empty: Value
  /// Protects the file and what is known of it; held during disk access, which nothing in a hurry waits for.
  private let known = Mutex<Value?>(nil)

  /// - Parameter empty: the value until one is kept.
  init(_ name: String, in folder: String?, empty: Value) {
    (path, self.empty) = (folder.map { "\($0)/\(name)" }, empty)
  }

  func value() throws(ControlError) -> Value {
    try known.withLock { known throws(ControlError) in try read(&known) }
  }

  /// On disk when it returns; where that fails the value stays as it was.
  func change(_ body: (inout Value) throws(ControlError) -> Void) throws(ControlError) {
    try known.withLock { known throws(ControlError) in
      let old = try read(&known)
      var value = old
      try body(&value)
      guard value != old else { return }
      try write(value)
      known = value
    }
  }

  private func read(_ known: inout Value?) throws(ControlError) -> Value {
    if let known { return known }
    guard let path, access(path, F_OK) == 0 else { return empty }
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try FileBytes.contents(ofFile: path, expected: "what the coach has kept")
    } catch {
      throw ControlError(.failed, error.sentence)
    }
    let found = try? ControlCoding.value(Value.self, bytes)
    guard found != nil || rename(path, path + ".damaged") == 0 else { throw fault(path) }
    known = found ?? empty
    return found ?? empty
  }

  private func write(_ value: Value) throws(ControlError) {
    guard let path else {
      throw ControlError(.failed, "there is no folder for it; set HOME or XDG_STATE_HOME")
    }
    let line = try ControlCoding.line(value)
    AtomicFile.makeFolders(for: path, mode: 0o700)
    guard let file = AtomicFile(path), file.write(line), file.commit(isDurable: true) else {
      throw fault(path)
    }
  }

  private func fault(_ path: String) -> ControlError {
    ControlError(
      .failed,
      "\(path.singleLine) cannot be written: \(Sentence.ofSystem(errno))"
    )
  }
}
