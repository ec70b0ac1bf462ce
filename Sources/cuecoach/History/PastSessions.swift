import CoachHost
import CueEngine
import Glibc
import SessionStore

/// The sessions that are over, as the state folder has them.
struct PastSessions {
  /// The latest first.
  let entries: [HistoryEntry]
  /// Rows that were altered; told already.
  let damaged: Int

  /// The one session whose id begins so.
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
    let folder = try folder()
    // Looking at nothing leaves nothing behind.
    if access("\(folder)/\(SessionStore.fileName)", F_OK) != 0, errno == ENOENT {
      return PastSessions(entries: [], damaged: 0)
    }
    let store = try open(folder)
    do throws(StoreError) {
      let (entries, damaged) = try store.history()
      if damaged > 0 {
        let subject = damaged == 1 ? "1 session is" : "\(damaged) sessions are"
        Console.complain("the history in \(folder.singleLine): \(subject) damaged and left out")
      }
      return PastSessions(entries: entries, damaged: damaged)
    } catch {
      throw .failed("the history in \(folder.singleLine) cannot be read: \(error.line)")
    }
  }

  /// Adds those that are not there yet, or none. Returns how many were new.
  static func add(_ entries: [HistoryEntry]) throws(UserError) -> Int {
    let folder = try folder()
    let store = try open(folder)
    do throws(StoreError) {
      return try store.add(entries)
    } catch {
      throw .failed("the history in \(folder.singleLine) cannot be added to: \(error.line)")
    }
  }

  static func delete(_ ids: [String]) throws(UserError) {
    let folder = try folder()
    let store = try open(folder)
    do throws(StoreError) {
      try store.delete(ids)
    } catch {
      throw .failed("the history in \(folder.singleLine) cannot be changed: \(error.line)")
    }
  }

  private static func folder() throws(UserError) -> String {
    guard let folder = Installation.state else {
      throw .failed("there is no folder for the history; set HOME or XDG_STATE_HOME")
    }
    return folder
  }

  private static func open(_ folder: String) throws(UserError) -> SessionStore {
    do throws(StoreError) {
      let store = try SessionShelf.open(folder)
      if let notice = store.notice {
        Console.complain("\(folder)/\(SessionStore.fileName): \(notice)".singleLine)
      }
      return store
    } catch {
      throw .failed("the history in \(folder.singleLine) cannot be opened: \(error.line)")
    }
  }
}

extension StoreError {
  fileprivate var line: String { detail.singleLine }
}
