/// What the audio thread does next. `OutputControl` decides it; the adapter does it and reports back.
public enum OutputStep: BitwiseCopyable, Sendable {
  /// Open and configure the device, then `opened` or `lost`.
  case open
  /// Ask the device for its position, then `observed` or `failed`.
  case observe
  /// Ask how many frames the device's own buffer holds, then `counted` or `failed`.
  case countQueued
  /// Have `render` fill a block of so many frames.
  case render(frames: Int)
  /// Write these frames of the last block, then `wrote` or `failed`.
  case write(from: Int, frames: Int)
  /// Take back the frames written last, then `rewound` or `failed`.
  case rewind(frames: Int)
  /// Start the device, then `started` or `failed`. `isNew`: it has just been opened, so the holder
  /// hears of `reach` before.
  case start(isNew: Bool)
  /// Make the device ready after it ran dry, then `prepared` or `failed`.
  case prepare
  /// Wake the device after the machine slept, then `resumed` or `failed`.
  case resume
  /// Close the device, keep what was learned of it, report the loss, then `lost`.
  case giveUp(DeviceFailure)
  /// Close the device, keep what was learned of it, and wait. `.max`: until somebody wakes the thread.
  case rest(nanoseconds: Int64)
  /// Wait. `.max`: until somebody wakes the thread.
  case wait(nanoseconds: Int64)
}

/// Why a call on a device failed.
public enum DeviceFailure: Error, BitwiseCopyable, Sendable {
  /// It ran dry.
  case xrun
  /// The machine slept.
  case suspended
  /// It knows no position yet.
  case noTiming
  /// It takes nothing now.
  case again
  /// It takes sound and plays none.
  case stuck
  /// A call failed with the system's own code: the device must be opened anew.
  case lost(code: Int32, in: StaticString)
}

/// What a device says of its position.
public struct DevicePosition: BitwiseCopyable, Hashable, Sendable {
  public var isRunning: Bool
  /// Frames written and not yet heard, wherever they are.
  public var delay: Int64
  /// Those of them in the device's own buffer.
  public var queued: Int64

  public init(isRunning: Bool, delay: Int64, queued: Int64) {
    self.isRunning = isRunning
    self.delay = delay
    self.queued = queued
  }
}

/// What is known of a device that has been opened.
public struct OpenedDevice: BitwiseCopyable, Hashable, Sendable {
  /// Frames.
  public var buffer: Int
  public var period: Int
  /// It leads to a sound server or a radio link, whose position wanders.
  public var isServer: Bool
  /// The same card was open before.
  public var isSame: Bool
  /// The card's drift as it was last kept, parts per million.
  public var drift: Double?

  public init(buffer: Int, period: Int, isServer: Bool, isSame: Bool, drift: Double?) {
    self.buffer = buffer
    self.period = period
    self.isServer = isServer
    self.isSame = isSame
    self.drift = drift
  }
}
