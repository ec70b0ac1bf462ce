import CueSound
import IntervalTimeline

/// Which words a placing can use. Where room is kept, lengths are enough; where words may be awaited, those
/// that are not there can be ordered; otherwise only what is there can be said.
struct SpeakableWords {
  private let speech: (any SpeechSource)?
  let mayWait: Bool
  /// Whether there was no time for a rendering; otherwise words that are not there cannot be spoken.
  private let isOverdue: Bool
  /// Whether only room is needed now, the words later.
  private(set) var isReserving = false

  init(_ speech: (any SpeechSource)?, mayWait: Bool, isOverdue: Bool) {
    (self.speech, self.mayWait, self.isOverdue) = (speech, mayWait, isOverdue)
  }

  /// The same for words that only need room now.
  var reserved: SpeakableWords {
    var words = self
    words.isReserving = true
    return words
  }

  private var isSaidNow: Bool { !mayWait && !isReserving }

  func length(of text: String, _ voice: SpeechVoice) -> Spoken<Duration> {
    speech?.length(of: text, voice: voice) ?? .impossible
  }

  func clip(_ text: String, _ voice: SpeechVoice, within longest: Duration) -> Spoken<PCMClip> {
    speech?.clip(text, voice: voice, within: longest) ?? .impossible
  }

  /// Whether what is probably said of it is there, and all lengths are known.
  func isReady(_ wording: CueWording, _ voice: SpeechVoice) -> Bool {
    guard !isReserving else { return isMeasured(wording, voice) }
    guard mayWait else { return true }
    return isReady(wording.likelyTexts, lengthsOf: wording.texts, of: wording, voice)
  }

  /// Whether the lengths of all its wordings are known, or those that are known have to do.
  func isMeasured(_ wording: CueWording, _ voice: SpeechVoice) -> Bool {
    isSaidNow || isReady([], lengthsOf: wording.texts, of: wording, voice)
  }

  private func isReady(
    _ texts: [String], lengthsOf others: [String], of wording: CueWording, _ voice: SpeechVoice
  ) -> Bool {
    guard let speech else { return true }
    guard let numbers = wording.numbers, case let count = countVoice(numbers, voice), count != voice
    else { return speech.isReady(texts, lengthsOf: others, voice: voice) }
    func isReady(_ voice: SpeechVoice, _ isMeant: (String) -> Bool) -> Bool {
      speech.isReady(texts.filter(isMeant), lengthsOf: others.filter(isMeant), voice: voice)
    }
    return isReady(voice) { !numbers.contains($0) } && isReady(count) { numbers.contains($0) }
  }

  /// The voice of all numbers of a count.
  func countVoice(_ numbers: [String], _ voice: SpeechVoice) -> SpeechVoice {
    voice.engine == nil ? voice : speech?.countVoice(numbers, voice) ?? voice
  }

  /// Why another voice speaks a text; nil where the voice itself does.
  func reasonForStandIn(_ text: String, _ voice: SpeechVoice) -> String? {
    voice.engine == nil ? nil : speech?.reasonForStandIn(text, voice)
  }

  /// Why another voice says all numbers of a count.
  func reasonForStandIns(_ numbers: [String], _ voice: SpeechVoice) -> String {
    numbers.lazy.compactMap { reasonForStandIn($0, voice) }.first ?? "it says a number too slowly"
  }

  /// What has to be rendered of a wording so that it is ready.
  func orders(for wording: CueWording, _ voice: SpeechVoice) -> [SpeechOrder] {
    let numbers = wording.numbers ?? []
    let count = countVoice(numbers, voice)
    func order(_ text: String, _ purpose: SpeechOrder.Purpose) -> SpeechOrder {
      SpeechOrder(text: text, voice: numbers.contains(text) ? count : voice, purpose: purpose)
    }
    return wording.likelyTexts.map { order($0, .clip) } + wording.texts.map { order($0, .length) }
  }

  /// What has to be measured so that room can be kept for these texts.
  func unmeasured(_ texts: [String], _ voice: SpeechVoice) -> [SpeechOrder] {
    texts.filter { length(of: $0, voice).isMissing }.map {
      SpeechOrder(text: $0, voice: voice, purpose: .length)
    }
  }

  /// The texts that can be used, and how long each sounds.
  func usable(
    _ texts: ArraySlice<String>, _ voice: SpeechVoice
  ) -> [(text: String, length: Duration)] {
    texts.compactMap { text in
      guard case .there(let length) = length(of: text, voice),
        !isSaidNow || isThere(text, voice)
      else { return nil }
      return (text, length)
    }
  }

  /// How long a number sounds; zero where it cannot be used.
  func numberLength(_ word: String, _ voice: SpeechVoice) -> Duration {
    let longest = AnnouncementLayout.longestCount
    switch length(of: word, voice) {
    case .there(let length):
      if isSaidNow {
        guard case .there = clip(word, voice, within: longest) else { return .zero }
      }
      return min(length, longest)
    // By its time it may be there.
    case .missing: return isReserving ? longest : .zero
    case .impossible: return .zero
    }
  }

  /// Why none of these texts can be said, where none is there.
  func reasonWithoutWords(_ texts: [String], _ voice: SpeechVoice) -> String {
    if isLate(texts, voice) { return LaidOutCue.notRendered }
    return texts.contains { if case .there = length(of: $0, voice) { true } else { false } }
      ? LaidOutCue.tooLong : "it cannot be spoken"
  }

  /// Whether any of these texts may be there later.
  func isLate(_ texts: [String], _ voice: SpeechVoice) -> Bool {
    texts.contains { text in
      switch length(of: text, voice) {
      case .there: !isThere(text, voice)
      case .missing: isOverdue
      case .impossible: false
      }
    }
  }

  private func isThere(_ text: String, _ voice: SpeechVoice) -> Bool {
    speech?.isReady([text], lengthsOf: [], voice: voice) ?? false
  }
}
