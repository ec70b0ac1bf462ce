import CueEngine
import Glibc
import SessionStore

/// The user's state folder, for commands that only read it.
enum StateFolder {
  /// - Parameter what: what it is needed for, for a message.
  static func path(for what: String) throws(UserError) -> String {
    guard let folder = context.folders.state else {
      throw .failed("there is no folder for \(what); set HOME or XDG_STATE_HOME")
    }
    return folder
  }

  /// Nil if nothing is stored yet; no folder is created then. Reports what is damaged or not shown.
  static func read(for what: String) throws(UserError) -> StoreContents? {
    let folder = try path(for: what)
    if access("\(folder)/\(SessionStore.fileName)", F_OK) != 0, errno == ENOENT { return nil }
    let contents: StoreContents
    do throws(StoreError) {
      contents = try StoreContents(
        folder: folder, runtimeFolder: context.folders.runtime,
        date: WallClock.now().filter { $0 != ":" })
    } catch {
      throw .failed("\(what) in \(folder.singleLine) cannot be opened: \(error.line)")
    }
    report(contents.notice, of: folder)
    if contents.damaged > 0 {
      let subject = contents.damaged == 1 ? "1 session is" : "\(contents.damaged) sessions are"
      context.complain("the history in \(folder.singleLine): \(subject) damaged and left out")
    }
    return contents
  }

  static func report(_ notice: String?, of folder: String) {
    guard let notice else { return }
    context.complain("\(folder)/\(SessionStore.fileName): \(notice)".singleLine)
  }
}
