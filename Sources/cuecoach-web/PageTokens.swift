/// The tokens that open the page, as a running service reads them again and again: they may be renewed meanwhile.
struct PageTokens {
  private let file: TokenFile
  private var full: TokenFile.Copy?
  private var view: TokenFile.Copy?

  init(_ file: TokenFile) { self.file = file }

  /// Nil where nothing opens the page but this machine.
  var token: String? { full?.token }
  /// Of those who only look on.
  var viewToken: String? { view?.token }
  var isEmpty: Bool { full == nil && view == nil }

  /// - Returns: whether one that opened the page until now opens it no more.
  mutating func read() -> Bool {
    let old = (token, viewToken)
    full = file.read(full)
    view = file.forViewers.read(view)
    return old.0 != nil && old.0 != token || old.1 != nil && old.1 != viewToken
  }
}
