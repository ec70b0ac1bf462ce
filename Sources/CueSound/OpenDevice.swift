/// A device that has been opened: how far it has come, and how much sound is queued in it for how long.
///
/// That it takes back what it has not played is believed until it fails to: `rewinds` turns false once, and
/// stays so until the device is opened anew.
struct OpenDevice: BitwiseCopyable {
  /// How far it has come: it decides what a failure leads to.
  enum Phase: BitwiseCopyable {
    case opening
    case playing
    case recovering
  }

  let isServer: Bool
  private(set) var rewinds: Bool
  var phase = Phase.opening
  var fill: QueueFill
  var watch: ProgressWatch
  /// The first frame since it was started.
  var firstFrame: Frames
  var startedAt: BootInstant
  /// How often it has been asked whether it has woken up.
  private var resumeTries = 0
  /// The `minimumLeadTime` that was last reported.
  var reportedLeadTime: Duration?
  private let period: Frames
  private let periodLength: Duration
  private let bufferLength: Duration

  /// How often a device that is still asleep is asked whether it has woken up.
  private static var mostResumeTries: Int { 50 }
  /// The shortest wait between two turns.
  private static var shortest: Duration { .milliseconds(2) }
  /// Queued while a cue is near, where it can be taken back.
  private static var nearFill: Duration { .milliseconds(150) }
  /// While no cue is near: how much is queued, and how much of that is left at the next turn.
  private static var farFill: Duration { .milliseconds(700) }
  private static var farRest: Duration { .milliseconds(110) }
  /// Where whole periods are written, and each as soon as there is room for it, so much less is as safe.
  private static var spared: Duration { .milliseconds(18) }
  private static var longestBriefPeriod: Duration { .milliseconds(10) }
  /// Sound this close to being heard is never taken back: the hardware may have fetched it already.
  private static var rewindSafeguard: Duration { .milliseconds(25) }
  /// From handing a sound over to the audio thread's turn, on a machine that is not slow.
  private static var handOver: Duration { .milliseconds(10) }
  /// `minimumLeadTime` is reported again when it is another one by more than this.
  private static var noticedLeadTime: Duration { .milliseconds(1) }

  /// - Parameters:
  ///   - last: the device that was open before.
  ///   - frame: the frame that it is given first.
  init(
    _ device: PCMDescription, after last: OpenDevice?, rate: Int, frame: Frames,
    at now: BootInstant
  ) {
    isServer = device.isServer
    rewinds = device.rewinds
    period = Frames(device.period)
    periodLength = SampleRate.length(of: period, at: rate)
    bufferLength = SampleRate.length(of: Frames(device.buffer), at: rate)
    let kept = device.isSame ? last?.fill : nil
    fill = kept ?? QueueFill(period: periodLength)
    watch = ProgressWatch(frame: frame, at: now, isServer: isServer)
    firstFrame = frame
    startedAt = now
  }

  /// It has been started for the first time: from now on it is to show that it plays.
  mutating func beginsToPlay() {
    watch = ProgressWatch(frame: firstFrame, at: startedAt, isServer: isServer)
  }

  /// It sleeps, and may be asked once more whether it has woken up.
  var mayWakeUp: Bool { resumeTries < Self.mostResumeTries }

  /// After an underrun more is queued. True when that was so often that it plays nothing.
  mutating func underrun(at now: BootInstant) -> Bool {
    if watch.noteUnderrun(after: now - startedAt, at: now) { return true }
    fill.noteUnderrun(at: now)
    return false
  }

  /// It sleeps still. The next call reports again that it does.
  mutating func sleepsStill() {
    resumeTries += 1
    phase = .playing
  }

  /// It plays again.
  mutating func recovered() {
    resumeTries = 0
    phase = .playing
  }

  // MARK: The queue

  /// How much is queued while a cue is near: more where it can be taken back, and in a pause without
  /// voices, which is calm.
  func nearLength(isCalm: Bool) -> Duration {
    if rewinds || isCalm { return max(fill.length, Self.nearFill) }
    return isBrief(isCalm: isCalm) ? fill.length - Self.spared : fill.length
  }

