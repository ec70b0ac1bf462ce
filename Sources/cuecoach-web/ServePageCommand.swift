import ArgumentParser
import CGlibc
import CMicroHTTPD
import Glibc
import PageHTTP
import PageServer
import SurfaceProgram
import SystemdLink

struct ServePageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve the page. This is what happens without a command.")

  @Flag(help: "For every address of this machine: phones need the link's token.")
  var network = false
  @Option(
    help: """
      Where to serve: an address in numbers and a port, such as 127.0.0.1:8642, which is the default, \
      or [::]:8642 for every address.
      """)
  var listen: ListenAddress?
  @Option(
    name: .customLong("host"),
    help: """
      A name that browsers may use for this machine, beside its own, such as a proxy's; several are \
      possible. With it this machine needs the token too.
      """)
  var hosts: [String] = []
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "The files of a certificate and of its key, as PEM: the page is served by HTTPS.",
      valueName: "cert> <key"))
  var tls: [String] = []
  @OptionGroup var token: TokenOption
  @Option(help: "The coach's socket; looked for where cuecoach serve makes it when left out.")
  var socket: String?

  func validate() throws {
    if network, listen != nil {
      throw ValidationError("--network serves every address; leave out --listen")
    }
    guard tls.isEmpty || tls.count == 2 else {
      throw ValidationError("--tls: expected two files, a certificate and its key")
    }
  }

  private var place: ListenAddress {
    listen ?? ListenAddress(address: network ? "::" : "127.0.0.1", port: WebPlaces.port)
  }

  func run() throws {
    // One that comes while the page starts ends it in order too.
    let endSignals = EndSignals.descriptor()
    // One arena: a process with one thread needs no more.
    mallopt(M_ARENA_MAX, 1)
    mallopt(M_MMAP_THRESHOLD, 65_536)
    let files = try PageFolder.read()
    let tokenFile = try token.fileToServe()
    let certificate = try tls.isEmpty ? nil : CertificateFiles.read(tls[0], key: tls[1])
    guard let loop = try? EventLoop() else {
      throw Complaint.failed("this machine has no descriptor left")
    }
    let listener = try bind()
    if place.isOpenToOthers || !hosts.isEmpty { _ = try tokenFile.create() }
    let bound = listener.port
    let service = PageService(
      files: files.map(\.file), hosts: HostRule(names: WebPlaces.hostNames, others: hosts),
      coach: WebPlaces.sockets(socket), token: tokenFile, loop: loop,
      endSignals: endSignals)
    let server: HTTPServer
    do {
      server = try HTTPServer(
        listener, files: files.map(\.body), certificate: certificate, loop: loop,
        delegate: service)
    } catch {
      throw Complaint.failed(
        certificate == nil
          ? "the page's server does not start: \(error)"
          : "\(tls[0].singleLine) is no certificate, or \(tls[1].singleLine) not its key")
    }
    let shown = "\(place.shown):\(bound)"
    Log.complain("the page is at \(scheme)://\(shown)\(advice)")
    // The token is there: `systemctl start` may return.
    ServiceNotice.ready.send()
    service.run(server)
  }

  private var scheme: String { tls.isEmpty ? "http" : "https" }

  /// Who can use it, and how others can.
  private var advice: String {
    if place.isOpenToOthers {
      return "; the link for a phone: cuecoach-web link" + (tls.isEmpty ? "" : " --tls")
    }
    return hosts.isEmpty
      ? ", for this machine; for phones as well: --network"
      : ", and with --host everyone needs what this prints: cuecoach-web token"
  }

  private func bind() throws(Complaint) -> ListenSocket {
    do {
      return try open()
    } catch {
      switch error.kind {
      case .busy:
        throw .failed(
          "port \(place.port) is in use by another program; choose another with --listen")
      case .noAddress:
        throw .usage("--listen: \(place.address) is no address of this machine")
      case .denied:
        throw .failed("port \(place.port) is not allowed to this user; use one above 1023")
      case .failed: throw .failed("port \(place.port): \(error)")
      }
    }
  }

  private func open() throws(PageHTTPError) -> ListenSocket {
    do {
      return try ListenSocket(address: place.address, port: place.port)
    } catch {
      // A kernel without IPv6.
      guard error.kind == .noAddress, place.address == "::" else { throw error }
      return try ListenSocket(address: "0.0.0.0", port: place.port)
    }
  }
}

/// An address in numbers and a port.
struct ListenAddress: ExpressibleByArgument {
  var address: String
  var port: UInt16

  init(address: String, port: UInt16) {
    self.address = address
    self.port = port
  }

  init?(argument: String) {
    guard let colon = argument.lastIndex(of: ":"),
      let port = UInt16(argument[argument.index(after: colon)...])
    else { return nil }
    var address = argument[..<colon]
    if address.hasPrefix("["), address.hasSuffix("]") {
      address = address.dropFirst().dropLast()
    } else if address.contains(":") {
      return nil
    }
    guard !address.isEmpty else { return nil }
    self.init(address: address == "localhost" ? "127.0.0.1" : String(address), port: port)
  }

  var isOpenToOthers: Bool { !address.hasPrefix("127.") && address != "::1" }

  /// As a browser of this machine or network calls it.
  var shown: String {
    switch address {
    case "::", "0.0.0.0": WebPlaces.hostNames.first ?? "localhost"
    case "127.0.0.1": "localhost"
    default: address.contains(":") ? "[\(address)]" : address
    }
  }
}
