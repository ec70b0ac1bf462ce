import ALSAOutput
import CueEngine
import CueSound
import Glibc
import InstalledFiles
import IntervalTimeline
import Speech
import SystemIO

/// Plays sounds one after the other and names each when it is heard.
final class SoundTest {
  private enum Event: Sendable {
    case output(OutputEvent)
    case signal(Int32)
  }

  private struct Part {
    /// Printed when it is heard; nil for a part that belongs to the one before.
    let name: String?
    let clip: PCMClip
    let gain: Float
    /// From the first part's beginning.
    let start: Duration

    var end: Duration { start + clip.length }
  }

  private let choice: OutputChoice
  private let mailbox = Mailbox<Event>.made()
  private let signals: Signals
  private var parts: [Part] = []
  /// Where the next sound begins, from the first part's beginning.
  private var next = Duration.zero

  private var heard: Set<Int> = []
  private var ended = 0
  private var xruns = 0
  private var isRealtime = true

  private static let gap: Duration = .milliseconds(500)
  /// How long the test waits for a sound after its end: by then a lost device has been reported.
  private static let patience: Duration = .seconds(3)
  /// A device that has not been opened by then gets its sounds anyway.
  private static let longestOpening: Duration = .seconds(3)

  init(_ choice: OutputChoice) {
    self.choice = choice
    signals = Signals([SIGINT, SIGTERM, SIGHUP]) { [mailbox] in mailbox.send(.signal($0)) }
  }

  func add(_ pack: SoundPack) {
    for meaning in SoundRole.allCases {
      add(pack[meaning], name: "\(meaning.rawValue)  (\(meaning.words))", at: next)
    }
  }

  /// "Set 3 completing in 3, 2, 1, 0", each number a second after the other. False where the voice
  /// does not speak it.
  func addAnnouncement(_ speech: SpeechLibrary, _ style: LaneStyle) -> Bool {
    let leadIn = style.phrases.wordings(.setCompletion) { $0 == .set ? "3" : nil }.first
    let words = [leadIn ?? "3", "3", "2", "1", "0"]
    return addCount(
      words, name: "announcement  (\(words[0]) 3, 2, 1, 0)", speech, style.voice)
  }

  /// A text and numbers, each a second after the other, by the voices that a workout would have. False where nobody speaks
  /// one of them.
  func addCount(
    _ words: [String], name: String, _ speech: SpeechLibrary, _ voice: SpeechVoice
  ) -> Bool {
    let spot = SpeechOnTheSpot(speech)
    let counting = spot.countVoice(Array(words.dropFirst()), voice)
    let clips = words.enumerated().compactMap { place, text in
      speech.clip(text, voice: place == 0 ? voice : counting, within: .seconds(10))
    }
    guard clips.count == words.count else { return false }
    let gain = voice.gain
    let other = voice.ofStandIn.chosenName ?? "another voice"
    let text = spot.reasonForStandIn(words[0], voice).map { ", the text by \(other): \($0)" } ?? ""
    let count = counting == voice ? "" : ", the count by \(other)"
    add(clips[0], name: name + text + count, gain: gain, at: next)
    var start = next
    for clip in clips.dropFirst() {
      add(clip, name: nil, gain: gain, at: start)
      start = start + .seconds(1)
    }
    return true
  }

  private func add(_ clip: PCMClip, name: String?, gain: Float = 1, at start: Duration) {
    parts.append(Part(name: name, clip: clip, gain: gain, start: start))
    next = start + clip.length + Self.gap
  }

  /// Plays everything. Returns the exit code.
  func run() -> Int32 {
    context.print("playing on \(choice.text)".singleLine)
    let link = MixerLink(voices: parts.count)
    let output = ALSAOutput(choice)
    output.start(link) { [mailbox] in mailbox.send(.output($0)) }
    output.setActivity(.running)

    var problem: String?
    // When the first part is heard; nil until the device plays, for it is to be warm by then.
    var start: BootInstant?
    let latest = BootClock.now() + Self.longestOpening
    while ended < parts.count, problem == nil {
      switch mailbox.next(within: .milliseconds(20)) {
      case .signal(let number):
        output.stop()
        return 128 + number
      case .output(.notRealtime): isRealtime = false
      case .output(.lost(let error, _)): problem = DeviceAdvice.problem(error)
      case .output(.plays): start = start ?? play(link, output.latency)
      case .output(.closed): break
      case nil:
        guard let begun = start else {
          if BootClock.now() > latest { start = play(link, output.latency) }
          break
        }
        if BootClock.now() > begun + parts[ended].end + Self.patience {
          problem = DeviceAdvice.problem(
            SoundOutputError(kind: .stuck, device: choice.device ?? "", detail: "no report"))
        }
      }
      while let report = link.nextReport() { note(report) }
    }
    output.stop()
    return conclude(problem)
  }

  /// Hands all parts to the mixer. Returns when the first is heard.
  private func play(_ link: MixerLink, _ latency: Duration) -> BootInstant {
    let start = BootClock.now() + choice.startLead + latency
    for (index, part) in parts.enumerated() {
      _ = link.play(
        part.clip, id: UInt64(index), lane: 0, due: start + part.start, gain: part.gain)
    }
    return start
  }

  private func note(_ report: MixerReport) {
    switch report {
    case .onset(let id, _):
      heard.insert(Int(id))
      if let name = parts[Int(id)].name { context.print(name) }
    case .ended: ended += 1
    case .xrun: xruns += 1
    case .unheard, .missed, .withdrawn, .cut, .back, .minimumLeadTime: break
    }
  }

  private func conclude(_ problem: String?) -> Int32 {
    if let problem {
      context.complain("no sound: \(problem)")
      return 1
    }
    if xruns > 0 {
      context.complain(
        "the sound had \(xruns) gap\(xruns == 1 ? "" : "s"): this machine was too slow")
    }
    context.print(
      isRealtime ? "the sound thread had real-time priority" : DeviceAdvice.realtime())
    let missing = parts.indices.filter { !heard.contains($0) }
    guard missing.isEmpty else {
      context.complain("\(missing.count) of \(parts.count) sounds were too late to be heard")
      return 1
    }
    return 0
  }
}

extension SoundRole {
  /// When it is played.
  fileprivate var words: String {
    switch self {
    case .count: "3, 2 and 1 s before a boundary"
    case .highBegins: "effort begins"
    case .lowBegins: "effort eases off"
    case .restBegins: "a rest begins"
    case .change: "a rolling course goes on"
    case .setEnds: "a set ends"
    case .finish: "the workout is over"
    case .paused: "you have paused"
    case .resumed: "you have resumed"
    case .tooLow: "a reading is below its target"
    case .tooHigh: "a reading is above its target"
    case .alarm: "the heart rate is at its alarm"
    case .tick: "a beat of a metronome"
    case .accent: "the first of some beats"
    case .offbeat: "the finish of a stroke, or a part of a beat"
    }
  }
}

extension OutputChoice {
  /// On what is played, and how.
  fileprivate var text: String {
    let milliseconds = profile.latency / .milliseconds(1)
    let seconds = profile.warmUp / .seconds(1)
    return "\(device ?? "no device"): volume \(volume), latency \(Self.text(milliseconds)) ms, "
      + "keep-alive \(profile.keepAlive.rawValue), warm-up \(Self.text(seconds)) s"
  }

  private static func text(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }
}
