import CueSound
import Foundation
import InstalledFiles

/// Folders of a test's own, in which things are installed.
struct InstalledSpace {
  let root: String

  init() throws {
    root =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("cuecoach-installed-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(atPath: root) }

  /// `near`, `data`, `config` and `state` in the root.
  var folders: InstalledFolders {
    InstalledFolders(
      nearPresets: path("near"), data: path("data"), configuration: path("config"),
      state: path("state"))
  }

  /// The same with what comes with the program instead of `data`.
  var shippedFolders: InstalledFolders {
    var folders = folders
    folders.data = Self.shipped
    return folders
  }

  /// The folder that holds the program's own `Sounds` and `Presets`.
  static let shipped = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  func path(_ name: String) -> String { "\(root)/\(name)" }

  /// Writes a file, and the folders it needs. Returns its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try write(Data(text.utf8), to: name)
  }

  @discardableResult
  func write(_ data: Data, to name: String) throws -> String {
    let url = URL(fileURLWithPath: path(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
    return url.path
  }

  /// A preset of one second.
  static func preset(_ name: String, _ style: String = "") -> String {
    "name: \(name)\n\(style)blocks: [{phases: [{work: 1s}]}]\n"
  }
}

/// Voices that the test knows.
struct ScriptedVoices: VoiceList {
  var names: [String] = ["de", "en", "en-gb", "en-us", "fr"]
  var variantNames: [String] = ["f1", "f2", "f3", "f5", "m1"]
  /// False: no engine starts.
  var isAvailable = true

  func check(_ voice: SpeechVoice) throws(SpeechError) {
    guard isAvailable else { throw SpeechError(kind: .unavailable, detail: "no engine") }
    let name = voice.name ?? "en"
    guard names.contains(name) else {
      throw SpeechError(kind: .unknownVoice, detail: "there is no voice \"\(name)\"")
    }
    if let variant = voice.variant, !variantNames.contains(variant) {
      throw SpeechError(kind: .unknownVariant, detail: "there is no variant \"\(variant)\"")
    }
  }

  func languages() throws(SpeechError) -> [String] { names }
  func variants() throws(SpeechError) -> [String] { variantNames }
}
