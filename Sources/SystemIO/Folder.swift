import CGlibc
import Glibc

/// A folder of the disk.
package enum Folder {
  /// Where a file is, by its path.
  package static func of(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Whether there is a folder of this path.
  package static func isThere(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
  }

  /// The names of what is in it, in no order, without those that begin with a full stop; none where it cannot be
  /// read.
  package static func names(in path: String) -> [String] {
    names(in: path) { $0.pointee != CChar(UInt8(ascii: ".")) }
  }

  /// The names that begin with `prefix`.
  static func names(in path: String, from prefix: String) -> [String] {
    names(in: path) { strncmp($0, prefix, prefix.utf8.count) == 0 }
  }

  /// Only the wanted names become strings: a folder may have thousands.
  private static func names(
    in path: String, where isWanted: (UnsafePointer<CChar>) -> Bool
  ) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder), let name = cuecoach_entry_name(entry) {
      if isWanted(name) { names.append(String(cString: name)) }
    }
    return names
  }
}
