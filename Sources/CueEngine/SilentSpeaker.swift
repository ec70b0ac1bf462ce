import CueSound

/// The other side of a mixer's link for a run without sound: each clip is heard on its instant and is over
/// when it has ended, by the rules of `Mixer`.
struct SilentSpeaker {
  private struct PlayingVoice {
    let voice: Voice
    let start: BootInstant
    let end: BootInstant
    var isReported = false
  }

  private let link: MixerLink
  private let rate: Int
  /// True where whatever is handed over counts as heard and over, however far ahead it is due.
  private let hearsAtOnce: Bool
  /// By their start.
  private var playing: [PlayingVoice] = []

  init(_ link: MixerLink, rate: Int, hearsAtOnce: Bool) {
    self.link = link
    self.rate = rate
    self.hearsAtOnce = hearsAtOnce
  }

  /// When all that was handed over is over; nil where it is.
  var lastEnd: BootInstant? { playing.map(\.end).max() }

  /// Takes what was sent up to `now`.
  mutating func takeCommands(at now: BootInstant) {
    while let command = link.commands.pop() {
      switch command {
      case .play(let voice): play(voice, at: now)
      case .withdraw(let lane): withdraw(at: now) { $0.lane == lane }
      case .withdrawVoice(let id): withdraw(at: now) { $0.id == id }
      case .volume: break
      }
    }
  }

  private mutating func play(_ voice: Voice, at now: BootInstant) {
    if hearsAtOnce {
      report(.onset(voice.id, at: voice.due))
      report(.ended(voice.id))
      return
    }
    guard voice.due + (voice.isTimed ? Mixer.timedLate : Mixer.usualLate) >= now else {
      report(.missed(voice.id))
      report(.ended(voice.id))
      return
    }
    let start = max(voice.due, now)
    let end = start + SampleRate.length(of: Frames(voice.count), at: rate)
    let place = playing.firstIndex { $0.start > start } ?? playing.endIndex
    playing.insert(PlayingVoice(voice: voice, start: start, end: end), at: place)
  }

  private mutating func withdraw(at now: BootInstant, where isWithdrawn: (Voice) -> Bool) {
    for one in playing where isWithdrawn(one.voice) {
      report(one.isReported ? .cut(one.voice.id) : .withdrawn(one.voice.id))
      report(.ended(one.voice.id))
    }
    playing.removeAll { isWithdrawn($0.voice) }
  }

  /// Plays up to `now`: what begins then has not been heard yet.
  mutating func advance(to now: BootInstant) {
    for index in playing.indices where playing[index].start < now && !playing[index].isReported {
      playing[index].isReported = true
      report(.onset(playing[index].voice.id, at: playing[index].start))
    }
    for one in playing.filter({ $0.isReported && $0.end <= now }).sorted(by: { $0.end < $1.end }) {
      report(.ended(one.voice.id))
    }
    playing.removeAll { $0.isReported && $0.end <= now }
  }

  private func report(_ report: MixerReport) {
    // The ring holds every report of every voice.
    _ = link.reports.push(report)
  }
}
