/// What the audio thread does next. `OutputControl` decides it; the adapter does it and reports back.
package enum OutputStep: BitwiseCopyable, Sendable {
  /// Open and configure the device, then `opened` or `lost`.
  case open
  /// Ask the device for its position, then `observed` or `failed`.
  case observe
  /// Ask how many frames the device's own buffer holds, then `counted` or `failed`.
  case countQueued
  /// Have `render` fill a block of this many frames.
  case render(frames: Int)
  /// Write these frames of the last block, then `wrote` or `failed`.
  case write(from: Int, frames: Int)
  /// Take back the frames written last, then `rewound` or `failed`.
  case rewind(frames: Int)
  /// Start the device, then `started` or `failed`. `isNew`: it has just been opened, so report `minimumLeadTime`
  /// first.
  case start(isNew: Bool)
  /// Make the device ready after an underrun, then `prepared` or `failed`.
  case prepare
  /// Wake the device after the machine slept, then `resumed` or `failed`.
  case resume
  /// Close the device, keep what was learned of it, report the loss, then `lost`.
  case giveUp(DeviceFailure)
  /// Close the device, keep what was learned of it, and wait. `.unlimited`: until the thread is woken.
  case rest(Duration)
  /// Wait. `.unlimited`: until the thread is woken.
  case wait(Duration)
}

/// Why a call on a device failed.
package enum DeviceFailure: Error, BitwiseCopyable, Sendable {
  /// An underrun.
  case xrun
  /// The machine slept. The device's own buffer holds this many frames that it has not played; nil where it
  /// does not say.
  case suspended(queued: Frames?)
  /// It knows no position yet.
  case noTiming
  /// It takes nothing now.
  case again
  /// It takes sound and plays none.
  case stuck
  /// A call failed with the system's own code: the device must be opened anew.
  case lost(code: Int32, in: StaticString)
}

/// A device's report of its position.
package struct DevicePosition: BitwiseCopyable, Hashable, Sendable {
  package var isRunning: Bool
  /// Frames written and not yet heard, wherever they are.
  package var delay: Frames
  /// Those of them in the device's own buffer.
  package var queued: Frames

  package init(isRunning: Bool, delay: Frames, queued: Frames) {
    self.isRunning = isRunning
    self.delay = delay
    self.queued = queued
  }
}

/// A device that has been opened.
package struct PCMDescription: BitwiseCopyable, Hashable, Sendable {
  /// Frames.
  package var buffer: Int
  package var period: Int
  /// It leads to a sound server or a radio link, whose position wanders.
  package var isServer: Bool
  /// It takes back what it has not played yet.
  package var rewinds: Bool
  /// The same card was open before.
  package var isSame: Bool
  /// The card's drift as it was last kept, parts per million.
  package var drift: Double?

  package init(
    buffer: Int, period: Int, isServer: Bool, rewinds: Bool, isSame: Bool, drift: Double?
  ) {
    self.buffer = buffer
    self.period = period
    self.isServer = isServer
    self.rewinds = rewinds
    self.isSame = isSame
    self.drift = drift
  }
}
