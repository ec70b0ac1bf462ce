import ControlProtocol
import InstalledFiles
import IntervalTimeline
import SessionStore

/// Presets that people have marked, the latest first, by the names of the people.
typealias Favourites = [String: [String]]

/// Who trains here, what they like and what they ran.
struct People {
  static let maxCount = 50
  static let maxFavourites = 50
  static let maxRecent = 12

  let entries: [PersonEntry]

  /// - Parameter uses: the latest first.
  init(_ uses: [EndedSessions.Use], _ favourites: Favourites) {
    var entries: [PersonEntry] = []
    var places: [String: Int] = [:]
    func number(of person: String) -> Int? {
      if let place = places[person] { return place }
      guard entries.count < Self.maxCount else { return nil }
      entries.append(PersonEntry(name: person, favourites: favourites[person] ?? []))
      places[person] = entries.count - 1
      return entries.count - 1
    }
    for use in uses {
      guard let place = number(of: use.person), !use.preset.isEmpty,
        entries[place].recent.count < Self.maxRecent
      else { continue }
      entries[place].recent.append(use.preset)
    }
    // Those who have marked something and never ran anything.
    for person in favourites.keys.sorted() { _ = number(of: person) }
    self.entries = entries
  }
}

extension Favourites {
  /// Marks a preset, or unmarks it.
  mutating func set(
    _ preset: String, of person: String, _ isOn: Bool
  ) throws(ControlError) {
    var list = self[person] ?? []
    list.removeAll { $0 == preset }
    if isOn {
      guard list.count < People.maxFavourites, self[person] != nil || count < People.maxCount else {
        throw ControlError(
          .full,
          "at most \(People.maxFavourites) favourites of each of \(People.maxCount) people are kept"
        )
      }
      list.insert(preset, at: 0)
    }
    self[person] = list.isEmpty ? nil : list
  }
}
