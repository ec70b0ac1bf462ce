import CueEngine
import Glibc
import SessionStore

/// What this user's state folder keeps, for commands that only look.
enum StateFolder {
  /// - Parameter what: what it is needed for, as a message names it.
  static func path(for what: String) throws(UserError) -> String {
    guard let folder = Installation.state else {
      throw .failed("there is no folder for \(what); set HOME or XDG_STATE_HOME")
    }
    return folder
  }

  /// Nil where nothing has been kept yet: looking at nothing leaves nothing behind. What is damaged
  /// or not shown is said.
  static func read(for what: String) throws(UserError) -> StoreContents? {
    let folder = try path(for: what)
    if access("\(folder)/\(SessionStore.fileName)", F_OK) != 0, errno == ENOENT { return nil }
    let contents: StoreContents
    do throws(StoreError) {
      contents = try StoreContents(
        folder: folder, date: WallClock.now().filter { $0 != ":" })
    } catch {
      throw .failed("\(what) in \(folder.singleLine) cannot be opened: \(error.line)")
    }
    tell(contents.notice, of: folder)
    if contents.damaged > 0 {
      let subject = contents.damaged == 1 ? "1 session is" : "\(contents.damaged) sessions are"
      Console.complain("the history in \(folder.singleLine): \(subject) damaged and left out")
    }
    return contents
  }

  static func tell(_ notice: String?, of folder: String) {
    guard let notice else { return }
    Console.complain("\(folder)/\(SessionStore.fileName): \(notice)".singleLine)
  }
}
