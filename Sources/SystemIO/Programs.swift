import Glibc

/// Programs that can be started.
package enum Programs {
  /// Where a program is: by its path, or as PATH finds it. Nil where there is none that may be run.
  package static func path(of name: String) -> String? {
    guard !name.contains("/") else { return isProgram(name) ? name : nil }
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
    return path.split(separator: ":").lazy.map { "\($0)/\(name)" }.first(where: isProgram)
  }

  private static func isProgram(_ path: String) -> Bool {
    var info = stat()
    return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
