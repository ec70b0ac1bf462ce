import CALSA
import CueSound

/// One opened playback device: 16 bit, mono or stereo. Not closed by itself.
///
/// Used by the audio thread. After any error the device can only be recovered or closed.
struct PCMDevice {
  /// What a call came back with.
  enum Failure: Error {
    /// It ran dry.
    case xrun
    /// The machine slept.
    case suspended
    /// It knows no position yet.
    case noTiming
    /// It takes nothing now.
    case again
    /// It is lost.
    case lost(SoundOutputError)
  }

  struct Observation {
    let isRunning: Bool
    /// Frames written and not yet heard.
    let delay: Int
  }

  let name: String
  let channels: Int
  fileprivate let pcm: OpaquePointer

  /// Opens and configures; never waits for a busy device. Allocates.
  static func open(_ name: String, rate: Int) throws(SoundOutputError) -> PCMDevice {
    var pcm: OpaquePointer?
    let result = snd_pcm_open(&pcm, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
    guard result >= 0, let pcm else {
      throw error(result, in: "snd_pcm_open", of: name)
    }
    var failure: SoundOutputError?
    for channels in [2, 1] {
      var period: UInt = UInt(rate) / 100
      var buffer: UInt = UInt(rate) / 2
      var call: UnsafePointer<CChar>?
      let result = cuecoach_pcm_configure(
        pcm, UInt32(rate), UInt32(channels), &period, &buffer, &call)
      if result >= 0 {
        return PCMDevice(name: name, channels: channels, pcm: pcm)
      }
      failure = failure ?? error(result, in: call.map { String(cString: $0) } ?? "", of: name)
    }
    snd_pcm_close(pcm)
    throw failure!
  }

  func observe() throws(Failure) -> Observation {
    var observation = cuecoach_pcm_observation()
    let result = cuecoach_pcm_observe(pcm, &observation)
    guard result >= 0 else { throw failure(result, in: "snd_pcm_status") }
    switch UInt32(bitPattern: observation.state) {
    case SND_PCM_STATE_XRUN.rawValue: throw .xrun
    case SND_PCM_STATE_SUSPENDED.rawValue: throw .suspended
    case SND_PCM_STATE_DISCONNECTED.rawValue: throw failure(-ENODEV, in: "snd_pcm_status")
    default: break
    }
    return Observation(
      isRunning: observation.state == Int32(bitPattern: SND_PCM_STATE_RUNNING.rawValue),
      delay: observation.delay)
  }

  /// Writes interleaved frames; returns how many it took.
  func write(_ samples: UnsafePointer<Int16>, frames: Int) throws(Failure) -> Int {
    let result = snd_pcm_writei(pcm, samples, UInt(frames))
    guard result >= 0 else { throw failure(Int32(result), in: "snd_pcm_writei") }
    return result
  }

  func start() throws(Failure) { try check(snd_pcm_start(pcm), "snd_pcm_start") }

  /// Makes it ready for new frames after an xrun.
  func prepare() throws(Failure) { try check(snd_pcm_prepare(pcm), "snd_pcm_prepare") }

  /// After a sleep; `again` while the device is not back yet.
  func wakeUp() throws(Failure) { try check(snd_pcm_resume(pcm), "snd_pcm_resume") }

  func close() { snd_pcm_close(pcm) }

  private func check(_ result: Int32, _ call: String) throws(Failure) {
    guard result >= 0 else { throw failure(result, in: call) }
  }

  private func failure(_ result: Int32, in call: String) -> Failure {
    switch -result {
    case EPIPE: .xrun
    case ESTRPIPE: .suspended
    // PulseAudio's plugin until the server has told its timing.
    case EIO: .noTiming
    case EAGAIN: .again
    default: .lost(Self.error(result, in: call, of: name))
    }
  }

  static func error(_ result: Int32, in call: String, of name: String) -> SoundOutputError {
    let kind: SoundOutputError.Kind =
      switch -result {
      case EBUSY: .busy
      case ENOENT, ENODEV, ENXIO, ECONNREFUSED, EBADFD: .gone
      case EACCES, EPERM: .denied
      case EINVAL: .unsupported
      default: .failed
      }
    return SoundOutputError(
      kind: kind, device: name, detail: "\(call): \(String(cString: snd_strerror(result)))")
  }
}
