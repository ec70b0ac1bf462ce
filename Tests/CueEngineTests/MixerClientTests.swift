import CueSound
import IntervalTimeline
import Testing

@testable import CueEngine
@testable import Words

/// A mixerClient whose mixer is the test: it reads the commands and writes the reports.
struct MixerClientTests {
  private let link: MixerLink
  private var mixerClient: MixerClient
  private let anna = LaneID(serial: 7, slot: 0)
  private let ben = LaneID(serial: 8, slot: 1)

  /// The capacity is rounded up to a power of two.
  private init(_ room: Int) {
    link = MixerLink(voices: room)
    mixerClient = MixerClient(link)
  }

  init() { self.init(64) }

  private func sound(_ nanoseconds: Int64) -> BootInstant {
    BootInstant(nanoseconds: nanoseconds)
  }

  private func at(_ milliseconds: Int64) -> BootInstant {
    BootInstant(nanoseconds: milliseconds * 1_000_000)
  }

  private func parts(_ texts: [String], from first: Int64 = 1_000) -> [LaidOutCue.Part] {
    texts.enumerated().map { index, text in
      .init(
        text: text, due: at(first + Int64(index) * 1_000),
        clip: PCMClip(rate: 8_000, samples: [1, 2, 3]), isSpeech: true)
    }
  }

  /// Hands over an announcement, by default of anna's.
  private mutating func send(_ texts: [String], id: Int, lane: LaneID? = nil, from: Int64 = 1_000) {
    let lane = lane ?? anna
    let entry = LedgerEvent.CueEntry(
      lane: "\(lane.serial)", phase: 0, kind: "text", text: texts.joined(separator: " "),
      due: at(from), outcome: .played, parts: [])
    mixerClient.send(
      entry, parts(texts, from: from), lane: lane,
      words: AnnouncementID(lane: lane, handOff: id), gain: 0.5)
  }

  /// The commands to the mixer since the last call.
  private func commands() -> [String] {
    var texts: [String] = []
    while let command = link.commands.pop() {
      switch command {
      case .play(let voice):
        texts.append("play \(voice.id) lane \(voice.lane) at \(voice.due.nanoseconds / 1_000_000)")
      case .withdraw(let lane): texts.append("withdraw lane \(lane)")
      case .withdrawVoice(let id): texts.append("withdraw voice \(id)")
      case .volume(let gain): texts.append("volume \(gain)")
      }
    }
    return texts
  }

  private func report(_ reports: MixerReport...) {
    for report in reports { #expect(link.reports.push(report)) }
  }

  private mutating func collect() -> [String] {
    mixerClient.collect().map { event in
      switch event {
      case .wordsBegan(let lane): "began \(lane.serial)"
      case .closed(let entry, let lane, let words):
        "closed \(lane.serial)/\(words?.handOff ?? -1) \(entry.outcome)"
          + (entry.reason.map { " (\($0))" } ?? "")
          + " "
          + entry.parts.map { $0.onset.map { "\($0.nanoseconds / 1_000_000)" } ?? "-" }
          .joined(separator: " ")
      case .released(let lane): "released \(lane.serial)"
      case .output(let news, let instant): "\(news) \(instant.nanoseconds)"
      }
    }
  }

  @Test mutating func aCueIsClosedWithItsLastPartAndEachOnset() {
    send(["3", "2"], id: 5)
    #expect(commands() == ["play 1 lane 0 at 1000", "play 2 lane 0 at 2000"])
    report(.onset(1, at: sound(1_001_000_000)), .ended(1))
    #expect(collect() == ["began 7", "released 7"])
    #expect(mixerClient.isBusy(anna))
    report(.onset(2, at: sound(2_002_000_000)), .ended(2))
    #expect(collect() == ["closed 7/5 played 1001 2002", "released 7"])
    #expect(!mixerClient.isBusy && !mixerClient.isBusy(anna))
  }

  @Test mutating func whatWasNotHeardIsAccountedFor() {
    send(["all missed"], id: 1)
    send(["heard", "missed"], id: 2)
    send(["withdrawn"], id: 3)
    send(["cut"], id: 4)
    send(["no device"], id: 5)
    send(["broken off"], id: 6)
    report(.missed(1), .ended(1))
    report(.onset(2, at: sound(1_000_000_000)), .ended(2), .missed(3), .ended(3))
    report(.withdrawn(4), .ended(4))
    report(.onset(5, at: sound(1_000_000_000)), .cut(5), .ended(5))
    report(.unheard(6), .ended(6))
    report(.onset(7, at: sound(1_000_000_000)), .missed(7), .ended(7))
    #expect(
      collect().filter { $0.hasPrefix("closed") } == [
        "closed 7/1 missed (not heard) -", "closed 7/2 shortened (in part not heard) 1000 -",
        "closed 7/3 withdrawn -", "closed 7/4 withdrawn 1000",
        "closed 7/5 played (no device requested) -",
        "closed 7/6 shortened (in part not heard) 1000",
      ])
    #expect(!mixerClient.isBusy)
  }

  @Test mutating func wordsBeginThoughNoDeviceIsRequested() {
    send(["word"], id: 1)
    report(.unheard(1), .ended(1))
    #expect(collect() == ["began 7", "closed 7/1 played (no device requested) -", "released 7"])
  }

  @Test mutating func severalAreWithdrawnInTheOrderInWhichTheyWereSent() {
    for id in 1...8 { send(["word"], id: id) }
    mixerClient.withdraw((1...8).reversed().map { AnnouncementID(lane: anna, handOff: $0) })
    #expect(commands().suffix(8) == (1...8).map { "withdraw voice \($0)" })
  }

