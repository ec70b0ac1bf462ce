import ControlProtocol
import ControlSocket
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

/// What clients may do to a server without effect on others.
@Suite(.serialized) struct HostileClientTests {
  @Test func aSubscriberThatDoesNotReadIsDropped() async throws {
    var limits = ControlServer.Limits()
    limits.unread = 100_000
    let coach = try FakeCoach(limits)
    try await apart {
      let sleeper = try RawClient(coach.path)
      sleeper.send("{\"id\":1,\"verb\":\"subscribe\"}\n")
      _ = sleeper.line()
      _ = sleeper.line()
      let reader = try coach.client()
      #expect(try reader.request(.subscribe).ok)
      let message = String(repeating: "x", count: 1000)
      // More than its buffer here and the kernel's together hold.
      for _ in 0..<200 {
        coach.publish(10, message)
        for _ in 0..<10 {
          #expect(try reader.nextEvent(within: .seconds(600))?.message == message)
        }
      }
      // It was closed: what was sent ends.
      #expect(sleeper.countToEnd() < 2_000_000)
      #expect(try reader.request(.command(.pause, lane: nil)).ok)
    }
  }

  /// Half of 200 are mute; the others send garbage, half lines, long lines, or leave before they are
  /// answered. A client among them is served, and afterwards every descriptor is back.
  @Test func twoHundredClientsDoNoHarm() async throws {
    let coach = try FakeCoach()
    let known = try coach.client()
    #expect(coach.connections == 1)
    defer { withExtendedLifetime(known) {} }
    try await apart {
      var clients: [RawClient] = []
      for number in 0..<200 {
        let client = try RawClient(coach.path)
        switch number % 8 {
        case 0: client.send("\u{1}\u{2}garbage\n\n\n{{{{\n\"\n")
        case 1: client.send("{\"id\":1,\"verb\":\"pau")
        case 2: client.send([UInt8](repeating: 65, count: 60_000))
        case 3:
          client.send("{\"id\":1,\"verb\":\"subscribe\"}\n")
          client.leave()
        default: break
        }
        clients.append(client)
      }
      let client = try coach.client()
      for _ in 0..<100 { #expect(try client.request(.command(.next, lane: nil)).ok) }
      for client in clients { client.leave() }
    }
    #expect(await eventually { coach.connections == 1 })
  }

  /// Read in pieces of 4 KB, sixteen in a turn: the last piece must not be forgotten.
  @Test(arguments: [61_440, 61_441, 65_535, 65_536, 65_537, 129_632])
  func aLongRequestIsAnswered(bytes: Int) async throws {
    let coach = try FakeCoach()
    try await apart {
      let client = try RawClient(coach.path)
      #expect(client.line() != nil)
      let request = #"{"id":1,"verb":"sessions"}"#
      let blanks = String(repeating: " ", count: bytes - request.utf8.count - 1)
      client.send(blanks + request + "\n")
      let answer = try #require(client.line())
      #expect(answer.contains("\"ok\":true") == (bytes <= ControlLimits.requestLine))
      client.send(request + "\n")
      #expect(client.line()?.contains("\"ok\":true") == true)
    }
  }

  /// A line of 32 MB is one mistake; others are answered meanwhile. What is kept of it: `LineBufferTests`.
  @Test func anEndlessLineIsOneMistake() async throws {
    let coach = try FakeCoach()
    try await apart {
      let client = try RawClient(coach.path)
      let other = try coach.client()
      let piece = [UInt8](repeating: 65, count: 1 << 20)
      for _ in 0..<32 {
        client.send(piece)
        #expect(try other.request(.command(.next, lane: nil)).ok)
      }
      client.send("\n{\"id\":2,\"verb\":\"pause\"}\n")
      _ = client.line()
      #expect(client.line()?.contains("malformed") == true)
      #expect(client.line()?.contains("\"id\":2") == true)
    }
  }

  /// Lines beyond what it reads answers for stay with the client.
  @Test func aClientThatReadsNoAnswersIsNotServedFurther() async throws {
    let coach = try FakeCoach()
    try await apart {
      let client = try RawClient(coach.path)
      _ = fcntl(client.descriptor, F_SETFL, O_NONBLOCK)
      let other = try coach.client()
      let line = "{\"id\":\"\(String(repeating: "i", count: 60))\",\"verb\":\"sessions\"}\n"
      // While the other one is answered the server looks at everybody: who can send nothing through
      // several answers is not read any more.
      var (refusals, pieces) = (0, 0)
      while refusals < 10, pieces < 1000 {
        if client.send(String(repeating: line, count: 100)) {
          (refusals, pieces) = (0, pieces + 1)
        } else {
          refusals += 1
        }
        #expect(try other.request(.sessions).ok)
      }
      #expect(pieces < 1000)
    }
  }

  @Test func whoComesWhenItIsFullIsRefused() async throws {
    var limits = ControlServer.Limits()
    limits.connections = 3
    limits.patience = .seconds(3600)
    let coach = try FakeCoach(limits)
    try await apart {
      let known = try (0..<3).map { _ in try coach.client() }
      for client in known { #expect(try client.request(.sessions).ok) }
      #expect(failure(ControlSocketError.self) { _ = try coach.client() }?.kind == .full)
      shutdown(known[0].descriptor, Int32(SHUT_RDWR))
      while (try? coach.client()) == nil {}
    }
  }

  /// Those who never made a request give way when they had the time for one.
  @Test func muteClientsGiveWay() async throws {
    var limits = ControlServer.Limits()
    limits.connections = 3
    limits.patience = .zero
    let coach = try FakeCoach(limits)
    try await apart {
      let known = try coach.client()
      #expect(try known.request(.sessions).ok)
      let mute = try (0..<2).map { _ in try RawClient(coach.path) }
      for client in mute { #expect(client.line() != nil) }
      let late = try coach.client()
      #expect(try late.request(.sessions).ok)
      #expect(mute[0].line() == nil)
      #expect(try known.request(.sessions).ok)
    }
  }

  /// A process that opens many connections and says nothing keeps nobody waiting.
  @Test(arguments: [false, true]) func muteClientsOfOneProcessGiveWayAtOnce(
    isRemote: Bool
  ) async throws {
    var limits = ControlServer.Limits()
    limits.connections = 8
    limits.patience = .seconds(3600)
    let coach = try FakeCoach(limits)
    let path = isRemote ? coach.remotePath : coach.path
    try await apart {
      let mute = try (0..<16).map { _ in try RawClient(path) }
      for client in mute { #expect(client.line() != nil) }
      let clients = try (0..<3).map { _ in
        try ControlClient([path], patience: .seconds(600))
      }
      for client in clients { #expect(try client.request(.volume(nil)).ok) }
    }
  }

  /// Whatever the clients of `remote` do, there is a place for one of the machine.
  @Test func clientsOfRemoteLeavePlacesForOthers() async throws {
    var limits = ControlServer.Limits()
    limits.connections = 8
    let coach = try FakeCoach(limits)
    try await apart {
      let known = try (0..<6).map { _ in try RawClient(coach.remotePath) }
      for client in known {
        client.send("{\"id\":1,\"verb\":\"volume\"}\n")
        #expect(client.line()?.contains("protocol") == true)
        #expect(client.line()?.contains("\"ok\":true") == true)
      }
      let refused = try RawClient(coach.remotePath)
      #expect(
        refused.line()?.contains("as many clients are connected as this socket takes: 6") == true)
      let clients = try (0..<2).map { _ in try coach.client() }
      for client in clients { #expect(try client.request(.sessions).ok) }
      withExtendedLifetime(clients) {
        #expect(failure(ControlSocketError.self) { _ = try coach.client() }?.kind == .full)
      }
      known[0].leave()
      // It is noticed in its turn.
      while (try? coach.client()) == nil {}
    }
  }

  /// One that made no request gives way to others of its own socket; those of the machine stay.
  @Test func muteClientsOfRemoteGiveWayToEachOther() async throws {
    var limits = ControlServer.Limits()
    limits.connections = 4
    limits.patience = .zero
    let coach = try FakeCoach(limits)
    try await apart {
      let machine = try RawClient(coach.path)
      let mute = try (0..<3).map { _ in try RawClient(coach.remotePath) }
      for client in [machine] + mute { #expect(client.line() != nil) }
      let late = try RawClient(coach.remotePath)
      #expect(late.line()?.contains("protocol") == true)
      machine.send("{\"id\":1,\"verb\":\"sessions\"}\n")
      try #require(machine.line()?.contains("\"ok\":true") == true)
      #expect(mute[0].line() == nil)
    }
  }

  /// One request and silence keep no place for ever; a client that is subscribed keeps its own.
  @Test func idleClientsGiveWay() async throws {
    var limits = ControlServer.Limits()
    limits.connections = 4
    limits.idle = .zero
    let coach = try FakeCoach(limits)
    try await apart {
      let clients = try (0..<4).map { _ in try RawClient(coach.path) }
      for (number, client) in clients.enumerated() {
        #expect(client.line()?.contains("protocol") == true)
        let verb = number == 0 ? "subscribe" : "volume"
        client.send("{\"id\":1,\"verb\":\"\(verb)\"}\n")
        #expect(client.line()?.contains("\"ok\":true") == true)
      }
      #expect(try coach.client().request(.sessions).ok)
      #expect(clients[1].line() == nil)
      clients[2].send("{\"id\":2,\"verb\":\"volume\"}\n")
      #expect(clients[2].line()?.contains("\"ok\":true") == true)
    }
  }

  /// The clients that keep most are dropped before all together keep more than the limit.
  @Test func whatAllClientsKeepIsBounded() async throws {
    var limits = ControlServer.Limits()
    limits.kept = 200_000
    let coach = try FakeCoach(limits)
    try await apart {
      let client = try coach.client()
      let heavy = try (0..<10).map { _ in try RawClient(coach.path) }
      for client in heavy { client.send([UInt8](repeating: 65, count: 50_000)) }
      // While this one is answered the server looks at everybody.
      for _ in 0..<5 { #expect(try client.request(.sessions).ok) }
      var dropped = 0
      for client in heavy {
        client.send("\n{\"id\":1,\"verb\":\"sessions\"}\n")
        _ = client.line()
        if client.line() == nil { dropped += 1 }
      }
      #expect((1..<10).contains(dropped))
      #expect(try client.request(.sessions).ok)
    }
  }

  // MARK: Without descriptors

  /// accept(2) as the test wants it.
  private final class Acceptance: Sendable {
    struct State {
      var error: Int32?
      var calls = 0
      /// For the log.
      var lines: Set<String> = []
    }

    /// Protects everything.
    let state = Mutex(State())

    func accept(_ listener: Int32) -> Int32 {
      let error = state.withLock { state in
        state.calls += 1
        return state.error
      }
      guard let error else { return Glibc.accept(listener, nil, nil) }
      errno = error
      return -1
    }
  }

  /// A client that cannot be accepted waits; the thread does not spin, and serves the others.
  @Test(arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM]) func whoCannotBeAcceptedWaits(
    error: Int32
  ) async throws {
    let acceptance = Acceptance()
    let folder = "\(NSTemporaryDirectory())/cc-\(UUID().uuidString.prefix(8))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await withServer("\(folder)/control", acceptance) { path in
      let client = try ControlClient([path], patience: .seconds(600))
      #expect(try client.request(.sessions).ok)
      acceptance.state.withLock { $0 = .init(error: error) }
      defer { acceptance.state.withLock { $0.error = nil } }
      let late = try RawClient(path)
      // Each request is a turn of the thread, in which it could try again.
      for _ in 0..<500 { #expect(try client.request(.sessions).ok) }
      // Two calls at once, and then two each second.
      #expect(acceptance.state.withLock { $0.calls } < 250)
      acceptance.state.withLock { $0.error = nil }
      #expect(late.line()?.contains("protocol") == true)
    }
    #expect(
      acceptance.state.withLock { $0.lines } == [
        "clients are refused: \(String(cString: strerror(error)))"
      ])
  }

  private func withServer(
    _ path: String, _ acceptance: Acceptance, _ body: @escaping @Sendable (String) throws -> Void
  ) async throws {
    let server = try ControlServer(
      [.init(path, .control)], version: "1", limits: .init(),
      report: { line in acceptance.state.withLock { _ = $0.lines.insert(line) } },
      accept: { acceptance.accept($0) },
      handle: { request, _, answer in answer(ControlAnswer(request.id)) })
    defer { server.stop() }
    try await apart { try body(path) }
  }

  /// An answer that comes late for a client that has left is nobody's.
  @Test func aClientMayVanishBeforeItsAnswer() async throws {
    let coach = try FakeCoach()
    let known = try coach.client()
    #expect(coach.connections == 1)
    defer { withExtendedLifetime(known) {} }
    coach.hold()
    let clients = try (0..<20).map { _ in try RawClient(coach.path) }
    for client in clients { client.send("{\"id\":1,\"verb\":\"sessions\"}\n") }
    #expect(await eventually { coach.taken.count == 20 })
    for client in clients { client.leave() }
    coach.release()
    #expect(await eventually { coach.connections == 1 })
    #expect(try await apart { try coach.client().request(.sessions).ok })
  }
}
