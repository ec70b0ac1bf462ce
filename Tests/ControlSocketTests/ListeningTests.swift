import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import Testing

/// How a socket gets its place in the file system.
@Suite struct ListeningTests {
  private let folder = "\(NSTemporaryDirectory())/cc-\(UUID().uuidString.prefix(8))"

  private func serve(_ path: String) throws -> ControlServer {
    try ControlServer([.init(path, .control)], version: "1") { request, _, answer in
      answer(ControlAnswer(request.id))
    }
  }

  private func kind(_ body: () throws -> Void) -> ControlSocketError.Kind? {
    refusal(body)?.kind
  }

  @Test func anothersLiveSocketIsNotTaken() throws {
    let path = "\(folder)/control"
    let first = try serve(path)
    defer { first.stop() }
    #expect(kind { _ = try serve(path) } == .inUse)
    #expect(try ControlClient([path], patience: .seconds(600)).request(.sessions).ok)
  }

  @Test func theSocketOfAnotherIsNotRemoved() throws {
    let path = "\(folder)/control"
    let first = try serve(path)
    try FileManager.default.removeItem(atPath: folder)
    let second = try serve(path)
    defer { second.stop() }
    first.stop()
    #expect(try ControlClient([path], patience: .seconds(600)).request(.sessions).ok)
  }

  @Test func aDeadServersSocketIsReplaced() throws {
    let path = "\(folder)/control"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #expect(bindSocket(descriptor, path) == 0)
    close(descriptor)
    #expect(FileManager.default.fileExists(atPath: path))
    let server = try serve(path)
    defer { server.stop() }
    #expect(try ControlClient([path], patience: .seconds(600)).request(.sessions).ok)
  }

  /// One that takes no lock, such as another program's.
  @Test func aLiveSocketWithoutALockIsNotTaken() throws {
    let path = "\(folder)/control"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    #expect(bindSocket(descriptor, path) == 0 && listen(descriptor, 5) == 0)
    #expect(kind { _ = try serve(path) } == .inUse)
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func aFileIsNotReplaced() throws {
    let path = "\(folder)/control"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
    #expect(kind { _ = try serve(path) } == .notASocket)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  @Test func aPathThatIsTooLongIsOneSentence() throws {
    let path = "\(folder)/\(String(repeating: "x", count: 120))"
    let error = refusal { _ = try serve(path) }
    #expect(error?.kind == .pathTooLong)
    #expect(error?.description.contains("at most 107 bytes") == true)
  }

  @Test func withoutACoachTheClientSaysSo() {
    #expect(kind { _ = try ControlClient(["\(folder)/control"]) } == .notRunning)
    #expect(kind { _ = try ControlClient([]) } == .notRunning)
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
