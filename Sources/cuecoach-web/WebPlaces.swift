import Glibc

/// Where things are, from the environment and the machine.
enum WebPlaces {
  static let port: UInt16 = 8642

  /// Where the coach's socket can be: what is given, else this user's own coach, then the machine's.
  static func sockets(_ given: String?) -> [String] {
    if let given { return [given] }
    return [
      variable("XDG_RUNTIME_DIR").map { "\($0)/cuecoach/remote" },
      "/run/cuecoach/remote",
    ].compactMap { $0 }
  }

  /// True where the service of the system is installed, whether it runs or not.
  static var hasUnit: Bool {
    ["/etc", "/usr/lib", "/usr/local/lib"].contains {
      access("\($0)/systemd/system/cuecoach-web.service", F_OK) == 0
    }
  }

  /// The folder of a service of the system.
  static let serviceFolder = "/var/lib/cuecoach-web"

  /// The token of the service that this process is; nil where it is none.
  static var serviceToken: String? { variable("STATE_DIRECTORY").map { "\($0)/token" } }

  /// The token of this user.
  static var userToken: String? {
    if let folder = variable("XDG_STATE_HOME") { return "\(folder)/cuecoach/page-token" }
    return variable("HOME").map { "\($0)/.local/state/cuecoach/page-token" }
  }

  /// A folder's path: absolute, the first of several.
  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    let first = String(cString: value).split(separator: ":").first.map(String.init)
    return first.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// What this machine is called in its network: with .local for multicast DNS, and alone.
  static let hostNames: [String] = {
    var bytes = [UInt8](repeating: 0, count: 256)
    let result = bytes.withUnsafeMutableBytes {
      gethostname($0.baseAddress!.assumingMemoryBound(to: CChar.self), $0.count - 1)
    }
    guard result == 0 else { return [] }
    let name = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    guard let label = name.split(separator: ".").first else { return [] }
    return ["\(label).local", name, String(label)]
  }()

  /// The addresses of this machine that others can reach; those of IPv4 first.
  static func addresses() -> [String] {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0, let first else { return [] }
    defer { freeifaddrs(first) }
    var found: [String] = []
    for entry in sequence(first: first, next: { $0.pointee.ifa_next }) {
      guard let address = entry.pointee.ifa_addr,
        entry.pointee.ifa_flags & UInt32(IFF_UP) != 0,
        entry.pointee.ifa_flags & UInt32(IFF_LOOPBACK) == 0
      else { continue }
      let family = Int32(address.pointee.sa_family)
      guard family == AF_INET || family == AF_INET6 else { continue }
      let isIPv4 = family == AF_INET
      let size = isIPv4 ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
      var text = [UInt8](repeating: 0, count: 64)
      let result = text.withUnsafeMutableBytes {
        getnameinfo(
          address, socklen_t(size), $0.baseAddress!.assumingMemoryBound(to: CChar.self),
          socklen_t($0.count), nil, 0, NI_NUMERICHOST)
      }
      guard result == 0 else { continue }
      let name = String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
      // Addresses of a link need its name, which means nothing on a phone.
      if name.hasPrefix("169.254.") || name.hasPrefix("fe80:") { continue }
      found.insert(name, at: isIPv4 ? found.count { !$0.contains(":") } : found.count)
    }
    return found
  }
}
