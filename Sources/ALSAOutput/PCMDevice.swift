import CALSA
import CueSound

/// One opened playback device: 16 bit, mono or stereo. The holder closes it.
///
/// Plain values, used by the audio thread. After any failure it can only be recovered or closed.
struct PCMDevice: BitwiseCopyable {
  let channels: Int
  let bufferFrames: Int
  let periodFrames: Int
  private let pcm: OpaquePointer

  /// The key under which the device's drift is kept: its card's id, else its own name. Nil for a sound
  /// server, behind which any card may be. Allocates.
  func identity(of name: String) -> String? {
    var card = [CChar](repeating: 0, count: 64)
    cuecoach_pcm_card(pcm, &card)
    let id = String(
      decoding: card.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    if !id.isEmpty { return "CARD=\(id)" }
    return isServer ? nil : name
  }

  /// True where frames that were written can be taken back. Libasound says so of a sound server and of dmix
  /// too, but a server does not do it, and after some rewinds dmix plays silence instead of what is written
  /// next (alsa-lib 1.2.14). Allocates.
  var rewinds: Bool {
    guard let words = PCMWords.of(pcm) else { return true }
    return !isServer && !words.hasPrefix("Direct Stream Mixing")
  }

  /// True for the way to a sound server or a radio link. Allocates.
  var isServer: Bool {
    // The plugins name themselves so: "ALSA <-> PulseAudio PCM I/O Plugin", "BlueALSA PCM: …".
    guard let words = PCMWords.of(pcm) else { return false }
    return words.utf8.contains(UInt8(ascii: "<")) || words.hasPrefix("BlueALSA")
  }

  /// Opens and configures; never waits for a busy device. Allocates.
  static func open(_ name: String, rate: Int) throws(SoundOutputError) -> PCMDevice {
    var pcm: OpaquePointer?
    let result = snd_pcm_open(&pcm, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
    guard result >= 0, let pcm else { throw error(result, in: "snd_pcm_open", of: name) }
    var failure = error(-EINVAL, in: "snd_pcm_open", of: name)
    // Stereo first, then mono; if both fail, the error is that of stereo.
    for channels in [2, 1] {
      var period = UInt(rate) / 100
      var buffer = UInt(rate) * 3 / 4
      var call: UnsafePointer<CChar>?
      let result = cuecoach_pcm_configure(
        pcm, UInt32(rate), UInt32(channels), &period, &buffer, &call)
      if result >= 0 {
        return PCMDevice(
          channels: channels, bufferFrames: Int(buffer), periodFrames: Int(period), pcm: pcm)
      }
      if channels == 2 {
        failure = error(result, in: call.map { String(cString: $0) } ?? "", of: name)
      }
    }
    snd_pcm_close(pcm)
    throw failure
  }

  func observe() throws(DeviceFailure) -> DevicePosition {
    var observation = cuecoach_pcm_observation()
    let result = cuecoach_pcm_observe(pcm, &observation)
    // From PulseAudio's plugin until the server has reported its timing.
    if result == -EIO { throw .noTiming }
    guard result >= 0 else { throw failure(result, in: "snd_pcm_status") }
    let queued = Frames(bufferFrames) - Frames(Int64(observation.avail))
    switch UInt32(bitPattern: observation.state) {
    case SND_PCM_STATE_XRUN.rawValue: throw .xrun
    case SND_PCM_STATE_SUSPENDED.rawValue: throw .suspended(queued: queued)
    case SND_PCM_STATE_DISCONNECTED.rawValue: throw .lost(code: -ENODEV, in: "snd_pcm_status")
    default: break
    }
    return DevicePosition(
      isRunning: observation.state == Int32(bitPattern: SND_PCM_STATE_RUNNING.rawValue),
      delay: Frames(Int64(observation.delay)),
      queued: queued)
  }

  /// Frames in the device's own buffer, for a device that reports no delay.
  func queued() throws(DeviceFailure) -> Frames {
    let free = snd_pcm_avail_update(pcm)
    guard free >= 0 else { throw failure(Int32(free), in: "snd_pcm_avail_update") }
    return Frames(bufferFrames) - Frames(free)
  }

  /// Writes interleaved frames; returns how many it took.
  func write(_ samples: UnsafePointer<Int16>, frames: Int) throws(DeviceFailure) -> Int {
    let result = snd_pcm_writei(pcm, samples, UInt(frames))
    guard result >= 0 else { throw failure(Int32(result), in: "snd_pcm_writei") }
    return result
  }

  /// Takes back up to this many frames that were written last; returns how many it gave back.
  func rewind(_ frames: Int) throws(DeviceFailure) -> Int {
    let result = snd_pcm_rewind(pcm, UInt(frames))
    switch -result {
    case Int(EPIPE), Int(ESTRPIPE), Int(ENODEV): throw failure(Int32(result), in: "snd_pcm_rewind")
    default: return max(0, result)
    }
  }

  func start() throws(DeviceFailure) { try check(snd_pcm_start(pcm), "snd_pcm_start") }

  /// Makes it ready for new frames after an xrun.
  func prepare() throws(DeviceFailure) { try check(snd_pcm_prepare(pcm), "snd_pcm_prepare") }

  /// After a sleep; `again` while the device is not back yet.
  func wakeUp() throws(DeviceFailure) { try check(snd_pcm_resume(pcm), "snd_pcm_resume") }

  func close() { snd_pcm_close(pcm) }

  private func check(_ result: Int32, _ call: StaticString) throws(DeviceFailure) {
    guard result >= 0 else { throw failure(result, in: call) }
  }

  private func failure(_ result: Int32, in call: StaticString) -> DeviceFailure {
    switch -result {
    case EPIPE: .xrun
    case ESTRPIPE: .suspended(queued: nil)
    case EAGAIN: .again
    default: .lost(code: result, in: call)
    }
  }

  /// The error to report for a failure that ends the device's use. Allocates.
  static func error(_ failure: DeviceFailure, of name: String) -> SoundOutputError {
    switch failure {
    case .lost(let result, let call): error(result, in: "\(call)", of: name)
    case .stuck:
      SoundOutputError(
        kind: .stuck, device: name, detail: "it has played nothing for a second or more")
    case .xrun, .suspended, .noTiming, .again:
      SoundOutputError(kind: .failed, device: name, detail: "it does not recover")
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
