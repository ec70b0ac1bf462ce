import Presets
import RecordedSpeech
import Testing

/// What to record, as a table.
struct VoiceScriptTests {
  @Test func theNumbersOfCountsComeFirstThenWhatIsSaidMostOften() {
    let script = VoiceScript(["Rest": 4, "rest.": 2, "20": 50, "Go, \"now\"": 7, "3": 1])
    let lines = script.csv.split(separator: "\n").map(String.init)
    #expect(lines[0] == "path,text,uses")
    #expect(lines[1...11].map { $0.split(separator: ",")[1] } == (0...10).map { "\($0)" })
    #expect(lines[4] == "numbers/3.wav,3,1")
    #expect(
      Array(lines[12...]) == [
        "numbers/20.wav,20,50", "phrases/go-now.wav,\"Go, \"\"now\"\"\",7",
        "phrases/rest.wav,Rest,6",
      ])
  }

  @Test func itsPathsAreReadAlsoAsAnotherProgramWritesThem() throws {
    let script = VoiceScript(["Rest, now": 1])
    let paths = try VoiceScript.paths(of: Array(script.csv.utf8), file: "script.csv")
    #expect(paths == script.lines.map(\.path))
    let other = "path;text;uses\r\nnumbers/1.wav;1;2\r\n\r\nphrases/rest.wav;Rest;1\r\n"
    #expect(
      try VoiceScript.paths(of: Array(other.utf8), file: "script.csv")
        == ["numbers/1.wav", "phrases/rest.wav"])
  }

  @Test(arguments: ["../x.wav", "/etc/passwd", "phrases/../../x.wav"])
  func aPathThatLeadsElsewhereIsAMistake(path: String) {
    let error = #expect(throws: FileError.self) {
      try VoiceScript.paths(of: Array("path,text,uses\n\(path),x,1\n".utf8), file: "script.csv")
    }
    #expect(error?.description.hasPrefix("script.csv:2: the path ") == true)
  }
}
