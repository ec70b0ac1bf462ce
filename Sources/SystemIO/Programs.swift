import Glibc

/// Programs that can be started.
package enum Programs {
  /// Where a program is: by its path, or as PATH finds it. Nil where there is none that may be run.
  package static func path(of name: String) -> String? {
    guard !name.contains("/") else { return isProgram(name) ? name : nil }
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":").lazy.map { "\($0)/\(name)" }.first(where: isProgram)
  }

  /// The path of this program; nil where that is not known.
  package static var own: String? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count)
    return count > 0
      ? String(decoding: path[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }

  /// Where the files of this program may be, in the order in which to look: `share/cuecoach` beside `bin` for an
  /// installed one; then, for one that was built beside its sources, the folders around it.
  package static var homes: [(folder: String, isInstalled: Bool)] {
    guard let own else { return [] }
    var folder = Folder.of(own)
    var homes = [(folder: "\(Folder.of(folder))/share/cuecoach", isInstalled: true)]
    for _ in 0..<5 {
      homes.append((folder, false))
      folder = Folder.of(folder)
    }
    return homes
  }

  private static func isProgram(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
