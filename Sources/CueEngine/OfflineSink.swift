import CueSound

/// Where the sounds of an offline run go. Frame n of the mixer is heard at exactly n / rate seconds.
struct OfflineSink: ~Copyable {
  private let link: MixerLink
  private var mixer: Mixer
  private let map: FrameMap
  /// True where whatever is handed off counts as heard and over at once, however far ahead it is due.
  private let countsAsHeard: Bool

  init(_ link: MixerLink, rate: Int, countsAsHeard: Bool) {
    self.link = link
    mixer = Mixer(link: link, rate: rate)
    map = FrameMap(frame: 0, instant: .boot, rate: Double(rate))
    self.countsAsHeard = countsAsHeard
  }

  /// When all that was handed over is over; nil where it is.
  var lastEnd: BootInstant? { mixer.lastEnd(map: map).map(map.instant) }

  /// Takes what the coach has sent.
  mutating func takeCommands() {
    guard countsAsHeard else {
      mixer.takeCommands(map: map)
      return
    }
    while let command = link.commands.pop() {
      guard case .play(let voice) = command else { continue }
      // The ring holds every report of every voice.
      _ = link.reports.push(.onset(voice.id, at: voice.due))
      _ = link.reports.push(.ended(voice.id))
    }
  }

  /// Plays up to `instant`, and computes no sound. What begins then has not been heard yet.
  mutating func pass(to instant: BootInstant) {
    mixer.pass(to: map.frame(at: instant), map: map)
  }

  /// How many frames are left until `instant`.
  func frames(until instant: BootInstant) -> Int {
    Int(max(0, map.frame(at: instant) - mixer.frame))
  }

  /// Whether the next `count` frames are silent; if so, they are passed.
  mutating func skipSilence(_ count: Int) -> Bool {
    guard mixer.isSilent(for: count, map: map) else { return false }
    mixer.skip(to: mixer.frame + Frames(count))
    return true
  }

  /// Plays the next frames into `target`.
  mutating func render(into target: UnsafeMutablePointer<Int16>, count: Int) {
    mixer.render(into: target, count: count, map: map)
    mixer.heard(upTo: mixer.frame, map: map, by: .heard)
  }
}
