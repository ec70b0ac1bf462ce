import ControlProtocol
import Foundation
import Glibc
import IntervalTimeline
import NoticeRules
import Synchronization
import SystemdLink
import TestSupport
import Testing

@testable import cuecoach_notify

/// Notices on their way: servers and programs of every kind.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl"), "no curl"))
struct CourierTests {
  private static let notice = Notice(.failed, reason: "gone")

  private struct Delivered: Equatable {
    let hasArrived: Bool
    /// Why tries failed.
    let faults: [String]

    init(_ hasArrived: Bool, _ faults: [String]) {
      (self.hasArrived, self.faults) = (hasArrived, faults)
    }
  }

  private static func deliver(
    _ way: NotifySettings.Target.Way, patience: Duration = .seconds(300), tries: Int = 3
  ) async throws -> Delivered {
    try await apart {
      let courier = Courier(
        target: NotifySettings.Target(way: way), patience: patience,
        pauses: Array(repeating: .zero, count: tries - 1))
      var faults: [String] = []
      let hasArrived = courier.deliver(notice) { faults.append($0) }
      return Delivered(hasArrived, faults)
    }
  }

  private static func post(_ url: String, headers: [String] = [], authorities: String? = nil)
    -> NotifySettings.Target.Way
  {
    var post = NotifySettings.Post(url)
    (post.headers, post.authorities) = (headers, authorities)
    return .post(post)
  }

  // MARK: Servers

  @Test func aPostHasTheNoticeAndTheHeaders() async throws {
    let server = try HTTPListener(.answer("204 No Content"))
    let way = Self.post(server.url, headers: ["Authorization: Bearer tk_x"])
    #expect(try await Self.deliver(way) == Delivered(true, []))
    let request = try #require(server.heard.first)
    #expect(server.heard.count == 1 && request.hasPrefix("POST /hook HTTP/1.1\r\n"))
    #expect(request.contains("\r\nAuthorization: Bearer tk_x\r\n"))
    #expect(request.contains("\r\nContent-Type: application/json\r\n"))
    #expect(request.hasSuffix("\r\n\r\n" + String(decoding: Self.notice.json(), as: UTF8.self)))
  }

  @Test func aServerThatRefusesIsAskedThreeTimes() async throws {
    let server = try HTTPListener(.answer("503 Busy"), .answer("500 Error"), .answer("200 OK"))
    let arrived = try await Self.deliver(Self.post(server.url))
    #expect(arrived == Delivered(true, ["answer 503", "answer 500"]))
    #expect(server.heard.count == 3)
    let other = try HTTPListener(.answer("401 Unauthorized"))
    let outcome = try await Self.deliver(Self.post(other.url))
    #expect(outcome == Delivered(false, Array(repeating: "answer 401", count: 3)))
    #expect(other.heard.count == 3)
  }

  @Test func anAddressThatHasMovedIsNotFollowed() async throws {
    let target = try HTTPListener(.answer("200 OK"))
    let server = try HTTPListener(.answer("307 Moved\r\nLocation: \(target.url)"))
    let outcome = try await Self.deliver(Self.post(server.url), tries: 1)
    #expect(outcome.hasArrived == false && outcome.faults[0].hasPrefix("answer 307"))
    #expect(server.heard.count == 1 && target.heard.isEmpty)
  }

  @Test func nobodyListens() async throws {
    let port = try HTTPListener(.hangs).port
    let outcome = try await Self.deliver(Self.post("http://127.0.0.1:\(port)/"))
    #expect(!outcome.hasArrived && outcome.faults.count == 3)
    #expect(outcome.faults[0].contains("connect"), "\(outcome.faults)")
  }

  @Test func aServerThatHangsIsLeft() async throws {
    let server = try HTTPListener(.hangs)
    let outcome = try await Self.deliver(
      Self.post(server.url), patience: .milliseconds(300), tries: 2)
    #expect(!outcome.hasArrived && outcome.faults.count == 2)
    withExtendedLifetime(server) {}
  }

  @Test func anAnswerWithoutAnEndIsLeft() async throws {
    let server = try HTTPListener(.endless)
    let outcome = try await Self.deliver(
      Self.post(server.url), patience: .milliseconds(500), tries: 1)
    // The notice has arrived: the answer had begun.
    #expect(outcome.hasArrived || outcome.faults.count == 1)
    withExtendedLifetime(server) {}
  }

  @Test func aCertificateOfNobodyKnownIsRefused() async throws {
    let files = TestFolder()
    let make = try shell(
      "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost"
        + " -addext subjectAltName=DNS:localhost -keyout \(files.path("key")) -out \(files.path("cert"))"
        + " 2>/dev/null")
    try #require(make.code == 0)
    let server = try Child(
      "/usr/bin/env",
      ["python3", "-c", Self.tlsServer, files.path("cert"), files.path("key")],
      errors: files.path("log"))
    let log = LogFile(path: files.path("log"))
    #expect(await eventually { log.contains("\n") })
    let port = try #require(Int(log.text.prefix { $0.isNumber }), "\(log.text)")
    let url = "https://localhost:\(port)/"
    let refused = try await Self.deliver(Self.post(url), tries: 1)
    #expect(!refused.hasArrived && refused.faults[0].contains("certificate"), "\(refused)")
    let trusted = try await Self.deliver(
      Self.post(url, authorities: files.path("cert")), tries: 1)
    #expect(trusted == Delivered(true, []))
    server.end(SIGKILL)
  }

