import Presets
import RecordedSpeech
import Testing

/// What a pack says of itself.
struct VoiceManifestTests {
  private func parse(_ text: String) throws(FileError) -> VoiceManifest {
    try VoiceManifest.parse(Array(text.utf8), file: "voice.yaml")
  }

  private let head = "language: en\nwho: Anna\nlicence: CC0\n"

  @Test func itIsRead() throws {
    let manifest = try parse(
      head + "onsets: {3: 212, Anna: 40, \"Next: Hard\": 80}\n"
        + "phrases: {\"Next: Hard\": phrases/hard-2.flac}\n")
    #expect(manifest.language == "en" && manifest.who == "Anna" && manifest.licence == "CC0")
    #expect(manifest.onsets["numbers/3"] == .milliseconds(212))
    #expect(manifest.onsets["names/Anna"] == .milliseconds(40))
    #expect(manifest.onsets["phrases/hard-2"] == .milliseconds(80))
    #expect(manifest.phrases == ["Next: Hard": "phrases/hard-2.flac"])
  }

  @Test(arguments: ["Anna's: \"voice\" #1", "O'\u{301}Neill"])
  func whatIsWrittenIsRead(who: String) throws {
    let manifest = VoiceManifest(language: "pt-br", who: who, licence: "CC0")
    #expect(try parse(manifest.yaml) == manifest)
  }

  @Test(arguments: [
    ("", "voice.yaml:1: an empty manifest, expected language, who and licence"),
    ("[en]", "voice.yaml:1: a manifest that is a list, expected language, who and licence"),
    ("language: en\nwho: Anna\n", "voice.yaml:1: no licence, expected language, who and licence"),
    (
      "language: ../en\nwho: A\nlicence: B\n",
      "voice.yaml:1: language is \"../en\", expected a language such as en or pt-br"
    ),
    (
      "language: en\nwho: A\nlicence: B\nwhat: C\n",
      "voice.yaml:4: unknown key \"what\" in a manifest, expected one of language, who, licence, onsets, phrases"
    ),
    (
      "language: en\nwho: A\nlicence: B\nonsets: {3: -1}\n",
      "voice.yaml:4: 3 is \"-1\", expected a whole number from 0 to 15000"
    ),
    (
      "language: en\nwho: A\nlicence: B\nphrases: {Go: ../go.wav}\n",
      "voice.yaml:4: Go is \"../go.wav\", expected a file in numbers, phrases, names of its folder"
    ),
    (
      "language: en\nwho: A\nlicence: B\nphrases: {Go: /etc/passwd}\n",
      "voice.yaml:4: Go is \"/etc/passwd\", expected a file in numbers, phrases, names of its folder"
    ),
    ("language: [\n", "voice.yaml:2: "),
  ])
  func aMistakeIsOneLine(text: String, line: String) {
    let error = #expect(throws: FileError.self) { try parse(text) }
    let said = error?.description ?? ""
    #expect(line.hasSuffix(" ") ? said.contains("expected") : said == line, "\(said)")
    #expect(!said.contains("\n"))
  }
}
