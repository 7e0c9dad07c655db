import Basics
import Testing

@testable import Sync

/// Published test cases.
@Suite struct DigestsTests {
  private func bytes(_ hex: String) throws -> [UInt8] { try #require([UInt8](hex: hex.utf8)) }

  /// RFC 5869, appendix A.1 and A.3.
  @Test func keysAreDerivedAsTheStandardSays() throws {
    let secret = [UInt8](repeating: 0x0b, count: 22)
    #expect(
      HKDF.derive(
        secret: secret, salt: try bytes("000102030405060708090a0b0c"),
        info: try bytes("f0f1f2f3f4f5f6f7f8f9"),
        length: 42)
        == (try bytes(
          """
          3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865
          """)))
    #expect(
      HKDF.derive(secret: secret, salt: [], info: [], length: 42)
        == (try bytes(
          """
          8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8
          """)))
  }

  /// RFC 8439, section 2.8.2.
  @Test func textsAreSealedAsTheStandardSays() throws {
    let text = Array(
      """
      Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would \
      be it.
      """.utf8)
    let sealed = try bytes(
      """
      d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a\
      9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9d\
      e576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691
      """)
    func cipher() throws -> Cipher {
      Cipher(
        key: Array(0x80...0x9f), nonce: try bytes("070000004041424344454647"),
        additional: try bytes("50515253c0c1c2c3c4c5c6c7"))
    }
    #expect(try cipher().seal(text) == sealed)
    #expect(try cipher().open(sealed[...]) == text)
    #expect(try cipher().open(sealed.dropLast()) == nil)
    #expect(try cipher().open(sealed.prefix(15)) == nil)
  }
}
