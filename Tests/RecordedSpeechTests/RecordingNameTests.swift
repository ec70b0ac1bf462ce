import RecordedSpeech
import Testing

/// Which file says a text.
struct RecordingNameTests {
  @Test(arguments: [
    ("0", "numbers/0"), ("60", "numbers/60"), ("100", "numbers/100"),
    ("Next: Hard, 4 minutes", "phrases/next-hard-4-minutes"),
    ("Next: Hard, 4 minutes.", "phrases/next-hard-4-minutes"),
    ("Let's go!", "phrases/lets-go"), ("  Rest — easy ", "phrases/rest-easy"),
    ("10.5 km", "phrases/10_5-km"), ("10 5 km", "phrases/10-5-km"), ("1:30", "phrases/1_30"),
    ("Zwölf Übungen", "phrases/zwölf-übungen"), ("Готово", "phrases/готово"),
    ("007", "phrases/007"), ("Set 3 completing in", "phrases/set-3-completing-in"),
  ])
  func aTextHasAFileThatAPersonCanName(text: String, name: String) {
    #expect(RecordingName.of(text) == name)
    #expect(RecordingName.isInPack("\(name).wav"))
  }

  /// What no file's name can hold tells texts apart by a checksum.
  @Test func noTwoTextsThatSoundDifferentShareAFile() {
    let texts = [
      "5", "-5", "−5", "5 %", "+5", "5 watts", "-5 watts", "½", "¼", "#", "💪", "💪💪", "…", "!",
      String(repeating: "long ", count: 30) + "1", String(repeating: "long ", count: 30) + "2",
    ]
    let names = texts.map(RecordingName.of)
    #expect(Set(names).count == texts.count)
    for name in names {
      #expect(name.utf8.count < 250 && RecordingName.isInPack("\(name).wav"), "\(name)")
    }
  }

  @Test(arguments: [
    "../numbers/1.wav", "numbers/../1.wav", "/numbers/1.wav", "numbers/.1.wav", "numbers/",
    "numbers", "other/1.wav", "numbers/a/b.wav", "", "numbers//1.wav", "numbers/1\0.wav",
  ])
  func aPathThatLeadsElsewhereIsNone(path: String) { #expect(!RecordingName.isInPack(path)) }
}
