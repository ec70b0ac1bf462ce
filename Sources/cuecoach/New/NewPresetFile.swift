import FoundationEssentials
import Glibc
import InstalledFiles
import IntervalTimeline
import SystemIO

/// The file of a preset that is made: in the user's folder, and never one that exists.
struct NewPresetFile {
  /// Where `run` finds it by its name.
  let path: String
  private let folder: String

  /// - Parameter name: the file's name without its extension.
  init(_ name: String, in folders: InstalledFolders) throws(UserError) {
    guard let folder = folders.ownPresets else {
      throw .failed("there is no folder for your presets; set HOME or XDG_CONFIG_HOME")
    }
    self.folder = folder
    path = "\(folder)/\(name).yaml"
  }

  /// Writes it as a whole, or not at all.
  func write(_ text: String) throws(UserError) {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch {
      throw .failed("the folder \(folder.singleLine) cannot be created")
    }
    guard let file = AtomicFile(path, mode: 0o666), file.write(text.utf8),
      file.commit(isReplacing: false)
    else {
      let why = errno == EEXIST ? "it exists" : TextOutput.reason(POSIXError(errno))
      throw .failed("\(path.singleLine) cannot be written: \(why)")
    }
  }
}
