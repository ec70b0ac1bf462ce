import ArgumentParser
import CGlibc
import Glibc
import PageHTTP
import PageServer

struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve the page. This is what happens without a command.")

  @Flag(help: "For every address of this machine: phones reach it with the link's token.")
  var network = false
  @Option(help: "Serve at this address only, such as 192.168.1.20; this machine when left out.")
  var address: String?
  @Option(help: "The port.") var port: UInt16 = WebPlaces.port
  @Option(
    name: .customLong("host"),
    help: "A name that browsers may use for this machine, beside its own; several are possible.")
  var hosts: [String] = []
  @OptionGroup var token: TokenOption
  @Option(help: "The coach's socket; looked for where cuecoach serve makes it when left out.")
  var socket: String?
  @Option(help: .hidden) var page: String?

  func validate() throws {
    if network, address != nil {
      throw ValidationError("--network serves every address; leave out --address")
    }
  }

  func run() throws {
    // One arena: a process with one thread needs no more.
    mallopt(M_ARENA_MAX, 1)
    mallopt(M_MMAP_THRESHOLD, 65_536)
    signal(SIGPIPE, SIG_IGN)
    let files = try PageFolder.read(page)
    let tokenFile = try token.file()
    guard let loop = try? EventLoop() else {
      throw Complaint.failed("this machine has no descriptor left")
    }
    let listener = try listen()
    let isOpenToOthers = network || address.map { !$0.hasPrefix("127.") && $0 != "::1" } ?? false
    if isOpenToOthers { _ = try tokenFile.create() }
    let bound = listener.port
    let service = PageService(
      files: files.map(\.file), hosts: HostRule(names: WebPlaces.hostNames + hosts),
      coach: WebPlaces.sockets(socket), token: tokenFile, loop: loop)
    let server: HTTPServer
    do {
      server = try HTTPServer(
        listener, files: files.map(\.body), loop: loop, delegate: service)
    } catch {
      throw Complaint.failed("the page's server does not start: \(error)")
    }
    Log.complain(
      "the page is at http://\(shown):\(bound)"
        + (isOpenToOthers ? "; for the link of a phone: cuecoach-web link" : ""))
    service.run(server)
  }

  private var shown: String {
    if network { return WebPlaces.hostNames.first ?? "localhost" }
    return address.map { $0.contains(":") ? "[\($0)]" : $0 } ?? "localhost"
  }

  private func listen() throws(Complaint) -> ListenSocket {
    do {
      return try bind()
    } catch {
      switch error.kind {
      case .busy:
        throw .failed("port \(port) is in use by another program; choose another with --port")
      case .noAddress:
        throw .usage("--address \(address ?? ""): expected an address of this machine, in numbers")
      case .denied:
        throw .failed("port \(port) is not allowed to this user; use one above 1023")
      case .failed: throw .failed("port \(port): \(error)")
      }
    }
  }

  private func bind() throws(PageHTTPError) -> ListenSocket {
    guard network else { return try ListenSocket(address: address ?? "127.0.0.1", port: port) }
    do {
      return try ListenSocket(address: "::", port: port)
    } catch {
      guard error.kind == .noAddress else { throw error }
      // A kernel without IPv6.
      return try ListenSocket(address: "0.0.0.0", port: port)
    }
  }
}