  /// Prints its port.
  private static let tlsServer = """
    import http.server, ssl, sys
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(204)
            self.end_headers()
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*sys.argv[1:])
    server.socket = context.wrap_socket(server.socket, server_side=True)
    print(server.server_port, flush=True)
    server.serve_forever()
    """

  // MARK: Programs

  /// A program of sh(1). What has just been written must not be started: another test's child may have it open still.
  private static func program(_ files: TestFolder, _ text: String) throws
    -> NotifySettings.Target.Way
  {
    .run(["/bin/sh", try files.write(text + "\n", to: "program"), "a b", "$(touch x)"])
  }

  @Test func aProgramGetsTheNoticeAndItsArgumentsAsTheyAre() async throws {
    let files = TestFolder()
    let way = try Self.program(
      files, #"cat > "\#(files.path("input"))"; printf '%s|' "$@" > "\#(files.path("words"))""#)
    #expect(try await Self.deliver(way) == Delivered(true, []))
    #expect(try files.data("input") == Data(Self.notice.json()))
    #expect(try files.text("words") == "a b|$(touch x)|")
  }

  @Test func aProgramThatFailsIsStartedThreeTimes() async throws {
    let files = TestFolder()
    let way = try Self.program(files, "echo x >> \"\(files.path("runs"))\"; exit 3")
    let outcome = try await Self.deliver(way)
    #expect(outcome == Delivered(false, Array(repeating: "it ended with code 3", count: 3)))
    #expect(try files.text("runs") == "x\nx\nx\n")
    let none = try await Self.deliver(.run(["/none"]), tries: 1)
    #expect(none == Delivered(false, ["there is no program \"/none\""]))
    let killed = try await Self.deliver(try Self.program(files, "kill -9 $$"), tries: 1)
    #expect(killed == Delivered(false, ["it was killed"]))
  }

  /// Its children as well, also where it has closed its output.
  @Test(arguments: ["", "exec > /dev/null 2>&1 < /dev/null; "])
  func aProgramThatHangsIsKilledWithItsGroup(before: String) async throws {
    let files = TestFolder()
    let way = try Self.program(
      files,
      "\(before)sleep 100000 & echo $$ $! > \"\(files.path("new"))\"; mv \"\(files.path("new"))\" \"\(files.path("numbers"))\"; wait"
    )
    // As long as it takes to begin.
    var patience = Duration.milliseconds(200)
    while !files.has("numbers") {
      patience *= 2
      let outcome = try await Self.deliver(way, patience: patience, tries: 1)
      #expect(!outcome.hasArrived && outcome.faults[0].hasPrefix("it takes more than"))
    }
    let numbers = try files.text("numbers").split(whereSeparator: \.isWhitespace)
      .compactMap { pid_t($0) }
    #expect(numbers.count == 2)
    #expect(await eventually { numbers.allSatisfy { kill($0, 0) != 0 || isZombie($0) } })
  }

  /// Whether it ends in time or not.
  @Test(arguments: ["exit 0", "wait"])
  func whatLeavesItsGroupIsKilledToo(end: String) async throws {
    let files = TestFolder()
    let way = try Self.program(
      files,
      "setsid sh -c 'echo $$ > \"$0\".new; mv \"$0\".new \"$0\"; exec sleep 100000' \"\(files.path("number"))\" > /dev/null &\n"
        + "while ! [ -e \"\(files.path("number"))\" ]; do sleep 0.01; done; \(end)")
    // As long as it takes to begin.
    var patience = end == "wait" ? Duration.milliseconds(400) : .seconds(300)
    repeat {
      let outcome = try await Self.deliver(way, patience: patience, tries: 1)
      #expect(outcome.hasArrived == (end != "wait"))
      patience *= 2
    } while !files.has("number")
    let number = try #require(pid_t(try files.text("number").trimmingCharacters(in: .newlines)))
    #expect(await eventually { kill(number, 0) != 0 || isZombie(number) })
  }

  @Test func aProgramThatWritesWithoutEndIsKilled() async throws {
    let outcome = try await Self.deliver(try Self.program(TestFolder(), "exec yes"), tries: 1)
    #expect(!outcome.hasArrived)
  }

  @Test func whatIsLeftOutIsLogged() async throws {
    let files = TestFolder()
    let way = try Self.program(
      files,
      "touch \"\(files.path("begun"))\"; while ! [ -e \"\(files.path("go"))\" ]; do sleep 0.01; done"
    )
    let lines = Collected<String>()
    let thread = try CourierThread(
      Courier(target: NotifySettings.Target(way: way), patience: .seconds(300), pauses: []),
      log: ServiceLog(hasLevels: true) { lines.append($0) })
    thread.send(Self.notice)
    #expect(await eventually { files.has("begun") })
    for _ in 0..<20 { thread.send(Self.notice) }
    try files.write("", to: "go")
    #expect(await eventually { lines.all.count == 18 })
    #expect(
      lines.all[1] == "<4>too many notices wait for /bin/sh: the oldest 4 are left out")
  }
}

/// Nobody has asked yet how it ended.
private func isZombie(_ number: pid_t) -> Bool {
  let status = (try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)) ?? ""
  return status.drop { $0 != ")" }.dropFirst(2).first == "Z"
}
