import CGlibc
import Glibc

/// A folder of the disk.
package enum Folder {
  /// Where a file is, by its path.
  package static func of(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The names of what is in it, in no order, without those that begin with a full stop; none where it cannot be
  /// read.
  package static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = String(cString: cuecoach_entry_name(entry))
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
