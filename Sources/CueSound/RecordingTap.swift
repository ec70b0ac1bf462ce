/// A copy of everything that is rendered, on its way from the audio thread to a file.
public final class RecordingTap: Sendable {
  /// Samples a second, of what is rendered and of the file.
  package let rate: Int
  /// Producer: the audio thread. Consumer: the thread that writes the file.
  package let samples: Ring<Int16>

  /// - Parameter seconds: how long the file may stall before sound is lost to it.
  public init(rate: Int = SampleRate.standard, seconds: Int = 5) {
    self.rate = rate
    samples = .allocate(atLeast: rate * seconds)
  }

  deinit { samples.deallocate() }
}

/// A recording under way, as a host ends it.
public protocol SoundRecording: Sendable {
  /// Writes what is left and closes the file. Blocks on the disk.
  func finish()
}
