import IntervalTimeline
import Phrases

/// A profile as a picture, in SVG.
struct ProfilePicture {
  private static let width = 960
  private static let chart = (left: 20, top: 64, width: 920, level: 36)

  private let profile: WorkoutProfile

  init(_ profile: WorkoutProfile) { self.profile = profile }

  /// Well-formed XML in UTF-8. A screen reader reads its title and its description.
  var text: String {
    let name = profile.timeline.workout.name.shownName
    let bottom = Self.chart.top + ProfileBars.maxHeight * Self.chart.level
    let height = bottom + 40 + 22 * profile.totals.count + 10
    let phases = PhaseSummary(profile.timeline, profile.phrases).lines
    let totals = profile.totals.map {
      "\($0.name.shownName): \($0.lengthText), \(WorkoutProfile.count($0.phases, "phase"))"
    }
    let lines =
      [
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(Self.width)\" height=\"\(height)\""
          + " viewBox=\"0 0 \(Self.width) \(height)\" role=\"img\""
          + " aria-labelledby=\"title description\" font-family=\"sans-serif\">",
        "<title id=\"title\">\(Self.escaped(name))</title>",
        "<desc id=\"description\">"
          + Self.escaped(([profile.facts] + phases + totals).joined(separator: ". "))
          + ".</desc>",
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>",
        Self.label(name, x: Self.chart.left, y: 30, size: 22),
        Self.label(profile.facts, x: Self.chart.left, y: 52, size: 14),
      ] + bars + axis(bottom + 18) + legend(bottom + 44) + ["</svg>"]
    return lines.joined(separator: "\n") + "\n"
  }

  private var bars: [String] {
    let bars = ProfileBars(profile.timeline, columns: Self.chart.width).bars
    let isEach = bars.count == profile.timeline.count
    let bottom = Self.chart.top + ProfileBars.maxHeight * Self.chart.level
    var x = Self.chart.left
    return bars.map { bar in
      let height = Int((bar.height * Double(Self.chart.level)).rounded())
      let gap = isEach && bar.columns > 2 ? 1 : 0
      let rect =
        "<rect x=\"\(x)\" y=\"\(bottom - height)\" width=\"\(bar.columns - gap)\""
        + " height=\"\(height)\" fill=\"\(bar.kind.color)\""
        + (bar.isOpen ? " fill-opacity=\"0.45\" stroke=\"\(bar.kind.color)\"" : "")
      x += bar.columns
      guard isEach else { return rect + "/>" }
      let phase = profile.timeline.entries[bar.phase].phase
      let name = "\(profile.phrases.name(of: phase).shownName) \(phase.length.text)"
      return rect + "><title>\(Self.escaped(name))</title></rect>"
    }
  }

  private func axis(_ y: Int) -> [String] {
    let end = profile.timeline.lengthText ?? "open-ended"
    return [
      Self.label("0:00", x: Self.chart.left, y: y, size: 12),
      Self.label(end, x: Self.chart.left + Self.chart.width, y: y, size: 12, anchor: "end"),
    ]
  }

  private func legend(_ top: Int) -> [String] {
    profile.totals.enumerated().flatMap { row, total in
      let y = top + 22 * row
      let percent = profile.percent(total).map { ", \($0) %" } ?? ""
      return [
        "<rect x=\"\(Self.chart.left)\" y=\"\(y - 12)\" width=\"14\" height=\"14\""
          + " fill=\"\(total.kind.color)\"/>",
        Self.label(
          "\(total.name.shownName): \(total.lengthText)\(percent), "
            + WorkoutProfile.count(total.phases, "phase"),
          x: Self.chart.left + 22, y: y, size: 14),
      ]
    }
  }

  private static func label(
    _ text: String, x: Int, y: Int, size: Int, anchor: String = "start"
  ) -> String {
    // A text that is written from right to left keeps its place.
    "<text x=\"\(x)\" y=\"\(y)\" font-size=\"\(size)\" text-anchor=\"\(anchor)\" fill=\"#14171c\""
      + " style=\"unicode-bidi:plaintext\">\(escaped(text))</text>"
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.singleLine.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      // No characters of XML.
      case "\u{fffe}", "\u{ffff}": continue
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
