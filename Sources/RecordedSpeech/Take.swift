import CueSound
import Glibc

/// A recording of one text, to be judged and prepared for a pack.
package struct Take {
  /// At the rate of its file.
  package let clip: PCMClip
  /// Numbers are counted, one each second.
  package let isNumber: Bool

  /// Of `clip`, without an offset, which would count as sound.
  private let sound: PCMClip

  package init(_ clip: PCMClip, isNumber: Bool) {
    (self.clip, self.isNumber, sound) = (clip, isNumber, clip.withoutOffset)
  }

  /// What makes it useless.
  package enum Fault: Hashable, Sendable, CustomStringConvertible {
    case silent
    /// In dB of full scale: the loudest sample.
    case faint(Double)
    case clipped(at: Duration)
    /// In dB, of the loudest sample.
    case noisy(Double)
    /// Nothing before or after the word tells how loud the noise is.
    case cutOff
    /// It begins, or ends, in the middle of a sound.
    case cutShort(atEnd: Bool)
    case length(Duration)
    /// So much later than the first sound the word itself begins.
    case onset(Duration)

    /// What is wrong and what was expected, on one line.
    package var description: String {
      switch self {
      case .silent: "nothing but silence, expected a voice"
      case .faint(let level):
        "a peak of \(Int(level.rounded(.down))) dB, expected \(PCMClip.faintest): a louder input, or a mouth nearer to "
          + "the microphone"
      case .clipped(let place):
        "clipped at \(place.wholeMilliseconds) ms, expected a recording that is less loud"
      case .noisy(let level):
        "noise at \(Int(level.rounded(.up))) dB, expected at most \(Int(Take.mostNoise)) dB: a quieter room, or a mouth "
          + "nearer to the microphone"
      case .cutOff: "no silence before or after the words, expected 60 ms of it"
      case .cutShort(let atEnd):
        "\(atEnd ? "ends" : "begins") in the middle of a word, expected silence \(atEnd ? "after" : "before") it"
      case .length(let length):
        "lasts \(length.wholeMilliseconds) ms, expected a number of "
          + "\(AnnouncementLayout.countLengths.lowerBound.wholeMilliseconds) to "
          + "\(AnnouncementLayout.countLengths.upperBound.wholeMilliseconds) ms"
      case .onset(let early):
        "the onset is in doubt: the word begins \(early.wholeMilliseconds) ms after the first sound, expected silence "
          + "before it, or its onset in \(VoiceManifest.fileName)"
      }
    }
  }

  /// In dB of the loudest sample: with more, the onset that is found is early.
  static let mostNoise = -40.0
  /// Where a recording begins or ends so loud, as a part of its peak, it does so within a word.
  private static let edge: Float = 0.2
  /// So many samples at full scale, or equal ones beside each other near it, are no sound.
  private static let mostLoud = 3
  private static let nearFullScale = 32_112

  /// Everything that is wrong, in the order in which it is to be mended. A doubtful onset is only one of a number.
  package var faults: [Fault] {
    guard sound.peak > 0 else { return [.silent] }
    guard !sound.isFaint else { return [.faint(20 * log10(Double(sound.peak) / 32_768))] }
    var faults: [Fault] = []
    if let place = firstClipped {
      faults.append(.clipped(at: SampleRate.length(of: Frames(place), at: clip.rate)))
    }
    let edges = sound.edgeLevels
    let isCutAtEnd = edges.last > Self.edge
    if (edges.first > Self.edge) != isCutAtEnd {
      faults.append(.cutShort(atEnd: isCutAtEnd))
    } else if let level = sound.silenceLevel {
      let decibels = 20 * log10(Double(level))
      if decibels > Self.mostNoise { faults.append(.noisy(decibels)) }
    } else {
      faults.append(.cutOff)
    }
    guard isNumber else { return faults }
    let word = sound.trimmed()
    // Noise alone makes a word long, and its onset doubtful.
    if faults.isEmpty {
      let length = word.withoutFalseStart.length
      if !AnnouncementLayout.countLengths.contains(length) { faults.append(.length(length)) }
      if word.falseStart > 0 {
        faults.append(.onset(SampleRate.length(of: Frames(word.falseStart), at: clip.rate)))
      }
    }
    return faults
  }

  private var firstClipped: Int? {
    withExtendedLifetime(clip) {
      var (run, full, last) = (0, 0, Int16.zero)
      for (index, sample) in clip.memory.enumerated() {
        run = sample == last ? run + 1 : 1
        last = sample
        if sample == .max || sample == .min { full += 1 }
        if full == Self.mostLoud || run == Self.mostLoud && abs(Int(sample)) >= Self.nearFullScale {
          return index + 1 - run
        }
      }
      return nil
    }
  }

  /// For so long silence is kept, by which a pack can be judged again.
  private static let (before, after) = (Duration.milliseconds(60), Duration.milliseconds(100))

  /// The words as loud as all others, with a little silence before and after them.
  ///
  /// A click or a breath before them, after which it is silent, is cut off: `cut` is how long before them it was.
  package var prepared: (clip: PCMClip, cut: Duration?) {
    let clip = sound
    return withExtendedLifetime(clip) {
      let level = clip.peak / 100
      let falseStart = clip.trimmed(margin: .zero).falseStart
      let audible = { (sample: Int16) in abs(Int(sample)) > level }
      guard let first = clip.memory.firstIndex(where: audible),
        let last = clip.memory.lastIndex(where: audible)
      else { return (clip, nil) }
      let before = Int(SampleRate.frames(in: Self.before, at: clip.rate))
      let after = Int(SampleRate.frames(in: Self.after, at: clip.rate))
      let from = max(0, first + falseStart - before)
      let to = min(clip.count, last + 1 + after)
      let fade = min((to - from) / 2, clip.rate / 500)
      let kept = PCMClip(rate: clip.rate, unwritten: to - from) { kept in
        _ = kept.update(fromContentsOf: clip.memory[from..<to])
        for index in 0..<fade {
          let end = kept.count - 1 - index
          kept[index] = Int16(Int(kept[index]) * index / fade)
          kept[end] = Int16(Int(kept[end]) * index / fade)
        }
      }
      let cut = falseStart > 0 ? SampleRate.length(of: Frames(falseStart), at: clip.rate) : nil
      return (kept.scaled(by: Loudness.gain(of: kept)), cut)
    }
  }
}
