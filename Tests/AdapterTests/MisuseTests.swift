import Foundation
import TestSupport
import Testing

/// What no program should do with the libraries ends it with a sentence, in release builds too: `fatalError`
/// prints there, and a precondition does not.
@Suite(.timeLimit(.minutes(30))) struct MisuseTests {
  private let space = TestFolder()

  private struct Ending {
    let isSignal: Bool
    let output: String
    let errors: String
  }

  /// Runs the program `misuse` to its end.
  private func run(_ arguments: [String]) async throws -> Ending {
    let files = ["out", "err"].map(space.path)
    return try await apart {
      var environment = ["SWIFT_BACKTRACE=enable=no", "TMPDIR=\(space.folder)"]
      if let path = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] {
        environment.append("LD_LIBRARY_PATH=\(path)")
      }
      let program = Bundle.main.bundleURL.appendingPathComponent("misuse").path
      let words = (["env", "-i"] + environment + [program] + arguments).map(\.shellWord)
      let outcome = try shell(
        "\(words.joined(separator: " ")) > \(files[0].shellWord) 2> \(files[1].shellWord)"
      )
      return Ending(
        isSignal: outcome.code == nil,
        output: try String(contentsOfFile: files[0], encoding: .utf8),
        errors: try String(contentsOfFile: files[1], encoding: .utf8))
    }
  }

  private static let waits = "this method of CueEngine waits for the check queue"
  private static let stores = "this method of CoachHost waits for the store's queue"

  private static let sentences = [
    (
      "check-interval", "CueEngine.Settings.checkInterval is 0.0 seconds, expected 0.001 seconds to"
    ),
    ("voices", "CueEngine.Settings.voices is 0, expected 1 to 1000000"),
    ("countdown", "CueEngine.Settings.plan.countdown is 9223372036854775807, expected 0 to 60"),
    ("start-lead", "CueEngine.Settings.startLead is -1.0 seconds, expected 0.0 seconds to"),
    ("link", "a mixer for -1 voices, expected 1 to"),
    ("message", "a message without a wording"),
    ("pack-rate", "a sound pack of 0 samples a second, expected 1000 to 768000"),
    ("clip-rate", "the sound for count has 44100 samples a second, its pack 48000"),
    ("clip-without-rate", "a clip of 0 samples a second"),
    ("output-rate", "the output plays 44100 samples a second, the sounds have 48000"),
    ("alsa-rate", "the output plays 44100 samples a second, the sounds have 48000"),
    (
      "speech-rate",
      "the speech library renders at 16000 samples a second, the engine's sounds have"
    ),
    ("output-of-two", "an output is started once: each engine needs an output of its own"),
    ("recording-of-two", "a RecordingOutput has been started already: it serves one engine"),
    ("second-mixer", "a second Mixer of one MixerLink"),
    (
      "plan-interval",
      "CueEngine.Settings.checkInterval is -1.0 seconds, expected 0.001 seconds to 60.0 seconds"
    ),
    ("plan-countdown", "CueEngine.Settings.plan.countdown is 1000, expected 0 to 60"),
    ("plan-speech", "the speech library renders at 16000 samples a second"),
    ("plan-style", "the only lane was refused: a voice's gain is 2.0, expected 0 to 1"),
    ("script-time", "a step of a script at -1.0 seconds: expected zero to a year"),
    ("clock-back", "a ManualClock does not go back"),
    ("scripted-rate", "a scripted clip of 8000 Hz is wanted at 44100 Hz"),
    ("script-say-time", "a step of a script at -1.0 seconds: expected zero to a year"),
    ("map-rate", "a FrameMap of 0.0 frames a second, expected 1 to 10000000"),
    ("map-no-rate", "a FrameMap of nan frames a second, expected 1 to 10000000"),
    ("map-frame", "a FrameMap through frame 9223372036854775807 at 0 ns, expected both within"),
    ("map-instant", "a FrameMap through frame 0 at 9223372036854775807 ns, expected both within"),
    ("mixer-late", "a Mixer with late 9223372036854775807 ns and fade 4000000 ns, expected 0 to"),
    ("mixer-fade", "a Mixer with late 120000000 ns and fade -1000000000 ns, expected 0 to 60 s"),
    ("mixer-skip", "a Mixer that skips to frame 9223372036854775807, expected at most"),
    ("ring", "a Ring for 9223372036854775807 elements, expected at most 1073741824"),
    ("latency", "the output's latency is 3600.0 seconds, expected 0.0 seconds to 60.0 seconds"),
    ("negative-latency", "the output's latency is -1.0 seconds, expected 0.0 seconds to"),
    ("clock", "a clock that says 9223372036854775807 ns since the boot, expected less than a"),
    ("remark", "a remark without a wording"),
    ("sample", "a clip of 1 samples has no 1"),
    ("status", waits), ("statuses", waits), ("record", waits), ("volume", waits),
    ("add-lane", waits), ("prepare", waits), ("shut-down", waits),
    ("host-flush", stores), ("host-shut-down", stores),
  ]

  @Test(arguments: sentences)
  func misuseEndsTheProgramWithASentence(name: String, sentence: String) async throws {
    let ending = try await run([name])
    #expect(ending.isSignal)
    #expect(ending.errors.contains("Fatal error: \(sentence)"), "\(ending.errors)")
    #expect(ending.output == "")
  }

  @Test func everyMisuseIsTried() async throws {
    let names = try await run([]).output.split(separator: "\n").map(String.init)
    #expect(names == Self.sentences.map(\.0).sorted())
  }
}
