// Another speech program: flite speaks instead of espeak-ng, which is not linked. Prints the ledger.
//
//   sudo apt install flite
//   swift run OwnVoice               or another device: swift run OwnVoice plughw:CARD=Headphones
import ALSAOutput
import CueEngine
import CueSound
import Foundation
import IntervalTimeline
import SoundFiles

/// Runs flite for each text; it answers with a WAV file of 16-bit mono samples.
struct Flite: SpeechSynthesizer {
  func render(_ text: String, voice: SpeechVoice) throws(SpeechError) -> PCMClip {
    let flite = Process()
    let answer = Pipe()
    flite.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // A count has to be as fast as its numbers are due.
    let stretch = Double(SpeechVoice().rate) / Double(voice.rate)
    flite.arguments = [
      "flite", "-voice", "kal16", "--setf", "duration_stretch=\(stretch)", "-o", "/dev/stdout",
      "-t", text,
    ]
    flite.standardOutput = answer
    flite.standardError = FileHandle.nullDevice
    do { try flite.run() } catch { throw SpeechError(kind: .failed, detail: "\(error)") }
    let wave = [UInt8](answer.fileHandleForReading.readDataToEndOfFile())
    flite.waitUntilExit()
    guard flite.terminationStatus == 0, wave.count > 44 else {
      // So `env` says that there is no such program.
      let kind: SpeechError.Kind = flite.terminationStatus == 127 ? .unavailable : .failed
      throw SpeechError(kind: kind, detail: "flite ended with \(flite.terminationStatus)")
    }
    let rate = (24..<28).reversed().reduce(0) { $0 << 8 | Int(wave[$1]) }
    let samples = stride(from: 44, to: wave.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(wave[$0 + 1]) << 8 | UInt16(wave[$0]))
    }
    return PCMClip(rate: rate, samples: samples)
  }
}

do {
  _ = try Flite().render("Ready", voice: SpeechVoice())
} catch {
  let message = error.kind == .unavailable ? "there is no flite: apt install flite" : error.detail
  FileHandle.standardError.write(Data("OwnVoice: \(message)\n".utf8))
  exit(1)
}
let effort = Block.Step(Phase(.work, .fixed(.seconds(5))))
let rest = Block.Step(Phase(.rest, .fixed(.seconds(6))))
let workout = Workout(name: "Short", blocks: [Block(sets: 2, steps: [effort, rest])])
let words = SpeechLibrary(Flite(), converter: SampleRateLibrary())
let engine = CueEngine(
  output: ALSAOutput(device: CommandLine.arguments.dropFirst().first ?? "default"),
  sounds: SoundPack(), speech: words, ledger: { print($0.line) })
let lane = try engine.addLane("runner", timeline: Timeline(workout))
engine.prepare()
engine.send(.start, to: lane)
while engine.status(of: lane) != nil { try await Task.sleep(for: .milliseconds(100)) }
engine.shutDown()
