import Phrases

/// Messages about a machine that is too slow or too busy.
struct BusyNotice {
  var isRealtime = true
  private var isGiven = false

  /// What is shown of an interruption of the sound: only of the first; the ledger has them all.
  mutating func lines(_ phrases: PhraseCatalogue) -> [String] {
    guard !isGiven else { return [] }
    isGiven = true
    return isRealtime ? [Self.xrun(phrases)] : [Self.xrun(phrases), DeviceAdvice.realtime(phrases)]
  }

  static func xrun(_ phrases: PhraseCatalogue = .english) -> String {
    phrases.screen(.xrun)
  }

  static let all = [xrun(), DeviceAdvice.realtime()]
}
