import ArgumentParser
import CueEngine
import Glibc
import SessionStore
import SystemIO

struct ImportHistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import-history", abstract: "Add exported sessions to the history.",
    discussion: """
      Sessions that are already in the history stay as they are. If the file has a mistake, nothing \
      is added.

      Example:
        ssh pi cuecoach export | cuecoach import-history -
      """)

  @Argument(help: "A file written by cuecoach export; - for standard input.") var file: String
  @Flag(help: "Print what was added as a JSON object.") var json = false

  func run() throws {
    let name = file == "-" ? "standard input" : file.singleLine
    let bytes = try Self.bytes(of: file, name)
    let entries: [HistoryEntry]
    do throws(HistoryFileError) {
      entries = try HistoryFile.entries(in: bytes)
    } catch {
      let problem = "\(error.problem), expected \(error.expected)".singleLine
      throw UserError.file("\(name):\(error.line): \(problem)")
    }
    let new = try PastSessions.add(entries)
    let known = entries.count - new
    if json {
      var object = JSONObject()
      object.add("new", new)
      object.add("known", known)
      context.print(object.text)
    } else {
      context.print(
        "\(new) session\(new == 1 ? "" : "s") added, \(known) already there")
    }
  }

  /// May also be a pipe or a device.
  private static func bytes(of file: String, _ name: String) throws(UserError) -> [UInt8] {
    let descriptor = file == "-" ? context.input : open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(name) }
    defer { if file != "-" { close(descriptor) } }
    if let bytes = Descriptor.readAll(descriptor, most: HistoryFile.maximumSize) { return bytes }
    guard errno == EFBIG else { throw unreadable(name) }
    throw .file("\(name): over 64 MB, expected a file of at most 64,000,000 bytes")
  }

  private static func unreadable(_ name: String) -> UserError {
    let reason =
      switch errno {
      case ENOENT, ENOTDIR: "no such file"
      case EACCES, EPERM: "no permission to read it"
      case EISDIR: "a folder"
      default: "cannot be read (\(String(cString: strerror(errno))))"
      }
    return .file("\(name): \(reason), expected a file that cuecoach export wrote")
  }
}
