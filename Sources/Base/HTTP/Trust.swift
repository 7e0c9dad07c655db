/// Which servers a source trusts, and how it shows who it is (RFC 5246 sections 7.4.2 and 7.4.6).
package struct Trust: Hashable, Sendable {
  /// The path of a file of certificates in PEM that are trusted besides the system's.
  package var authorities: String?
  /// The path of a file in PEM with the client's certificate, and with its key where `key` is nil.
  package var certificate: String?
  /// The path of a file in PEM with the key of `certificate`.
  package var key: String?
  /// False: any certificate is accepted, also another server's.
  package var verifies = true

  package init() {}

  /// What also applies to another server than the source's own.
  package var elsewhere: Trust {
    var trust = Trust()
    trust.authorities = authorities
    return trust
  }
}

/// The files that the environment names instead of the system's, as OpenSSL reads them.
package struct SystemTrust: Hashable, Sendable {
  var file: String?
  var folder: String?

  package init(environment: [String: String] = [:]) {
    file = environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
    folder = environment["SSL_CERT_DIR"].flatMap { $0.isEmpty ? nil : $0 }
  }
}
