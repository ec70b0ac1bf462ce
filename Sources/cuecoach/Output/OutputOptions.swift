import ALSAOutput
import ArgumentParser
import CueSound
import InstalledFiles
import Presets

/// The options of every command that plays on a device.
struct OutputOptions: ParsableArguments {
  @Option(help: "The ALSA device to play on; without it, that of config.yaml or default.")
  var device: String?
  @Option(
    parsing: .unconditional, help: "How loud to play, 0 to 100; at most what config.yaml allows.")
  var volume: Int?
  @Option(
    parsing: .unconditional,
    help: "Milliseconds to play earlier, for a speaker that is late: -500 to 1000.")
  var latency: Double?
  @Option(help: "What the device gets while nothing is heard.")
  var keepAlive: OutputProfile.KeepAlive?
  @Option(
    parsing: .unconditional, help: "Seconds of silence to play before the first cue: 0 to 30.")
  var warmUp: Double?

  /// - Parameters:
  ///   - name: of another device than the option's; nil: that.
  ///   - hasSound: false to play on no device; no profile is needed then.
  func choice(
    _ configuration: Configuration, device name: String? = nil, hasSound: Bool = true,
    warn: (String) -> Void
  ) throws(UserError) -> OutputChoice {
    try check("--volume", volume.map(Double.init), OutputSettings.volumes)
    try check("--latency", latency, OutputSettings.latencies)
    try check("--warm-up", warmUp, OutputSettings.warmUps)
    guard hasSound else { return OutputChoice(device: nil, volume: volume ?? 100) }
    let settings = OutputSettings(
      latency: latency.map { .milliseconds($0) },
      keepAlive: keepAlive.flatMap { OutputSettings.KeepAlive(rawValue: $0.rawValue) },
      warmUp: warmUp.map { .seconds($0) }, volume: volume)
    return OutputChoice(
      device: name ?? device, settings, configuration, card: { DeviceName($0).card }, warn: warn)
  }

  private func check(
    _ option: String, _ value: Double?, _ range: ClosedRange<Int>
  ) throws(UserError) {
    guard let value, !(Double(range.lowerBound)...Double(range.upperBound)).contains(value) else {
      return
    }
    let text = value == value.rounded() && value.magnitude < 1e15 ? "\(Int(value))" : "\(value)"
    throw .usage(
      "\(option) \(text): expected a number from \(range.lowerBound) to \(range.upperBound)")
  }
}

extension OutputProfile.KeepAlive: ExpressibleByArgument {}

extension ALSAOutput {
  convenience init(_ choice: OutputChoice, tap: RecordingTap? = nil) {
    self.init(
      device: choice.device, rate: SampleRate.standard, gain: choice.gain, profile: choice.profile,
      drifts: DriftFile.memory(in: context.folders.state), tap: tap)
  }
}
