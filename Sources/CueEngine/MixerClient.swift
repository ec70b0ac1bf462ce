import CueSound
import IntervalTimeline
import Words

/// The check's side of the mixer: hands clips over, and collects what became of each cue.
struct MixerClient {
  /// What the audio thread has reported.
  enum Event {
    /// The first words of a cue of that lane are heard.
    case wordsBegan(lane: LaneID)
    /// A cue is over; `words` where it was an announcement.
    case closed(LedgerEvent.CueEntry, lane: LaneID, words: AnnouncementID?)
    /// The mixer has released one of the lane's clips.
    case released(lane: LaneID)
    case output(OutputNews, at: BootInstant)
  }

  private struct SentVoice {
    let lane: LaneID
    let record: Int
    let part: Int
    /// True for the first words of a cue.
    let beginsWords: Bool
  }

  /// An announcement at the mixer.
  private struct SentWords {
    let id: AnnouncementID
    let voices: ClosedRange<UInt64>
    /// Said for several lanes: they have a number of their own at the mixer, as if they were a lane.
    let sharedLane: Int32?
  }

  private let link: MixerLink
  private var records: [Int: CueRecord] = [:]
  private var nextRecord = 1
  private var voices: [UInt64: SentVoice] = [:]
  private var nextVoice: UInt64 = 1
  /// By record.
  private var words: [Int: SentWords] = [:]
  /// Clips at the mixer, by lane.
  private var counts: [LaneID: Int] = [:]
  /// Withdrawals and volumes that found the mixer's queue full.
  private var unsent: [MixerCommand] = []
  private var events: [Event] = []
  /// How long before it is due a sound must be handed over, as the output last reported.
  enum LeadTime {
    /// It has reported nothing yet.
    case unreported
    /// It does not know, as one that cannot take back what it has queued; or it is closed.
    case unknown
    case known(Duration)
  }
  private(set) var leadTime = LeadTime.unreported
  /// Nil where it is not known.
  var minimumLeadTime: Duration? { if case .known(let time) = leadTime { time } else { nil } }
  /// How much later than its hand-over sound can be heard.
  func lead(atLeast latency: Duration) -> Duration { max(latency, minimumLeadTime ?? .zero) }

  private var watchdog = OutputWatchdog()
  /// What is said of the words that it was given.
  var spoken = SpokenTexts()

  init(_ link: MixerLink) {
    self.link = link
  }

  /// How many clips have been handed over so far.
  var handedOver: UInt64 { nextVoice }

  /// True while the mixer has any clip.
  var isBusy: Bool { !counts.isEmpty }

  /// True while the mixer has clips of that lane.
  func isBusy(_ lane: LaneID) -> Bool { counts[lane] != nil }

  // MARK: To the mixer

  /// Hands a cue's parts over.
  ///
  /// - Parameters:
  ///   - entry: its line in the ledger as far as it is known.
  ///   - words: by which an announcement can be withdrawn; nil for a sound.
  ///   - gain: of the lane's voice.
  ///   - others: the lines of other lanes for which these words are said.
  mutating func send(
    _ entry: LedgerEvent.CueEntry, _ parts: [LaidOutCue.Part], lane: LaneID,
    words id: AnnouncementID? = nil, gain: Float = 1, with others: [SharedEntry] = []
  ) {
    var entry = entry
    entry.parts = parts.map {
      LedgerEvent.Part(text: $0.text, due: $0.due, onset: nil, length: $0.clip.length)
    }
    let record = nextRecord
    nextRecord += 1
    records[record] = CueRecord(entry, words: id, others: others)
    let sharedLane = others.isEmpty ? nil : -1 - Int32(truncatingIfNeeded: record & 0x3fff_ffff)
    if let id {
      words[record] = SentWords(
        id: id, voices: nextVoice...(nextVoice + UInt64(parts.count - 1)), sharedLane: sharedLane)
      spoken.send(entry, parts, as: id, with: others)
    }
    counts[lane, default: 0] += parts.count
    for other in others { counts[other.id.lane, default: 0] += 1 }
    for (index, part) in parts.enumerated() {
      let id = nextVoice
      nextVoice += 1
      voices[id] = SentVoice(
        lane: lane, record: record, part: index,
        beginsWords: part.isSpeech && index == 0)
      // A clip may not overtake a withdrawal.
      let isSent =
        unsent.isEmpty
        && link.play(
          part.clip, id: id, lane: sharedLane ?? Int32(lane.slot), due: part.due,
          gain: part.isSpeech ? gain : 1, isSpeech: part.isSpeech, isTimed: part.isTimed)
      if !isSent {
        decide(.missed, of: id)
        ended(id)
      }
    }
  }

  /// Hands a tick of a metronome over. Nothing is recorded of it, and it keeps no lane alive.
  mutating func sendTick(_ clip: PCMClip, due: BootInstant, lane: LaneID) {
    // It may not overtake a withdrawal.
    guard unsent.isEmpty else { return }
    let id = nextVoice
    nextVoice += 1
    _ = link.play(clip, id: id, lane: Int32(lane.slot), due: due, gain: 1, isTick: true)
  }

