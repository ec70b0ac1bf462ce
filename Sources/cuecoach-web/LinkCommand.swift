import ArgumentParser
import CQRencode
import Glibc
import SurfaceProgram

struct LinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link",
    abstract: "Print the page's address for a phone, with the token and as a QR code.",
    discussion: "The token is behind the #: a browser never sends that part to anyone.")

  @Option(help: "The port that the page is served on.") var port: UInt16 = WebPlaces.port
  @Option(help: "The name or address for the link; this machine's first address when left out.")
  var host: String?
  @OptionGroup var token: TokenOption
  @Flag(help: "Print the link alone.") var plain = false
  @Flag(help: "A link to look on, for a television: it shows workouts and starts none.")
  var view = false
  @Flag(help: "For a page that is served with --tls.") var tls = false

  func run() throws {
    let file = try token.fileToShow()
    let token = try (view ? file.forViewers : file).create()
    let addresses = WebPlaces.addresses()
    guard let host = host ?? addresses.first ?? WebPlaces.hostNames.first else {
      throw Complaint.failed("this machine has no address in a network; name one with --host")
    }
    let link = self.link(to: host, token)
    guard !plain else { return print(link) }
    if let picture = QRPicture(link) {
      print(picture.text(isColoured: isatty(STDOUT_FILENO) == 1))
    }
    print(link)
    // Names of multicast DNS mean something where Avahi answers for them.
    if self.host == nil, access("/run/avahi-daemon/socket", F_OK) == 0,
      let name = WebPlaces.hostNames.first
    {
      print(self.link(to: name, token))
    }
    if self.host == nil, !answers(host) {
      let own = "cuecoach-web " + (port == WebPlaces.port ? "--network" : "--listen [::]:\(port)")
      let isOfService = geteuid() == 0 && WebPlaces.hasUnit
      Log.complain(
        "nothing answers at \(host):\(port) yet; start it with: "
          + (isOfService ? "systemctl start cuecoach-web" : own))
    }
  }

  private func link(to host: String, _ token: String) -> String {
    let name = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    return "\(tls ? "https" : "http")://\(name):\(port)/#\(view ? "view," : "")\(token)"
  }

  /// Whether something listens there.
  private func answers(_ host: String) -> Bool {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &found) == 0, let found else { return true }
    defer { freeaddrinfo(found) }
    let descriptor = socket(found.pointee.ai_family, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    // An address of one's own answers or refuses at once.
    return connect(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0
  }
}

/// A QR code in half blocks.
struct QRPicture {
  private let size: Int
  /// Row by row; true is dark.
  private let modules: [Bool]

  /// Nil where the text is too long for a code.
  init?(_ text: String) {
    guard let code = cuecoach_qr(text) else { return nil }
    defer { QRcode_free(code) }
    let size = Int(code.pointee.width)
    self.size = size
    modules = (0..<size * size).map { code.pointee.data[$0] & 1 == 1 }
  }

  /// The light border that readers expect.
  private static let border = 4

  private func isDark(_ row: Int, _ column: Int) -> Bool {
    (0..<size).contains(row) && (0..<size).contains(column) && modules[row * size + column]
  }

  /// - Parameter isColoured: black on white whatever the terminal's colours are. Without, the light
  ///   modules are drawn, for a terminal with light letters on a dark ground.
  func text(isColoured: Bool) -> String {
    var lines: [String] = []
    for row in stride(from: -Self.border, to: size + Self.border, by: 2) {
      let line = (-Self.border..<size + Self.border).map { column in
        let upper = isDark(row, column) == isColoured
        let lower = (row + 1 < size + Self.border) && isDark(row + 1, column) == isColoured
        return switch (upper, lower) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }.joined()
      lines.append(isColoured ? "\u{1b}[30;107m\(line)\u{1b}[0m" : line)
    }
    return lines.joined(separator: "\n")
  }
}
