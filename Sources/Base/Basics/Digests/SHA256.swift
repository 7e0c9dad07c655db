import CNettle

/// SHA-256 (FIPS 180-4, section 6.2).
package enum SHA256 {
  /// Returns the digest, which has 32 bytes.
  package static func digest(_ bytes: RawSpan) -> [UInt8] {
    var context = sha256_ctx()
    nettle_sha256_init(&context)
    bytes.withUnsafeOctets { nettle_sha256_update(&context, $0.count, $0.baseAddress) }
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    nettle_sha256_digest(&context, digest.count, &digest)
    return digest
  }

  /// Returns the digest of the text in UTF-8, which has 32 bytes.
  package static func digest(_ text: String) -> [UInt8] { digest(text.utf8Span.span.bytes) }
}

/// HMAC with SHA-256 (RFC 2104).
package enum HMAC {
  /// Returns the authentication code of a message, which has 32 bytes.
  package static func sha256(_ message: RawSpan, key: [UInt8]) -> [UInt8] {
    var context = hmac_sha256_ctx()
    nettle_hmac_sha256_set_key(&context, key.count, key)
    message.withUnsafeOctets { nettle_hmac_sha256_update(&context, $0.count, $0.baseAddress) }
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    nettle_hmac_sha256_digest(&context, digest.count, &digest)
    return digest
  }
}

/// SHA-1 (FIPS 180-4, section 6.1), for handshakes that require it. It proves nothing about who made the data.
package enum SHA1 {
  /// Returns the digest of the text in UTF-8, which has 20 bytes.
  package static func digest(_ text: String) -> [UInt8] {
    var context = sha1_ctx()
    nettle_sha1_init(&context)
    text.utf8Span.span.bytes.withUnsafeOctets { nettle_sha1_update(&context, $0.count, $0.baseAddress) }
    var digest = [UInt8](repeating: 0, count: Int(SHA1_DIGEST_SIZE))
    nettle_sha1_digest(&context, digest.count, &digest)
    return digest
  }
}

extension [UInt8] {
  /// Whether the bytes are the same, in a time that doesn't depend on the first difference. Use it to compare secrets.
  package func isEqualInConstantTime(to other: [UInt8]) -> Bool {
    count == other.count && nettle_memeql_sec(self, other, count) == 1
  }
}

extension RawSpan {
  fileprivate func withUnsafeOctets(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    withUnsafeBytes { body($0.assumingMemoryBound(to: UInt8.self)) }
  }
}
