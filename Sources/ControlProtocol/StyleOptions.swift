import IntervalTimeline

/// A style as it is given on a command line and in a request: each value by itself, as text or number. Nil: not given.
package struct StyleOptions: Hashable, Codable, Sendable {
  package var language: String?
  /// Perhaps with its variant: "en-gb+f3".
  package var voice: String?
  package var variant: String?
  package var rate: Int?
  package var pitch: Int?
  package var speechVolume: Int?
  /// The name of a `Density`.
  package var density: String?
  package var countdown: Int?
  package var sounds: String?
  /// Names of `Acknowledgement` with commas between, "all" or "none".
  package var acknowledge: String?

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case language, voice, variant, rate, pitch, speechVolume, density, countdown, sounds,
      acknowledge
  }

  /// Of all options.
  static let names = CodingKeys.allCases.map(\.rawValue)

  package init() {}

  /// Nil for a style that asks for nothing. What a request cannot ask for is left out.
  init?(_ style: AnnouncementStyle) {
    language = style.language
    (voice, variant, rate) = (style.voice.name, style.voice.variant, style.voice.rate)
    (pitch, speechVolume) = (style.voice.pitch, style.voice.volume)
    (density, countdown, sounds) = (style.density?.rawValue, style.countdown, style.sounds)
    acknowledge = style.acknowledge.map { commands in
      commands.isEmpty ? "none" : commands.map(\.rawValue).sorted().joined(separator: ",")
    }
    if self == StyleOptions() { return nil }
  }

  /// The style of a request, each value checked by itself.
  func ofRequest() throws(ControlError) -> AnnouncementStyle {
    do throws(StyleMistake) {
      // "speech-volume" is `speechVolume` there.
      return try checked { option in
        let words = option.split(separator: "-")
        return "style." + words[0]
          + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }
          .joined()
      }
    } catch {
      throw ControlError(.invalid, message: error.message.singleLine)
    }
  }

  /// The style, each value checked by itself.
  ///
  /// - Parameter label: how a message names a value: of "speech-volume", say.
  package func checked(
    _ label: (String) -> String
  ) throws(StyleMistake) -> AnnouncementStyle {
    func check(
      _ name: String, _ value: Int?, _ range: ClosedRange<Int>
    ) throws(StyleMistake) {
      guard let value, !range.contains(value) else { return }
      throw StyleMistake(
        "\(label(name)) \(value): expected a whole number from \(range.lowerBound) to "
          + "\(range.upperBound)")
    }
    let tag = language.flatMap { LanguageTag($0) }
    if let language, tag == nil {
      throw StyleMistake(
        "\(label("language")) \"\(language.shown)\": expected \(LanguageTag.expected)")
    }
    if let voice, voice.isEmpty || voice.hasPrefix("+") || voice.hasSuffix("+") {
      throw StyleMistake(
        "\(label("voice")) \"\(voice.shown)\": expected a voice, or a voice and a variant as in "
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
        throw StyleMistake("\(label("density")) \"\(density.shown)\": expected one of \(names)")
      }
      style.density = density
    }
    if let acknowledge {
      guard let commands = Acknowledgement.set(named: acknowledge) else {
        throw StyleMistake(
          "\(label("acknowledge")) \"\(acknowledge.shown)\": expected pause, resume, next, back "
            + "with commas between, all, or none")
      }
      style.acknowledge = commands
    }
    return style
  }
}

/// What is wrong with one value of a style, on one line.
package struct StyleMistake: Error {
  package let message: String

  fileprivate init(_ message: String) { self.message = message }
}

/// An athlete's numbers as a request has them.
struct AthleteNumbers: Codable {
  /// The threshold power, watts.
  private let ftp: Int?
  /// Beats per minute.
  private let maxHeartRate: Int?
  private let thresholdPace: Pace?

  /// As text, "4:30/km", or in seconds for a kilometre.
  private enum Pace: Codable {
    case text(String)
    case seconds(Double)

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let seconds = try? value.decode(Double.self) {
        self = .seconds(seconds)
      } else {
        self = .text(try value.decode(String.self))
      }
    }

    func encode(to encoder: any Encoder) throws {
      var value = encoder.singleValueContainer()
      switch self {
      case .text(let text): try value.encode(text)
      case .seconds(let seconds): try value.encode(seconds)
      }
    }

    var shown: String {
      switch self {
      case .text(let text): "\"\(text.shown)\""
      case .seconds(let seconds): "\(seconds)"
      }
    }

    /// Nil for none that anybody runs.
    var checked: Double? {
      switch self {
      case .text(let text): Athlete.pace(text)
      case .seconds(let seconds): Athlete.thresholdPaces.contains(seconds) ? seconds : nil
      }
    }
  }

  private enum CodingKeys: String, CodingKey, CaseIterable {
    case ftp, maxHeartRate, thresholdPace
  }

  /// Of all fields.
  static let names = CodingKeys.allCases.map(\.rawValue)

  /// Nil where nothing is known.
  init?(_ athlete: Athlete) {
    if athlete == Athlete() { return nil }
    // What is no such number is refused by the coach.
    ftp = athlete.thresholdPower.map { Int(exactly: $0.rounded()) ?? 0 }
    maxHeartRate = athlete.maximumHeartRate.map { Int(exactly: $0.rounded()) ?? 0 }
    thresholdPace = athlete.thresholdPace.map { seconds in
      let text = "\(Intensity(.pacePerKilometre, .one(seconds)).text)"
      return Athlete.pace(text) == seconds ? .text(text) : .seconds(seconds)
    }
  }

  func checked() throws(ControlError) -> Athlete {
    try Self.check("ftp", ftp, Athlete.thresholdPowers)
    try Self.check("maxHeartRate", maxHeartRate, Athlete.maximumHeartRates)
    if let thresholdPace, thresholdPace.checked == nil {
      throw ControlError(
        .malformed, "athlete.thresholdPace \(thresholdPace.shown): expected \(Athlete.expectedPace)"
      )
    }
    return Athlete(
      thresholdPower: ftp.map(Double.init), maximumHeartRate: maxHeartRate.map(Double.init),
      thresholdPace: thresholdPace?.checked)
  }

  private static func check(
    _ field: String, _ number: Int?, _ range: ClosedRange<Int>
  ) throws(ControlError) {
    guard let number, !range.contains(number) else { return }
    throw ControlError(
      .malformed,
      "athlete.\(field) \(number): expected a whole number from \(range.lowerBound) to \(range.upperBound)"
    )
  }
}
