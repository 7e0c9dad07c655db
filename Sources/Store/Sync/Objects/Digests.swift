import Basics
import CNettle

extension SHA256 {
  /// Returns the digest of a word, a zero byte and text. The word specifies the purpose of the digest: no two purposes
  /// share one.
  static func digest(_ word: StaticString, _ text: String) -> [UInt8] {
    digest("\(word)\0\(text)")
  }
}

/// HKDF with SHA-256 (RFC 5869).
enum HKDF {
  /// - Parameter length: the number of bytes, at most 255 times 32.
  static func derive(secret: [UInt8], salt: [UInt8], info: [UInt8], length: Int) -> [UInt8] {
    var context = hmac_sha256_ctx()
    var key = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    var derived = [UInt8](repeating: 0, count: length)
    nettle_hmac_sha256_set_key(&context, salt.count, salt)
    nettle_hkdf_extract(&context, update, digest, key.count, secret.count, secret, &key)
    nettle_hmac_sha256_set_key(&context, key.count, key)
    nettle_hkdf_expand(&context, update, digest, key.count, info.count, info, length, &derived)
    return derived
  }

  private static let update: @convention(c) (UnsafeMutableRawPointer?, Int, UnsafePointer<UInt8>?) -> Void = {
    nettle_hmac_sha256_update($0?.assumingMemoryBound(to: hmac_sha256_ctx.self), $1, $2)
  }

  private static let digest:
    @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeMutablePointer<UInt8>?) -> Void =
      { nettle_hmac_sha256_digest($0?.assumingMemoryBound(to: hmac_sha256_ctx.self), $1, $2) }
}

/// ChaCha20-Poly1305 (RFC 8439). A key must never seal twice with the same nonce.
struct Cipher: ~Copyable {
  static let tagBytes = Int(CHACHA_POLY1305_DIGEST_SIZE)

  private var context = chacha_poly1305_ctx()

  /// - Parameters:
  ///   - key: 32 bytes.
  ///   - nonce: 12 bytes.
  ///   - additional: data that the tag also protects, and that isn't encrypted.
  init(key: [UInt8], nonce: [UInt8], additional: [UInt8]) {
    precondition(key.count == CHACHA_POLY1305_KEY_SIZE && nonce.count == CHACHA_POLY1305_NONCE_SIZE)
    nettle_chacha_poly1305_set_key(&context, key)
    nettle_chacha_poly1305_set_nonce(&context, nonce)
    nettle_chacha_poly1305_update(&context, additional.count, additional)
  }

  /// - Returns: as many bytes as the text, and the tag.
  consuming func seal(_ text: [UInt8]) -> [UInt8] {
    var sealed = text
    nettle_chacha_poly1305_encrypt(&context, text.count, &sealed, text)
    sealed.append(contentsOf: tag())
    return sealed
  }

  /// - Returns: `nil` if the tag is wrong, because of another key or changed bytes.
  consuming func open(_ sealed: ArraySlice<UInt8>) -> [UInt8]? {
    guard sealed.count >= Self.tagBytes else { return nil }
    let text = Array(sealed.dropLast(Self.tagBytes))
    var opened = text
    nettle_chacha_poly1305_decrypt(&context, text.count, &opened, text)
    return tag().isEqualInConstantTime(to: Array(sealed.suffix(Self.tagBytes))) ? opened : nil
  }

  private mutating func tag() -> [UInt8] {
    var tag = [UInt8](repeating: 0, count: Self.tagBytes)
    nettle_chacha_poly1305_digest(&context, tag.count, &tag)
    return tag
  }
}
