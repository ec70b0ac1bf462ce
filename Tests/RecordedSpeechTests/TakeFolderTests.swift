import CueSound
import Foundation
import SoundFiles
import TestSupport
import Testing

@testable import RecordedSpeech

/// Folders of takes: what is wrong with them, and what a pack gets of them.
struct TakeFolderTests {
  private let space = TestFolder()
  private let manifest = VoiceManifest(language: "en", who: "Anna", licence: "CC0")

  /// 300 ms at 400 Hz between silences.
  private func record(_ paths: String...) throws {
    var samples = [Int16](repeating: 0, count: 12_800)
    for index in 3200..<8000 { samples[index] = index % 40 < 20 ? 10_000 : -10_000 }
    for path in paths {
      // Its folder.
      try space.write("", to: "takes/\(path)")
      let writer = try SoundFileWriter(space.path("takes/\(path)"), as: .wav, rate: 16_000)
      try writer.write(samples, count: samples.count)
      try writer.finish()
    }
  }

  private func faults() throws -> [String] {
    try TakeFolder(space.path("takes")).faults().map {
      $0.replacingOccurrences(of: space.path("takes") + "/", with: "")
    }
  }

  private func add(isReplacing: Bool = false) throws -> TakeFolder.Addition {
    try TakeFolder(space.path("takes")).add(
      to: space.path("pack"), manifest, isReplacing: isReplacing)
  }

  @Test func aFileThatNoTextUsesIsAFault() throws {
    try space.write(manifest.yaml, to: "takes/voice.yaml")
    try record(
      "numbers/3.wav", "numbers/three.wav", "numbers/03.wav", "phrases/Halfway.wav",
      "phrases/next-hard-1_5-km.wav", "names/Anna.wav")
    #expect(
      try faults() == [
        "numbers/03.wav: no number, expected a name such as 3.wav",
        "numbers/three.wav: no number, expected a name such as 3.wav",
        "phrases/Halfway.wav: no text has this name, expected phrases/halfway.wav",
      ])
  }

  @Test func whatAManifestNamesHasToBeThere() throws {
    try record("numbers/3.wav", "phrases/Own name.wav")
    let yaml =
      manifest.yaml
      + "onsets: {3: 9000}\nphrases: {Go: phrases/gone.wav, Hold: phrases/Own name.wav}\n"
    try space.write(yaml, to: "takes/voice.yaml")
    #expect(
      try faults() == [
        "voice.yaml: \"Go\" is phrases/gone.wav, expected a recording that is there",
        "numbers/3.wav: its onset of 9000 ms in voice.yaml is behind its end, expected less than 800 ms",
      ])
  }

  @Test func ofTwoTakesOfATextNoneIsChosen() throws {
    try space.write("path,text,uses\nnumbers/0.wav,0,9\n", to: "takes/script.csv")
    try record("001.wav", "numbers/0.wav", "numbers/1.wav")
    #expect(
      try faults() == [
        "numbers/0.wav: the same text as 001.wav, expected one recording of it"
      ])
    let addition = try add()
    #expect(addition.written == 1 && addition.refusals.count == 1)
  }

  /// Whatever their names are.
  @Test func severalTakesOfATextAreALine() throws {
    try space.write("path,text,uses\nphrases/set-3.wav,Set 3,9\n", to: "takes/script.csv")
    try record("phrases/Set 3.wav", "phrases/set_3.wav", "1.wav", "01.flac")
    #expect(
      try faults() == [
        "phrases/Set 3.wav: the same text as phrases/set_3.wav, 01.flac, 1.wav, expected one recording of it"
      ])
    let addition = try add()
    #expect(addition.written == 0 && addition.refusals.count == 1)
  }

  @Test func whatAFolderIsHasToBeSaidByItself() throws {
    try record("001.wav", "002.wav", "numbers/3.wav")
    let line =
      "\(space.path("takes")): neither script.csv nor voice.yaml, expected the first beside takes, as cuecoach voices "
      + "--script writes it, or the second in a pack"
    #expect(try TakeFolder(space.path("takes")).faults() == [line])
    let addition = try add()
    #expect(addition.written == 1 && addition.refusals == [line])
  }

  @Test func aNewPackHasAManifestAndKeepsItsRecordings() throws {
    try record("numbers/3.wav")
    #expect(try add().written == 1)
    #expect(try VoiceManifest.read(path: space.path("pack/voice.yaml")) == manifest)
    #expect(try add().refusals.count == 1)
    #expect(try add(isReplacing: true).written == 1)
  }

  /// Wherever the import is interrupted.
  @Test func aManifestIsThereBeforeTheFirstRecording() throws {
    try record("numbers/3.wav")
    // No recording can be written beside it.
    try space.write("", to: "pack/numbers")
    #expect(try add().written == 0)
    #expect(space.has("pack/voice.yaml"))
  }

  @Test func nothingIsALine() throws {
    try space.write("", to: "takes/notes.txt")
    #expect(try add().refusals.count == 1 && add().written == 0)
  }
}
