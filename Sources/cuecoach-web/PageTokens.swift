/// The tokens that open the page, as a running service reads them again and again.
///
/// A token may be renewed between any two readings, and the first request that comes then is one of them: so a renewal
/// is remembered until what the old token opened is closed.
struct PageTokens {
  private let file: TokenFile
  private var full: TokenFile.Copy?
  private var view: TokenFile.Copy?
  private var isRenewed = false

  init(_ file: TokenFile) { self.file = file }

  /// Nil where nothing opens the page but this machine.
  var token: String? { full?.token }
  /// Of those who only look on.
  var viewToken: String? { view?.token }

  mutating func read() {
    let old = (token, viewToken)
    full = file.read(full)
    view = file.forViewers.read(view)
    if old.0 != nil && old.0 != token || old.1 != nil && old.1 != viewToken { isRenewed = true }
  }

  /// Whether a token is another one than at the last call, or gone.
  mutating func takeRenewal() -> Bool {
    defer { isRenewed = false }
    return isRenewed
  }
}
