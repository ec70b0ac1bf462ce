import CueSound
import Dispatch

/// Keeps what is heard: takes samples from a tap twice a second and appends them to a WAV file.
public final class Recorder: SoundRecording, @unchecked Sendable {
  // Unchecked: everything mutable is touched on `queue` only.

  /// As given to the initialiser: for the output whose sound is recorded.
  public let tap: RecordingTap
  private let queue = DispatchQueue(label: "cuecoach.recorder")
  private let timer: any DispatchSourceTimer
  private var writer: WAVWriter?
  private var block: [Int16]
  private let failed: @Sendable (SoundFileError) -> Void

  /// Creates the file, or replaces it, and records from now on.
  ///
  /// - Parameters:
  ///   - path: of the WAV file: 16 bits, mono, at the rate of the tap.
  ///   - tap: what the output copies everything into that it renders: `ALSAOutput` takes one.
  ///   - seconds: how long the recording is meant to become. Beyond 12 h the file may need to end as RF64, which not
  ///     every program reads; 0: that is not known.
  ///   - failed: called once, on the recorder's queue, when the file cannot be written any more; the recording
  ///     ends there.
  public init(
    _ path: String, tap: RecordingTap, seconds: Int = 0,
    failed: @escaping @Sendable (SoundFileError) -> Void
  ) throws(SoundFileError) {
    self.tap = tap
    self.failed = failed
    writer = try WAVWriter(path, rate: tap.rate, seconds: seconds)
    block = Array(repeating: 0, count: tap.rate)
    timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now() + .milliseconds(500), repeating: .milliseconds(500),
      leeway: .milliseconds(100))
    timer.setEventHandler { [weak self] in self?.drain() }
    timer.activate()
  }

  /// Writes what is left and closes the file. Blocks. Call it when nothing renders any more.
  public func finish() {
    timer.cancel()
    queue.sync {
      drain()
      writer = nil
    }
  }

  private func drain() {
    while writer != nil {
      let count = block.withUnsafeMutableBufferPointer {
        tap.samples.pop(into: $0.baseAddress!, count: $0.count)
      }
      guard count > 0 else { return }
      do throws(SoundFileError) {
        try writer?.write(block, count: count)
      } catch {
        writer = nil
        failed(error)
      }
    }
  }
}
