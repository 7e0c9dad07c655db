import Foundation
import Testing

@testable import Storage

struct StoredJSONTests {
  @Test(
    arguments: [
      ([], "[]"), (["a"], #"["a"]"#), (["a", "é", ""], #"["a","é",""]"#),
      (
        ["\"\\/\u{8}\u{9}\n\u{C}\r\u{0}\u{1F}\u{7F}\u{2028}"],
        #"["\"\\/\b\t\n\f\r\u0000\u001f"# + "\u{7F}\u{2028}\"]"
      ),
    ] as [([String], String)])
  func aListOfTextsIsWhatAnEncoderWrites(texts: [String], written: String) throws {
    #expect(StoredJSON.text(texts) == written)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    #expect(String(decoding: try encoder.encode(texts), as: UTF8.self) == written)
  }
}
