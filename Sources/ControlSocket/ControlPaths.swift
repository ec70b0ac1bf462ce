import ControlProtocol

/// Where the sockets are.
public enum ControlPaths {
  /// The socket that a coach opens: in `$RUNTIME_DIRECTORY`, which systemd makes for a service, else in
  /// `$XDG_RUNTIME_DIR/cuecoach`; nil without either.
  public static func ofServer(
    _ rights: ControlRights, _ environment: [String: String]
  ) -> String? {
    // A service may have several folders, with colons between them.
    let service = environment["RUNTIME_DIRECTORY"]?.split(separator: ":").first.map(String.init)
    let folder = absolute(service) ?? ofUser(environment)
    return folder.map { "\($0)/\(rights.rawValue)" }
  }

  /// The sockets that a client tries, in order: this user's own coach, then the machine's.
  public static func ofClient(
    _ rights: ControlRights, _ environment: [String: String]
  ) -> [String] {
    [ofUser(environment), "/run/cuecoach"].compactMap { $0 }.map { "\($0)/\(rights.rawValue)" }
  }

  private static func ofUser(_ environment: [String: String]) -> String? {
    absolute(environment["XDG_RUNTIME_DIR"]).map { "\($0)/cuecoach" }
  }

  private static func absolute(_ path: String?) -> String? {
    path.flatMap { $0.hasPrefix("/") ? $0 : nil }
  }
}
