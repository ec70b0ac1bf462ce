import CGlibc
import Glibc
import IntervalTimeline
import Presets
import SystemIO

/// A device of evdev that is there, with its name: known without opening it.
struct InputNode {
  let path: String
  let name: String

  static let folder = "/dev/input"

  /// In the order of their numbers.
  static func all() -> [InputNode] {
    let numbers = Folder.names(in: folder).compactMap { name in
      name.hasPrefix("event") ? Int(name.dropFirst("event".count)) : nil
    }
    return numbers.sorted().compactMap { number in
      let file = "/sys/class/input/event\(number)/device/name"
      guard let bytes = contents(file) else { return nil }
      return InputNode(path: "\(folder)/event\(number)", name: shown(bytes))
    }
  }

  /// A file of the kernel's, whose length is not known before.
  private static func contents(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return Descriptor.readAll(descriptor, most: 4096)
  }

  /// A name as it stands in a map: in one line, without blanks around it.
  static func shown(_ bytes: some Sequence<UInt8>) -> String {
    let text = String(decoding: bytes.prefix { $0 != 0 && $0 != 10 }, as: UTF8.self)
    return String(NameRule.sensor.fitted(text).trimmed)
  }
}

/// A device that is open. Used by one thread.
final class InputDevice {
  struct Fault: Error {
    let code: Int32
    let reason: String

    /// Whoever has made the device may still be about to allow it.
    var isDenied: Bool { code == EACCES || code == EPERM }

    init(_ code: Int32, _ reason: String? = nil) {
      self.code = code
      self.reason = reason ?? String(cString: strerror(code))
    }
  }

  enum Reading {
    /// All that it has sent so far.
    case all
    /// There may be more.
    case part
    /// It has been unplugged.
    case gone
  }

  /// Which file it is.
  struct Identity: Hashable {
    let device: UInt
    let inode: UInt

    /// Nil where there is none.
    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      self.init(status)
    }

    fileprivate init(_ status: stat) {
      (device, inode) = (UInt(status.st_dev), UInt(status.st_ino))
    }
  }

  let path: String
  let descriptor: Int32
  let identity: Identity
  /// What it calls itself; nil for a pipe, which stands in for a device.
  let name: String?

  /// 64 events.
  private var buffer = [UInt8](repeating: 0, count: 64 * 24)

  init(_ path: String) throws(Fault) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Fault(errno) }
    let kind = status.st_mode & S_IFMT
    // Opening another file may have effects.
    guard kind == S_IFIFO || kind == S_IFCHR else { throw Fault(ENODEV, "it is no device") }
    // A pipe that is open for writing too has no end when its writer leaves.
    let flags = kind == S_IFIFO ? O_RDWR : O_RDONLY
    let descriptor = open(path, flags | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw Fault(errno) }
    var name: String?
    if kind == S_IFCHR {
      var bytes = [CChar](repeating: 0, count: 256)
      guard cuecoach_input_name(descriptor, &bytes, Int32(bytes.count)) >= 0 else {
        close(descriptor)
        throw Fault(ENODEV, "it is no input device")
      }
      name = InputNode.shown(bytes.map { UInt8(bitPattern: $0) })
      // Where the kernel does not know that clock, an event is from when it is read.
      _ = cuecoach_input_boot_clock(descriptor)
    }
    fstat(descriptor, &status)
    (self.path, self.descriptor, self.name) = (path, descriptor, name)
    identity = Identity(status)
  }

  deinit { close(descriptor) }

  /// Keeps what it sends from everybody else. False where another program does.
  func grab() -> Bool { name == nil || cuecoach_input_grab(descriptor, 1) == 0 }

  /// False where another program keeps what it sends from everybody else.
  var isShared: Bool {
    guard grab() else { return false }
    if name != nil { _ = cuecoach_input_grab(descriptor, 0) }
    return true
  }

  /// Hands over what it has sent: at most 64 events.
  func read(_ take: (ArraySlice<UInt8>) -> Void) -> Reading {
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count > 0 {
        take(buffer[..<count])
        return count < buffer.count ? .all : .part
      }
      switch count < 0 ? errno : ENODEV {
      case EINTR: continue
      case EAGAIN: return .all
      default: return .gone
      }
    }
  }
}
