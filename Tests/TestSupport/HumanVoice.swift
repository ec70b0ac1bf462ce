import Foundation

/// A pack of a human voice, from Debian's asterisk-core-sounds-en-g722: numbers, and only what of a coach's words happens to
/// be there.
public enum HumanVoice {
  struct Fault: Error, CustomStringConvertible { let description: String }

  /// Makes it in a folder, whose parent must exist.
  ///
  /// - Parameter words: other recordings as texts, such as "dictate/pause=Pause".
  public static func make(in folder: String, words: [String] = []) throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    // `make test` has decoded it once; that takes longer than most tests.
    let decoded = tests.deletingLastPathComponent().appendingPathComponent(".build/human-voice")
    if FileManager.default.fileExists(atPath: decoded.path) {
      try FileManager.default.copyItem(atPath: decoded.path, toPath: folder)
    }
    let script = tests.appendingPathComponent("voices/asterisk-pack").path
    let command = ["python3", script, folder] + words
    guard try shell(command.map(\.shellWord).joined(separator: " ")).code == 0 else {
      throw Fault(
        description:
          "no human voice; is asterisk-core-sounds-en-g722 installed? make test does that"
      )
    }
  }
}
