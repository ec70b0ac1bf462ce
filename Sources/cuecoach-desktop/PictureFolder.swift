import DesktopStatus
import Glibc
import SystemIO

/// The picture of the phase as a file, for programs that take only an address. There are two at most: the present one,
/// and the last, which somebody may still be reading.
final class PictureFolder {
  private let folder: String
  private var picture: PhasePicture?
  private var number = 0
  private static let kept = 2

  /// Nil where there is no folder for what lives as long as the session.
  init?(_ environment: [String: String]) {
    let service = getenv("RUNTIME_DIRECTORY").map { String(cString: $0) }?.split(separator: ":")
      .first
    let own = environment["XDG_RUNTIME_DIR"].map { "\($0)/cuecoach-desktop" }
    guard let folder = service.map(String.init) ?? own, folder.hasPrefix("/") else { return nil }
    self.folder = folder
    // What a program left behind that was killed.
    clear()
  }

  deinit { clear() }

  private func clear() {
    for name in Folder.names(in: folder) where name.hasPrefix("phase-") {
      unlink("\(folder)/\(name)")
    }
  }

  /// The address of the picture; nil where there is none, or it cannot be written.
  func address(of picture: PhasePicture?) -> String? {
    if picture != self.picture {
      self.picture = picture
      number += 1
      unlink(path(number - Self.kept))
      if let picture, !write(picture) { self.picture = nil }
    }
    return self.picture == nil ? nil : "file://" + Self.escaped(path(number))
  }

  private func path(_ number: Int) -> String { "\(folder)/phase-\(number).svg" }

  private func write(_ picture: PhasePicture) -> Bool {
    AtomicFile.makeFolders(for: "\(folder)/x", mode: 0o700)
    guard let file = AtomicFile(path(number)) else { return false }
    return file.write(Array(picture.text.utf8)) && file.commit()
  }

  /// As in an address.
  private static func escaped(_ path: String) -> String {
    path.utf8.reduce(into: "") { text, byte in
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
        || "/-._~".unicodeScalars.contains(scalar)
      if isPlain {
        text.unicodeScalars.append(scalar)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        text += "%" + (digits.count < 2 ? "0" : "") + digits
      }
    }
  }
}
