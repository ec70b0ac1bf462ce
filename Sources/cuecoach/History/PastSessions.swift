import CoachHost
import CueEngine
import SessionStore

/// The sessions in the history of the state folder.
struct PastSessions {
  /// The latest first.
  let entries: [HistoryEntry]
  /// False if some are damaged or cannot be shown, which has been reported.
  let isWhole: Bool

  /// The only session whose id begins with `id`.
  func entry(_ id: String) throws(UserError) -> HistoryEntry {
    if let entry = entries.first(where: { $0.id == id }) { return entry }
    let found = id.isEmpty ? [] : entries.filter { $0.id.hasPrefix(id) }
    guard found.count < 2 else {
      throw .usage("\(found.count) sessions begin with \"\(id.singleLine)\"; give more of the id")
    }
    guard let entry = found.first else {
      throw .usage(
        "there is no session \"\(id.singleLine)\" in the history; cuecoach history lists them")
    }
    return entry
  }

  static func read() throws(UserError) -> PastSessions {
    guard let contents = try StateFolder.read(for: "the history") else {
      return PastSessions(entries: [], isWhole: true)
    }
    return PastSessions(
      entries: contents.history, isWhole: contents.isWhole && contents.damaged == 0)
  }

  /// Adds the entries that are missing, all or none. Returns how many were new.
  static func add(_ entries: [HistoryEntry]) throws(UserError) -> Int {
    let folder = try StateFolder.path(for: "the history")
    let store = try open(folder)
    do throws(StoreError) {
      return try store.past.add(entries)
    } catch {
      throw .failed("the history in \(folder.singleLine) cannot be added to: \(error.line)")
    }
  }

  static func delete(_ ids: [String]) throws(UserError) {
    let folder = try StateFolder.path(for: "the history")
    let store = try open(folder)
    do throws(StoreError) {
      try store.past.delete(ids)
    } catch {
      throw .failed("the history in \(folder.singleLine) cannot be changed: \(error.line)")
    }
  }

  private static func open(_ folder: String) throws(UserError) -> SessionStore {
    do throws(StoreError) {
      let store = try SessionRepository.open(folder, runtimeFolder: context.folders.runtime)
      StateFolder.report(store.notice, of: folder)
      return store
    } catch {
      throw .failed("the history in \(folder.singleLine) cannot be opened: \(error.line)")
    }
  }
}

extension StoreError {
  var line: String { detail.singleLine }
}
