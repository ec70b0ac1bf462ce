/// What a server shows to be itself: a chain of certificates and its key, as PEM.
package struct Certificate: Sendable {
  private let chain: String
  private let key: String

  package init(chain: String, key: String) { (self.chain, self.key) = (chain, key) }

  /// Calls `body` with both as C strings; nil without a certificate. The library copies them.
  static func withPointers<Result>(
    _ certificate: Certificate?,
    _ body: (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Result
  ) -> Result {
    guard let certificate else { return body(nil, nil) }
    return certificate.chain.withCString { chain in
      certificate.key.withCString { body(chain, $0) }
    }
  }
}
