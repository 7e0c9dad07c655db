/// The certificates that a source trusts, and its own certificate that it sends to the server (RFC 5246 sections 7.4.2
/// and 7.4.6).
package struct Trust: Hashable, Sendable {
  /// The path of a PEM file of certificates that are trusted in addition to the system's.
  package var authorities: String?
  /// The path of a PEM file with the client's certificate, and with its key if `key` is `nil`.
  package var certificate: String?
  /// The path of a PEM file with the key of `certificate`.
  package var key: String?
  /// Whether certificates are verified. With `false` any certificate is accepted, even another server's.
  package var verifies = true

  package init() {}

  /// The parts that also apply to servers other than the source's own.
  package var elsewhere: Trust {
    var trust = Trust()
    trust.authorities = authorities
    return trust
  }
}

/// The file and folder of trusted certificates that the environment specifies instead of the system's, as for OpenSSL.
package struct SystemTrust: Hashable, Sendable {
  var file: String?
  var folder: String?

  package init(environment: [String: String] = [:]) {
    file = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
    folder = environment["SSL_CERT_DIR"].flatMap { $0.isEmpty ? nil : $0 }
  }
}
