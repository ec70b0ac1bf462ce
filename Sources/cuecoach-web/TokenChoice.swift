import Glibc
import SurfaceProgram

/// Whose token is meant where none is named: a page that the user serves has one, and the service of the
/// system another.
struct TokenChoice {
  /// Of the service that this process is; nil where it is none.
  var current: String?
  /// This user's; nil without a home.
  var own: String?
  /// The folder of the system's service, which only the service and root may search.
  var serviceFolder: String
  var isRoot: Bool
  /// The service is installed, as a unit of the system.
  var hasUnit: Bool
  /// Why a path cannot be reached with the rights of access(2): an errno, 0 for no reason.
  var obstacle: (String, Int32) -> Int32

  static var ofThisProcess: TokenChoice {
    TokenChoice(
      current: WebPlaces.serviceToken, own: WebPlaces.userToken,
      serviceFolder: WebPlaces.serviceFolder, isRoot: geteuid() == 0,
      hasUnit: WebPlaces.hasUnit,
      obstacle: { access($0, $1) == 0 ? 0 : errno })
  }

  private var service: String { "\(serviceFolder)/token" }

  private var hasService: Bool { isThere(serviceFolder) }

  /// What may not be looked at is there.
  private func isThere(_ path: String) -> Bool { [0, EACCES].contains(obstacle(path, F_OK)) }

  /// Of the page that this process serves.
  func pathToServe() throws(Complaint) -> String {
    if let current { return current }
    if isRoot, hasService { return service }
    if let own { return own }
    throw Self.noHome
  }

  /// Of the page that the user means, with a remark where it could be another page.
  func pathToShow() throws(Complaint) -> (path: String, remark: String?) {
    if let current { return (current, nil) }
    guard hasService else {
      let hasOwn = own.map(isThere) ?? false
      guard !hasUnit || (hasOwn && !isRoot) else {
        throw .failed(
          "the page has no token before it was started once: sudo systemctl enable --now cuecoach-web"
        )
      }
      return (try pathToServe(), nil)
    }
    // Root's own token, from before the service had one, opens nothing.
    if isRoot { return (service, "the token is that of the system's service: \(service)") }
    if let own, isThere(own) {
      return (
        own,
        "the token is that of your own page: \(own); for the system's service: sudo cuecoach-web link"
      )
    }
    guard obstacle(service, R_OK) == 0 else {
      throw .failed(
        "the page is a service of the system, and its token is for root: sudo cuecoach-web link")
    }
    return (service, "the token is that of the system's service: \(service)")
  }

  private static let noHome = Complaint.usage(
    "there is no HOME for the token; name its file with --token-file")
}
