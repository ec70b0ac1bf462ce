import CALSA
import CueSound
import Synchronization

/// Where a device leads.
package enum DeviceTarget: Hashable, Sendable {
  /// A card's id, and its name in words.
  case card(String, name: String)
  /// A device without a card of its own, such as the way to a sound server, in its own words.
  case plugin(String)
  /// ALSA's null device.
  case null

  /// Finds out by opening `device` for a moment, as a run would. Blocks for two seconds at most.
  package static func of(_ device: String, rate: Int = SampleRate.standard) throws(SoundOutputError)
    -> DeviceTarget
  {
    let finding = Finding()
    // On a thread that can be left behind: a sound server or a driver may never answer.
    let thread = AudioThread {
      let found = Result { () throws(SoundOutputError) in try open(device, rate: rate) }
      finding.result.withLock { $0 = found }
    }
    thread.join()
    guard let result = finding.result.withLock({ $0 }) else {
      throw SoundOutputError(
        kind: .failed, device: device, detail: "it did not open within two seconds")
    }
    return try result.get()
  }

  private final class Finding: Sendable {
    /// Protects what the thread has found.
    let result = Mutex<Result<DeviceTarget, SoundOutputError>?>(nil)
  }

  private static func open(_ device: String, rate: Int) throws(SoundOutputError) -> DeviceTarget {
    _ = cuecoach_alsa_silence_errors()
    // Whether it takes our sound at all.
    try PCMDevice.open(device, rate: rate).close()
    var pcm: OpaquePointer?
    var result = snd_pcm_open(&pcm, device, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
    guard result >= 0, let pcm else {
      throw PCMDevice.error(result, in: "snd_pcm_open", of: device)
    }
    defer { snd_pcm_close(pcm) }
    var info: OpaquePointer?
    snd_pcm_info_malloc(&info)
    defer { snd_pcm_info_free(info) }
    result = snd_pcm_info(pcm, info)
    guard result >= 0 else { throw PCMDevice.error(result, in: "snd_pcm_info", of: device) }
    let number = snd_pcm_info_get_card(info)
    if number >= 0 {
      return .card(DeviceList.id(ofCard: number), name: DeviceList.name(ofCard: number) ?? "")
    }
    if snd_pcm_type(pcm) == SND_PCM_TYPE_NULL { return .null }
    return .plugin(PCMWords.of(pcm) ?? device)
  }
}