  /// What is queued cannot be taken back, so little is: for a card of another rate behind a converter.
  private func isBrief(isCalm: Bool) -> Bool {
    !rewinds && !isServer && period > 0 && periodLength <= Self.longestBriefPeriod && !isCalm
  }

  /// Up to where it is to be given frames now.
  func fillEnd(
    at now: BootInstant, isFar: Bool, isCalm: Bool, by clock: borrowing CardClock
  ) -> Frames {
    let length = isFar ? Self.farFill : nearLength(isCalm: isCalm)
    let end = clock.map.frame(at: now + length) + clock.deviceDelay
    guard isBrief(isCalm: isCalm) else { return end }
    // Libasound's converters pass on whole periods: the rest of one is late and no reserve.
    let periods = ((end - firstFrame).value + period.value / 2) / period.value
    return firstFrame + Frames(periods * period.value)
  }

  /// When the queue, filled up to `written`, wants to be filled again.
  private func dueAt(
    after now: BootInstant, written: Frames, isFar: Bool, isCalm: Bool,
    by clock: borrowing CardClock
  ) -> BootInstant {
    let queued = clock.map.instant(of: written - clock.deviceDelay) - now
    if isBrief(isCalm: isCalm) { return now + min(periodLength, max(Self.shortest, queued / 2)) }
    // A turn at each pace while the clock learns the device, later when half of the queue has been
    // played. The device may hold less than was meant for it.
    let near = nearLength(isCalm: isCalm)
    let rest = isFar ? Self.farRest : clock.isLocked ? near / 2 : near - OutputControl.pace
    return now + max(Self.shortest, min(queued, bufferLength) - min(rest, queued / 2))
  }

  /// When the next turn comes best, and when at the latest, with the queue filled up to `written`.
  func nextTurn(
    after now: BootInstant, written: Frames, isFar: Bool, isCalm: Bool,
    by clock: borrowing CardClock
  ) -> (best: BootInstant, latest: BootInstant) {
    let latest = dueAt(after: now, written: written, isFar: isFar, isCalm: isCalm, by: clock)
    // Just before the pointer moves, to see it move: for its next step or, where turns are rare, for one of
    // the last steps.
    let earliest =
      isFar ? max(now, latest - OutputControl.pace) : min(latest, now + OutputControl.pace / 2)
    return (clock.goodInstant(from: earliest, to: latest), latest)
  }

  // MARK: Taking back

  /// How many of the frames up to `written` can still be taken back, if any.
  func surplus(of written: Frames, at now: BootInstant, by clock: borrowing CardClock) -> Frames? {
    let surplus = written - clock.map.frame(at: now + Self.rewindSafeguard) - clock.deviceDelay
    return rewinds && surplus > 0 ? surplus : nil
  }

  /// It gave back this many of its frames. One that gives back much less is not asked again.
  mutating func gaveBack(_ count: Frames, of surplus: Frames) {
    rewinds = count >= surplus - period
  }

  /// Before its start it was asked for frames as a trial: it has to give back all of them.
  mutating func wasTried(gaveBackAll: Bool) { rewinds = gaveBackAll }

  /// A sound that is handed over this long before it is due is heard on its frame; nil where that is not
  /// known.
  ///
  /// - Parameter delay: of the frames that have left the device's own buffer.
  func minimumLeadTime(delay: Duration) -> Duration? {
    guard rewinds else { return nil }
    return Self.rewindSafeguard + Self.handOver + (delay > Self.noticedLeadTime ? delay : .zero)
  }

  /// `minimumLeadTime` where it is to be reported again.
  mutating func newLeadTime(delay: Duration) -> Duration? {
    guard let time = minimumLeadTime(delay: delay), let reportedLeadTime,
      (time - reportedLeadTime).magnitude > Self.noticedLeadTime
    else { return nil }
    self.reportedLeadTime = time
    return time
  }
}
