import CNettle

/// SHA-256 (FIPS 180-4, section 6.2), for ids that the source does not give.
package enum SHA256 {
  /// 32 bytes.
  package static func digest(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { digest($0) }
  }

  /// 32 bytes.
  package static func digest(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var context = sha256_ctx()
    nettle_sha256_init(&context)
    nettle_sha256_update(&context, bytes.count, bytes.baseAddress)
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    nettle_sha256_digest(&context, digest.count, &digest)
    return digest
  }

  /// The digest in lower-case hexadecimal, 64 characters.
  package static func hex(_ text: String) -> String {
    digest(text).map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }
}
