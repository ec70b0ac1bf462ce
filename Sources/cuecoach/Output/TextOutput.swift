import FoundationEssentials
import Glibc
import SystemIO

/// A file that a command writes at once.
struct TextOutput {
  private let path: String

  init(_ path: String) { self.path = path }

  /// True for a regular file with something in it.
  var isFilled: Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG && info.st_size > 0
  }

  /// Writes the file as a whole: where that fails, an existing one stays as it was. A device or a pipe is
  /// written to.
  func write(_ text: String) throws(UserError) {
    var info = stat()
    let isThere = stat(path, &info) == 0
    // A link stays one.
    let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    do {
      if isThere, info.st_mode & S_IFMT != S_IFREG {
        return try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      }
      if isThere, access(target, W_OK) != 0 { throw POSIXError(errno) }
      let file = AtomicFile(target, mode: isThere ? info.st_mode & 0o777 : 0o666)
      if isThere, let file { fchmod(file.descriptor, info.st_mode & 0o777) }
      guard let file, file.write(text.utf8), file.commit() else {
        throw POSIXError(errno)
      }
    } catch {
      throw .failed("\(path.singleLine) cannot be written: \(Self.reason(error))")
    }
  }

  static func reason(_ error: any Error) -> String {
    switch (error as? CocoaError)?.code {
    case .fileWriteNoPermission: return "no permission"
    case .fileWriteOutOfSpace: return "no space is left"
    case .fileWriteVolumeReadOnly: return "the file system is read-only"
    default: break
    }
    switch (error as? POSIXError ?? (error as? CocoaError)?.underlying as? POSIXError)?.code {
    case .EACCES, .EPERM: return "no permission"
    case .ENOSPC: return "no space is left"
    case .EROFS: return "the file system is read-only"
    case let code?: return String(cString: strerror(code.rawValue))
    case nil: return "\(error)"
    }
  }
}

extension POSIXError {
  /// Of `errno`.
  init(_ number: Int32) { self.init(POSIXErrorCode(rawValue: number) ?? .EIO) }
}
