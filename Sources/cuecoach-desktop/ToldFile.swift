import Presets
import SurfaceProgram
import SystemIO

/// The interrupted workouts that have had a notification, kept for the next start. Where the file cannot be written, the next
/// start shows them again.
struct ToldFile {
  private let path = Places.ownState("desktop-told")
  /// Bytes: a few hundred workouts.
  private static let most = 256 * 1024

  var text: String {
    guard let path,
      let bytes = try? FileBytes.contents(
        ofFile: path, expected: "what cuecoach-desktop wrote", atMost: Self.most)
    else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  func write(_ text: String) {
    guard let path else { return }
    AtomicFile.makeFolders(for: path, mode: 0o700)
    if let file = AtomicFile(path), file.write(Array(text.utf8)) { _ = file.commit() }
  }
}