  /// Withdraws all cues of a lane: what sounds is faded out.
  mutating func withdraw(lane: LaneID, at now: BootInstant) {
    spoken.withdraw(lane, at: now)
    words = words.filter { $0.value.id.lane != lane || $0.value.sharedLane != nil }
    unsent.append(.withdraw(lane: Int32(lane.slot)))
    sendUnsent()
  }

  /// Fades out words that were said for several lanes.
  mutating func silence(_ announcement: AnnouncementID) {
    guard let sent = words.values.first(where: { $0.id == announcement }),
      let lane = sent.sharedLane
    else { return }
    spoken.withdraw([announcement])
    unsent.append(.withdraw(lane: lane))
    sendUnsent()
  }

  /// Withdraws announcements that have not begun: nothing more is heard or reported of them.
  mutating func withdraw(_ announcements: [AnnouncementID]) {
    spoken.withdraw(announcements)
    let withdrawn = Set(announcements)
    let found = words.filter { withdrawn.contains($0.value.id) }.sorted { $0.key < $1.key }
    for (record, sent) in found {
      words[record] = nil
      release(records.removeValue(forKey: record)?.others ?? [])
      unsent += sent.voices.map { .withdrawVoice(id: $0) }
    }
    sendUnsent()
  }

  /// Looks whether the output takes its commands, at a check: where its thread hangs, it cannot report that itself.
  mutating func watchOutput(at now: BootInstant, every pace: Duration) {
    let progress = link.progress
    let news = watchdog.look(
      taken: progress.taken, isWaiting: progress.isWaiting || !unsent.isEmpty, at: now, every: pace)
    if let news { events.append(.output(news, at: now)) }
  }

  mutating func note(_ event: OutputEvent) {
    switch event {
    case .lost(let error, let instant):
      watchdog.note(isLost: true)
      events.append(.output(.lost(error), at: instant))
    case .plays(let time): leadTime = time.map { .known($0) } ?? .unknown
    case .closed: leadTime = .unknown
    case .notRealtime(let instant): events.append(.output(.notRealtime, at: instant))
    }
  }

  /// Moves the master volume to this linear gain, 0…1.
  mutating func setVolume(_ gain: Float) {
    unsent.append(.volume(gain))
    sendUnsent()
  }

  /// What finds the mixer's queue full is sent later.
  private mutating func sendUnsent() {
    while let command = unsent.first, link.commands.push(command) { unsent.removeFirst() }
  }

  // MARK: From the mixer

  /// What has become known since the last call, in order.
  mutating func collect() -> [Event] {
    while let report = link.nextReport() {
      switch report {
      case .onset(let id, let instant):
        guard let voice = voices[id] else { continue }
        records[voice.record]?.heard(voice.part, at: instant)
        begin(voice)
      case .unheard(let id):
        decide(.unheard, of: id)
        if let voice = voices[id] { begin(voice) }
      case .missed(let id): decide(.missed, of: id)
      case .withdrawn(let id), .cut(let id): decide(.withdrawn, of: id)
      case .ended(let id): ended(id)
      case .xrun(let instant): events.append(.output(.xrun, at: instant))
      case .back(let instant):
        watchdog.note(isLost: false)
        events.append(.output(.recovered, at: instant))
      case .minimumLeadTime(let time): leadTime = .known(time)
      }
    }
    sendUnsent()
    defer { events = [] }
    return events
  }

  /// The output has stopped: what it has left without a report is withdrawn.
  mutating func abandon() {
    for id in voices.keys.sorted() {
      decide(.withdrawn, of: id)
      ended(id)
    }
  }

  private mutating func begin(_ voice: SentVoice) {
    if voice.beginsWords { events.append(.wordsBegan(lane: voice.lane)) }
  }

  private mutating func decide(_ fate: CueRecord.Fate, of id: UInt64) {
    guard let voice = voices[id] else { return }
    records[voice.record]?.set(fate, ofPart: voice.part)
  }

  /// A part is over; the cue is closed with the last one, when nothing can change it.
  private mutating func ended(_ id: UInt64) {
    guard let voice = voices.removeValue(forKey: id) else { return }
    if records[voice.record]?.partEnded() == true,
      let record = records.removeValue(forKey: voice.record)
    {
      words[voice.record] = nil
      if let id = record.words { spoken.end(id) }
      events.append(.closed(record.closed, lane: voice.lane, words: record.words))
      for other in record.closedOthers {
        events.append(.closed(other.entry, lane: other.id.lane, words: other.id))
      }
      release(record.others)
    }
    release(voice.lane)
  }

  private mutating func release(_ others: [SharedEntry]) {
    for other in others { release(other.id.lane) }
  }

  private mutating func release(_ lane: LaneID) {
    counts[lane]! -= 1
    if counts[lane] == 0 { counts[lane] = nil }
    events.append(.released(lane: lane))
  }
}
