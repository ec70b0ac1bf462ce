import IntervalTimeline
import Presets

/// What is to be recorded for a pack, as a table in CSV: path, text, uses.
package struct VoiceScript: Hashable, Sendable {
  package struct Line: Hashable, Sendable {
    /// The recording in the pack, such as "numbers/3.wav".
    package let path: String
    package let text: String
    /// How often it is said.
    package let uses: Int
  }

  package private(set) var lines: [Line]

  /// The numbers 0 to 10 first, without which nothing can be counted; then what is said most often.
  ///
  /// - Parameter uses: how often each text is said.
  package init(_ uses: [String: Int]) {
    var byName: [String: (text: String, uses: Int)] = [:]
    for number in 0...10 { byName[RecordingName.of("\(number)")] = ("\(number)", 0) }
    // Texts that differ in punctuation or capitals are one recording, which the text that is said most often stands for.
    for (text, uses) in uses.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }) {
      let name = RecordingName.of(text)
      byName[name] = (byName[name]?.text ?? text, (byName[name]?.uses ?? 0) + uses)
    }
    func rank(_ text: String) -> Int {
      Int(text).flatMap { (0...10).contains($0) ? $0 : nil } ?? 11
    }
    lines = byName.map { Line(path: "\($0).wav", text: $1.text, uses: $1.uses) }
      .sorted { (rank($0.text), $1.uses, $0.path) < (rank($1.text), $0.uses, $1.path) }
  }

  /// With the line of its columns' names.
  package var csv: String {
    (["path,text,uses"] + lines.map { "\($0.path.tableCell),\($0.text.tableCell),\($0.uses)" })
      .map { "\($0)\n" }.joined()
  }

  /// Reads the paths of a script, in its order: a file of at most 1 MB. Blocks on the disk.
  package static func paths(ofFile path: String) throws(FileError) -> [String] {
    try paths(
      of: FileBytes.contents(ofFile: path, expected: "what cuecoach voices --script writes"),
      file: path)
  }

  /// - Parameter file: names it in errors.
  package static func paths(of bytes: [UInt8], file: String) throws(FileError) -> [String] {
    try FileError.naming(file) { () throws(FileFault) in
      var paths: [String] = []
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() where index > 0 {
        // A program for tables may have written the file again, with semicolons.
        let cell = line.prefix { !",;\r".utf8.contains($0) }
        guard line.contains(where: { !" \r".utf8.contains($0) }) else { continue }
        let path = String(decoding: cell, as: UTF8.self)
        guard RecordingName.isInPack(path) else {
          throw FileFault(
            line: index + 1, "the path \(quoted(path))",
            expected: "a file in \(RecordingName.folders.joined(separator: ", ")), without a comma")
        }
        paths.append(path)
      }
      return paths
    }
  }
}
