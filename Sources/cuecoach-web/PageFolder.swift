import Glibc
import PageHTTP
import PageServer
import SurfaceProgram
import SystemIO

/// The page's files on disk.
enum PageFolder {
  /// From beside the sources for a program that was built there, from `share/cuecoach/Page` beside `bin`
  /// for an installed one.
  static func read() throws(Complaint) -> [(file: PageFile, body: FileBody)] {
    guard let folder = found else {
      throw .failed("the page's files are not there; install cuecoach again with make install")
    }
    var files: [(PageFile, FileBody)] = []
    for source in PageFile.sources {
      guard let written = contents("\(folder)/\(source.name)") else {
        throw .failed("\(folder)/\(source.name): \(String(cString: strerror(errno)))")
      }
      let bytes = PageFile.sent(written, of: source)
      let file = PageFile(path: source.path, contentType: source.contentType, bytes: bytes)
      files.append((file, FileBody(bytes)))
    }
    return files
  }

  private static var found: String? {
    Programs.homes.map { "\($0.folder)/Page" }.first(where: isPage)
  }

  private static func isPage(_ folder: String) -> Bool { access("\(folder)/index.html", R_OK) == 0 }

  private static func contents(_ path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return Descriptor.readAll(descriptor, most: 1 << 20)
  }
}
