import Screen
import Testing

struct ControlCharactersTests {
  @Test func theyAreThoseThatUnicodeCallsSo() {
    for value in UInt32(0)..<0x3000 {
      guard let scalar = Unicode.Scalar(value) else { continue }
      #expect(
        scalar.isControl == (scalar.properties.generalCategory == .control), "U+\(String(value, radix: 16))")
    }
  }
}
