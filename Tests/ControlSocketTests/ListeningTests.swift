import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// How a socket gets its place in the file system.
@Suite struct ListeningTests {
  private var path: String { "\(folder)/control" }
  private let folder = "\(NSTemporaryDirectory())/cc-\(UUID().uuidString.prefix(8))"

  private func serve(_ path: String) throws -> ControlServer {
    try ControlServer([.init(path, .control)], version: "1") { request, _, answer in
      answer(ControlAnswer(request.id))
    }
  }

  private func kind(_ body: () throws -> Void) -> ControlSocketError.Kind? {
    failure(ControlSocketError.self, body)?.kind
  }

  @Test func anothersLiveSocketIsNotTaken() throws {
    let first = try serve(path)
    defer { first.stop() }
    #expect(kind { _ = try serve(path) } == .inUse)
    #expect(try ControlClient([path], patience: .seconds(600)).request(.sessions).ok)
  }

  @Test func theSocketOfAnotherIsNotRemoved() throws {
    let first = try serve(path)
    try FileManager.default.removeItem(atPath: folder)
    let second = try serve(path)
    defer { second.stop() }
    first.stop()
    #expect(try ControlClient([path], patience: .seconds(600)).request(.sessions).ok)
  }

  @Test func aDeadServersSocketIsReplaced() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    #expect(bindSocket(descriptor, path) == 0)
    close(descriptor)
    #expect(FileManager.default.fileExists(atPath: path))
    let server = try serve(path)
    defer { server.stop() }
    #expect(try ControlClient([path], patience: .seconds(600)).request(.sessions).ok)
  }

  /// One that takes no lock, such as another program's.
  @Test func aLiveSocketWithoutALockIsNotTaken() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    #expect(bindSocket(descriptor, path) == 0 && listen(descriptor, 5) == 0)
    #expect(kind { _ = try serve(path) } == .inUse)
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func aFileIsNotReplaced() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
    #expect(kind { _ = try serve(path) } == .notASocket)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  @Test func aPathThatIsTooLongIsOneSentence() throws {
    let path = "\(folder)/\(String(repeating: "x", count: 120))"
    let error = failure(ControlSocketError.self) { _ = try serve(path) }
    #expect(error?.kind == .pathTooLong)
    #expect(error?.description.contains("at most 107 bytes") == true)
  }

  @Test func withoutACoachTheClientSaysSo() {
    #expect(kind { _ = try ControlClient(["\(folder)/control"]) } == .notRunning)
    #expect(kind { _ = try ControlClient([]) } == .notRunning)
  }

  private func owner(_ path: String) -> (group: gid_t, mode: mode_t) {
    var info = stat()
    return stat(path, &info) == 0 ? (info.st_gid, info.st_mode & 0o777) : (gid_t.max, 0)
  }

  /// Only root may give a file to any group.
  @Test(.enabled(if: geteuid() == 0)) func aSocketBelongsToItsGroup() throws {
    let path = "\(folder)/remote"
    let daemon = try #require(getgrnam("daemon")).pointee.gr_gid
    let server = try ControlServer(
      [.init("\(folder)/control", .control), .init(path, .remote, group: "daemon")], version: "1"
    ) { request, _, answer in
      answer(ControlAnswer(request.id))
    }
    defer { server.stop() }
    #expect(owner(path) == (daemon, 0o660))
    #expect(owner("\(folder)/control") == (getegid(), 0o660))
  }

  @Test func withoutTheGroupASocketIsTheProcesssOwn() throws {
    let path = "\(folder)/remote"
    let server = try ControlServer(
      [.init(path, .remote, group: "no-such-group")], version: "1"
    ) { request, _, answer in
      answer(ControlAnswer(request.id))
    }
    defer { server.stop() }
    #expect(owner(path) == (getegid(), 0o660))
  }

  @Test func aFileIsNoCoach() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: path))
    let error = failure(ControlSocketError.self) { _ = try ControlClient([path]) }
    #expect(error?.kind == .notASocket)
    #expect(error?.description == "\(path) is no socket; expected that of a coach")
    // Another one that answers is taken all the same.
    let server = try serve("\(folder)/other")
    defer { server.stop() }
    #expect(try ControlClient([path, "\(folder)/other"]).path == "\(folder)/other")
  }

  @Test func aFolderThatOthersCouldChangeIsRefused() throws {
    let files = FileManager.default
    try files.createDirectory(atPath: "\(folder)/own", withIntermediateDirectories: true)
    try files.createSymbolicLink(
      atPath: "\(folder)/link", withDestinationPath: "\(folder)/own")
    #expect(
      failure(ControlSocketError.self) { _ = try serve("\(folder)/link/control") }?.description
        .contains(
          "/link: the folder for the control socket is a symbolic link; expected") == true)
    for mode in [0o770, 0o707] {
      chmod("\(folder)/own", mode_t(mode))
      #expect(
        failure(ControlSocketError.self) { _ = try serve("\(folder)/own/control") }?.description
          .contains(
            "/own: others may write to the folder for the control socket; expected") == true)
    }
    // As in /tmp, where nobody can replace what another has made.
    chmod("\(folder)/own", 0o1777)
    let server = try serve("\(folder)/own/control")
    server.stop()
    #expect(!files.fileExists(atPath: "\(folder)/link/control"))
  }

  /// The owner of a folder with the sticky bit may replace what others have made in it.
  @Test(.enabled(if: geteuid() == 0, "only root can make a folder of another user"))
  func aFolderOfAnotherUserIsRefused() throws {
    try FileManager.default.createDirectory(
      atPath: "\(folder)/theirs", withIntermediateDirectories: true)
    chown("\(folder)/theirs", 65_534, 65_534)
    chmod("\(folder)/theirs", 0o1777)
    #expect(
      failure(ControlSocketError.self) { _ = try serve("\(folder)/theirs/control") }?.description
        .contains(
          "/theirs: the folder for the control socket belongs to another user; expected") == true)
  }

  @Test func aFolderThatCannotBeIsOneSentence() throws {
    let missing = failure(ControlSocketError.self) { _ = try serve("\(folder)/deep/control") }
    #expect(
      missing?.description
        == "\(folder)/deep: the folder for the control socket cannot be made: "
        + "No such file or directory")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: "\(folder)/file"))
    let file = failure(ControlSocketError.self) { _ = try serve("\(folder)/file/control") }
    #expect(
      file?.description
        == "\(folder)/file: this is no folder, but the control socket is to be in it; "
        + "expected a folder of yours that nobody else may write to")
    // Nothing can be made there, not even by root.
    let readOnly = failure(ControlSocketError.self) { _ = try serve("/proc/control") }
    #expect(
      readOnly?.description.hasPrefix("/proc: no control socket can be made in this folder: ")
        == true)
  }

  // MARK: While it serves

  /// The lines for the log.
  private typealias Reports = Collected<String>

  private func serve(_ paths: [String], _ reports: Reports) throws -> ControlServer {
    try ControlServer(
      paths.map { .init($0, .control) }, version: "1",
      report: reports.append,
      handle: { request, _, answer in answer(ControlAnswer(request.id)) })
  }

  @Test func aRemovedFolderIsMadeAnew() async throws {
    let paths = ["\(folder)/control", "\(folder)/remote"]
    let reports = Reports()
    let server = try serve(paths, reports)
    defer { server.stop() }
    let known = try ControlClient([paths[0]], patience: .seconds(600))
    // Twice: the new folder is watched too.
    for number in 1...2 {
      try FileManager.default.removeItem(atPath: folder)
      #expect(await eventually { reports.made.count == number })
      for path in paths {
        #expect(try ControlClient([path], patience: .seconds(600)).request(.sessions).ok)
      }
    }
    #expect(try known.request(.sessions).ok)
    let line = "\(paths[0]), \(paths[1]): removed while the coach ran, and made anew"
    #expect(reports.made == [line, line])
  }

  @Test func aRemovedSocketIsMadeAnew() async throws {
    let paths = ["\(folder)/control", "\(folder)/remote"]
    let reports = Reports()
    let server = try serve(paths, reports)
    defer { server.stop() }
    try FileManager.default.removeItem(atPath: paths[0])
    #expect(await eventually { !reports.made.isEmpty })
    #expect(try ControlClient([paths[0]], patience: .seconds(600)).request(.sessions).ok)
    #expect(reports.made == ["\(paths[0]): removed while the coach ran, and made anew"])
    // It is still this server's.
    #expect(kind { _ = try serve(paths[0]) } == .inUse)
  }

  @Test func theFirstCoachThatAnswersIsTaken() throws {
    let server = try serve("\(folder)/control")
    defer { server.stop() }
    let client = try ControlClient(["\(folder)/nobody", "\(folder)/control"])
    #expect(client.path == "\(folder)/control")
  }

  @Test func theFolderFollowsFromTheEnvironment() {
    let both = ["RUNTIME_DIRECTORY": "/run/a:/run/b", "XDG_RUNTIME_DIR": "/run/user/7"]
    #expect(ControlPaths.ofServer(.control, both) == "/run/a/control")
    #expect(
      ControlPaths.ofServer(.remote, ["XDG_RUNTIME_DIR": "/run/user/7"])
        == "/run/user/7/cuecoach/remote")
    #expect(ControlPaths.ofServer(.control, ["XDG_RUNTIME_DIR": "relative"]) == nil)
    #expect(
      ControlPaths.ofClient(.control, both)
        == ["/run/user/7/cuecoach/control", "/run/cuecoach/control"])
  }

  private func bindSocket(_ descriptor: Int32, _ path: String) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

extension Collected<String> {
  /// Of sockets that are there again. An attempt before may have failed: a program that is being started holds every
  /// lock of this one for a moment, and the next attempt comes ten seconds later.
  fileprivate var made: [String] { all.filter { $0.hasSuffix("made anew") } }
}
