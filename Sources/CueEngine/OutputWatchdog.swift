import CueSound

/// Watches whether the output takes its commands: one whose thread hangs, or was never written, plays nothing
/// and cannot say so itself.
///
/// ```
///           5 s without a command taken
///   taking ─────────────────────────────▶ stuck
///     ▲   takes one, or reports itself lost │
///     └─────────────────────────────────────┘
/// ```
struct OutputWatchdog {
  /// Opening a device may take seconds.
  static let patience = Duration.seconds(5)

  private var taken = 0
  /// Since when commands have waited while none was taken.
  private var since: BootInstant?
  private var lookedAt: BootInstant?
  private var isStuck = false
  /// The output has reported itself that it is lost: it is the one to say more.
  private var isLost = false

  static func stuck(for time: Duration) -> SoundOutputError {
    SoundOutputError(
      kind: .stuck, device: "",
      detail: "the output has taken no command for \(time.components.seconds) s")
  }

  /// The output reports that its device is lost, or back.
  mutating func note(isLost: Bool) {
    self.isLost = isLost
    (isStuck, since) = (false, nil)
  }

  /// Looks at the queue at a check: `lost` where the output is stuck, `recovered` where it takes commands again.
  ///
  /// - Parameters:
  ///   - taken: how many commands the output has taken so far.
  ///   - isWaiting: whether others wait.
  ///   - pace: how often the check runs.
  mutating func look(
    taken: Int, isWaiting: Bool, at now: BootInstant, every pace: Duration
  ) -> OutputNews? {
    // Where there was no check, the machine slept, the process was stopped or nothing ran: the output may not
    // have run either.
    let hasGap = lookedAt.map { $0.duration(to: now) > max(pace * 2, Self.patience / 2) } ?? true
    lookedAt = now
    guard taken == self.taken, isWaiting else {
      self.taken = taken
      since = nil
      defer { isStuck = false }
      return isStuck ? .recovered : nil
    }
    guard !isStuck, !isLost else { return nil }
    guard let since, !hasGap else {
      self.since = now
      return nil
    }
    let time = since.duration(to: now)
    guard time >= Self.patience else { return nil }
    isStuck = true
    return .lost(Self.stuck(for: time))
  }
}
