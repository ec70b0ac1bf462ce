import CueSound
import InstalledFiles
import TestSupport

/// A folder of a test's own, in which things are installed.
typealias InstalledSpace = TestFolder

extension InstalledSpace {
  /// `near`, `data`, `config` and `state` in it.
  var folders: InstalledFolders {
    InstalledFolders(
      nearPresets: path("near"), data: path("data"), configuration: path("config"),
      state: path("state"))
  }

  /// The same with what comes with the program instead of `data`.
  var shippedFolders: InstalledFolders {
    var folders = folders
    folders.data = SourceTree.root.path
    return folders
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
