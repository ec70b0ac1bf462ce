import ControlProtocol
import IntervalTimeline
import Presets

/// What was chosen for a run, by the options of a command or by a request of the control socket.
extension StyleRequest {
  /// The style, each value checked by itself.
  ///
  /// - Parameter label: how a message names a value: of "speech-volume", say.
  func checked(_ label: (String) -> String) throws(UserError) -> AnnouncementStyle {
    func check(
      _ name: String, _ value: Int?, _ range: ClosedRange<Int>
    ) throws(UserError) {
      guard let value, !range.contains(value) else { return }
      throw .usage(
        "\(label(name)) \(value): expected a whole number from \(range.lowerBound) to "
          + "\(range.upperBound)")
    }
    let tag = language.flatMap { LanguageTag($0) }
    if let language, tag == nil {
      throw .usage(
        "\(label("language")) \"\(language.shownName)\": expected \(LanguageTag.expected)")
    }
    if let voice, voice.isEmpty || voice.hasPrefix("+") || voice.hasSuffix("+") {
      throw .usage(
        "\(label("voice")) \"\(voice.shownName)\": expected a voice, or a voice and a variant as in "
          + "en+f3")
    }
    try check("countdown", countdown, AnnouncementStyle.countdownRange)
    try check("rate", rate, VoiceSettings.rates)
    try check("pitch", pitch, VoiceSettings.pitches)
    try check("speech-volume", speechVolume, VoiceSettings.volumes)
    var style = AnnouncementStyle(
      language: tag?.text,
      voice: VoiceSettings(
        name: voice, variant: variant, rate: rate, pitch: pitch, volume: speechVolume),
      sounds: sounds, countdown: countdown)
    if let density {
      guard let density = Density(rawValue: density) else {
        let names = Density.allCases.map(\.rawValue).joined(separator: ", ")
        throw .usage("\(label("density")) \"\(density.shownName)\": expected one of \(names)")
      }
      style.density = density
    }
    if let acknowledge {
      guard let commands = Acknowledgement.set(named: acknowledge) else {
        throw .usage(
          "\(label("acknowledge")) \"\(acknowledge.shownName)\": expected pause, resume, next, back "
            + "with commas between, all, or none")
      }
      style.acknowledge = commands
    }
    return style
  }
}
