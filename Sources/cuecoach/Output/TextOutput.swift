import FoundationEssentials
import Glibc

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
    let isSpecial = stat(path, &info) == 0 && info.st_mode & S_IFMT != S_IFREG
    // A link stays one.
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    do {
      try Data(text.utf8).write(to: file, options: isSpecial ? [] : .atomic)
    } catch {
      throw .failed("\(path.singleLine) cannot be written: \(Self.reason(error))")
    }
  }

  static func reason(_ error: any Error) -> String {
    guard let error = error as? CocoaError else { return "\(error)" }
    switch error.code {
    case .fileWriteNoPermission: return "no permission"
    case .fileWriteOutOfSpace: return "no space is left"
    case .fileWriteVolumeReadOnly: return "the file system is read-only"
    default:
      let code = (error.underlying as? POSIXError)?.code.rawValue
      return code.map { String(cString: strerror($0)) } ?? "error \(error.code.rawValue)"
    }
  }
}