  @Test mutating func whatIsOverIsNotWithdrawn() {
    send(["word"], id: 5)
    report(.onset(1, at: sound(1_000_000_000)), .ended(1))
    #expect(collect().count == 3)
    #expect(commands().count == 1)
    mixerClient.withdraw([AnnouncementID(lane: anna, handOff: 5)])
    #expect(commands().isEmpty)
  }

  @Test mutating func aWithdrawnAnnouncementLeavesNoLineButItsClipsStay() {
    send(["3", "2"], id: 5)
    send(["other"], id: 6, lane: ben)
    mixerClient.withdraw([
      AnnouncementID(lane: anna, handOff: 5), AnnouncementID(lane: ben, handOff: 5),
    ])
    #expect(commands().suffix(2) == ["withdraw voice 1", "withdraw voice 2"])
    // The mixer may still read the clips.
    #expect(mixerClient.isBusy(anna) && mixerClient.isBusy(ben))
    report(.withdrawn(1), .ended(1), .withdrawn(2), .ended(2))
    #expect(collect() == ["released 7", "released 7"])
    #expect(!mixerClient.isBusy(anna) && mixerClient.isBusy(ben))
  }

  @Test mutating func theSameAnnouncementCanBeSentAgain() {
    send(["first"], id: 5)
    mixerClient.withdraw([AnnouncementID(lane: anna, handOff: 5)])
    send(["second"], id: 5, from: 4_000)
    #expect(
      commands() == ["play 1 lane 0 at 1000", "withdraw voice 1", "play 2 lane 0 at 4000"])
    report(.withdrawn(1), .ended(1), .onset(2, at: sound(4_000_000_000)), .ended(2))
    #expect(collect() == ["released 7", "began 7", "closed 7/5 played 4000", "released 7"])
  }

  @Test mutating func aLanesWithdrawalLeavesItsLinesAndOtherLanes() {
    send(["mine"], id: 5)
    send(["hers"], id: 5, lane: ben)
    mixerClient.withdraw(lane: anna, at: BootInstant(nanoseconds: 0))
    #expect(commands().last == "withdraw lane 0")
    // An announcement that was withdrawn with its lane is not withdrawn again.
    mixerClient.withdraw([AnnouncementID(lane: anna, handOff: 5)])
    #expect(commands().isEmpty)
    report(.withdrawn(1), .ended(1))
    #expect(collect() == ["closed 7/5 withdrawn -", "released 7"])
    #expect(mixerClient.isBusy(ben))
  }

  @Test func whatFindsTheQueueFullIsMissed() {
    var full = MixerClientTests(2)
    full.send(["1", "2", "3"], id: 5)
    #expect(full.commands() == ["play 1 lane 0 at 1000", "play 2 lane 0 at 2000"])
    #expect(full.collect() == ["released 7"])
    full.report(.onset(1, at: sound(1_000_000_000)), .ended(1))
    full.report(.onset(2, at: sound(2_000_000_000)), .ended(2))
    #expect(full.collect().contains("closed 7/5 shortened (in part not heard) 1000 2000 -"))
  }

  @Test func aWithdrawalArrivesThoughTheQueueWasFullAndNothingOvertakesIt() {
    var full = MixerClientTests(2)
    full.send(["1", "2"], id: 5)
    full.mixerClient.withdraw(lane: full.anna, at: BootInstant(nanoseconds: 0))
    // The withdrawal is pending, and a clip sent after it is missed rather than withdrawn by it.
    #expect(full.link.commands.pop() != nil)
    full.send(["3"], id: 6)
    #expect(full.collect() == ["closed 7/6 missed (not heard) -", "released 7"])
    #expect(full.commands() == ["play 2 lane 0 at 2000", "withdraw lane 0"])
    full.send(["4"], id: 7)
    #expect(full.commands() == ["play 4 lane 0 at 1000"])
  }

  @Test mutating func aVolumeThatFindsTheQueueFullIsSentLater() {
    var full = MixerClientTests(2)
    full.send(["1", "2"], id: 5)
    full.mixerClient.setVolume(0.5)
    full.mixerClient.setVolume(0.25)
    #expect(full.commands() == ["play 1 lane 0 at 1000", "play 2 lane 0 at 2000"])
    #expect(full.collect() == [])
    #expect(full.commands() == ["volume 0.5", "volume 0.25"])
  }

  @Test mutating func onlySpeechHasTheVoicesGainAndBeginsWords() {
    let entry = LedgerEvent.CueEntry(
      lane: "7", phase: 0, kind: "transition", text: "High", due: at(1_000), outcome: .played,
      parts: [])
    let clip = PCMClip(rate: 8_000, samples: [1])
    mixerClient.send(
      entry,
      [
        .init(text: "sound", due: at(1_000), clip: clip),
        .init(text: "word", due: at(2_000), clip: clip, isSpeech: true, isTimed: true),
      ], lane: anna, gain: 0.25)
    var voices: [Voice] = []
    while case .play(let voice)? = link.commands.pop() { voices.append(voice) }
    #expect(voices.map(\.gain) == [1, 0.25])
    #expect(voices.map(\.isSpeech) == [false, true])
    #expect(voices.map(\.isTimed) == [false, true])
    report(.onset(1, at: sound(0)), .ended(1), .onset(2, at: sound(0)), .ended(2))
    #expect(collect() == ["released 7", "closed 7/-1 played 0 0", "released 7"])
  }

  @Test mutating func whatHappensToTheDeviceIsPassedOnInOrder() {
    send(["word"], id: 1)
    report(.xrun(at: sound(5)), .onset(1, at: sound(6)), .back(at: sound(7)))
    // A clip that the mixerClient does not know is not reported.
    report(.onset(99, at: sound(8)), .ended(99), .missed(99))
    #expect(collect() == ["xrun 5", "began 7", "recovered 7"])
  }
}
