import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import Synchronization

/// A server whose handler counts: each command raises the revision, is published, and is answered.
final class FakeCoach: Sendable {
  struct State {
    var revision: UInt64 = 0
    /// The verbs that were taken, in order.
    var taken: [ControlVerb] = []
    /// While true, answers wait.
    var isHeld = false
    var held: [@Sendable () -> Void] = []
    var server: ControlServer?
    /// The sockets of all clients that were accepted, by their inodes: descriptors are used again.
    var accepted: Set<ino_t> = []
  }

  let folder: String
  /// Protects everything; held while an event is published, so that answers and events have one order.
  let state = Mutex(State())

  var path: String { "\(folder)/control" }
  var remotePath: String { "\(folder)/remote" }
  var taken: [ControlVerb] { state.withLock { $0.taken } }

  init(_ limits: ControlServer.Limits = .init()) throws {
    folder = "\(NSTemporaryDirectory())/cc-\(UUID().uuidString.prefix(8))"
    let server = try ControlServer(
      [.init("\(folder)/control", .control), .init("\(folder)/remote", .remote)], version: "1.2.3",
      limits: limits, report: { _ in },
      accept: { [weak self] listener in
        let descriptor = ControlServer.accept(listener)
        if descriptor >= 0 {
          self?.state.withLock { _ = $0.accepted.insert(Self.inode(descriptor)) }
        }
        return descriptor
      },
      handle: { [weak self] request, _, answer in self?.take(request, answer) })
    state.withLock { $0.server = server }
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// How many of the clients' sockets the server has open.
  var connections: Int {
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    let open = Set(descriptors.compactMap(Int32.init).map(Self.inode))
    return state.withLock { $0.accepted.intersection(open).count }
  }

  /// Zero where the descriptor is not open.
  private static func inode(_ descriptor: Int32) -> ino_t {
    var info = stat()
    return fstat(descriptor, &info) == 0 ? info.st_ino : 0
  }

  func stop() { state.withLock { $0.server }?.stop() }

  private func take(_ request: ControlRequest, _ answer: @escaping ControlServer.Answer) {
    state.withLock { state in
      state.taken.append(request.verb)
      if case .command = request.action { publish(&state, "changed") }
      if case .start(let start) = request.action { publish(&state, start.preset ?? "") }
      let reply = ControlAnswer(request.id, revision: state.revision)
      if state.isHeld { state.held.append { answer(reply) } } else { answer(reply) }
    }
  }

  private func publish(_ state: inout State, _ message: String) {
    state.revision += 1
    var event = ControlEvent(.warning, revision: state.revision, at: 0)
    event.message = message
    state.server?.publish(event)
  }

  /// Publishes so many events.
  func publish(_ count: Int, _ message: String) {
    state.withLock { state in
      for _ in 0..<count { publish(&state, message) }
    }
  }

  func hold() { state.withLock { $0.isHeld = true } }

  func release() {
    state.withLock { state in
      state.isHeld = false
      for answer in state.held { answer() }
      state.held = []
    }
  }

  /// As patient as a slow machine needs.
  func client() throws -> ControlClient {
    try ControlClient([path], patience: .seconds(600))
  }
}
