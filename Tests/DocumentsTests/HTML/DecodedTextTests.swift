import Foundation
import TestBasics
import Testing

@testable import Formats

@Suite struct DecodedTextTests {
  private static func document(_ label: String?) -> String {
    (label.map { "<?xml version=\"1.0\" encoding=\"\($0)\"?>" } ?? "") + "<a>Grüße – 日本</a>"
  }

  private func text(_ data: Data, charset: String? = nil) -> String {
    String(decoding: DecodedText(data, charset: charset).bytes, as: UTF8.self)
  }

  @Test(
    arguments: [
      // bytes of "é년", label of the HTTP header, label in the document
      ([0xC3, 0xA9], nil, nil, "é"), ([0xC3, 0xA9], "utf-8", "iso-8859-1", "é"),
      ([0xC3, 0xA9], "iso-8859-1", nil, "é"),
      ([0xE9], "iso-8859-1", nil, "é"), ([0xE9], nil, "ISO-8859-1", "é"), ([0xE9], nil, nil, "é"),
      ([0xE9], "utf-8", nil, "é"),
      ([0x93, 0x94], nil, "windows-1252", "“”"), ([0xB3, 0xE2], nil, "euc-kr", "년"),
      ([0xB3, 0xE2], "ks_c_5601-1987", nil, "년"),
      ([0x93, 0xFA, 0x96, 0x7B], nil, "Shift_JIS", "日本"), ([0xC4, 0xFD, 0xC8, 0xD5], "gb2312", nil, "凝日"),
      ([0xF0, 0xF2], nil, "koi8-r", "ПР"), ([0xEF, 0xF0], nil, "windows-1251", "пр"),
      ([0xA4, 0xA4], nil, "big5", "中"),
      ([0xC3, 0xA9], nil, "klingon", "é"), ([0xE9], nil, "utf-7", "é"), ([0xE9], "us-ascii", nil, "é"),
    ] as [([UInt8], String?, String?, String)])
  func labelsAreTriedInTurn(bytes: [UInt8], http: String?, declared: String?, expected: String) {
    let declaration = declared.map { "<?xml version='1.0' encoding='\($0)'?>" } ?? ""
    let data = Data(declaration.utf8) + Data("<a>".utf8) + Data(bytes) + Data("</a>".utf8)
    #expect(text(data, charset: http) == declaration + "<a>\(expected)</a>")
  }

  @Test(arguments: [
    String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16, .utf32LittleEndian, .utf32BigEndian, .utf8,
  ])
  func marksAndWideTextAreKnown(encoding: String.Encoding) throws {
    let marks: [String.Encoding: [UInt8]] = [
      .utf16LittleEndian: [0xFF, 0xFE], .utf16BigEndian: [0xFE, 0xFF],
      .utf32LittleEndian: [0xFF, 0xFE, 0, 0],
      .utf32BigEndian: [0, 0, 0xFE, 0xFF], .utf8: [0xEF, 0xBB, 0xBF], .utf16: [],
    ]
    let body = try #require(Self.document("utf-8").data(using: encoding))
    #expect(text(Data(marks[encoding] ?? []) + body, charset: "iso-8859-1") == Self.document("utf-8"))
    if encoding == .utf16LittleEndian || encoding == .utf16BigEndian {
      #expect(text(body) == Self.document("utf-8"))
    }
  }

  @Test(
    arguments: [
      // Text in its charset, one undefined byte, and the text that is read.
      ("euc-kr", [0xB3, 0xE2, 0xB3, 0xE2, 0xFF, 0xB3, 0xE2], "년년\u{FFFD}년"),
      ("shift_jis", [0x93, 0xFA, 0x96, 0x7B, 0xFF, 0x93, 0xFA], "日本\u{FFFD}日"),
      ("big5", [0xA4, 0xA4, 0xA4, 0xA4, 0xFF, 0x41], "中中\u{FFFD}A"),
      ("windows-1251", [0xEF, 0xF0, 0x98, 0xEF], "пр\u{FFFD}п"),
    ] as [(String, [UInt8], String)])
  func oneBadByteDoesNotChangeTheCharset(label: String, bytes: [UInt8], expected: String) {
    let decoded = DecodedText(Data("<a>".utf8) + Data(bytes) + Data("</a>".utf8), charset: label)
    #expect(String(decoding: decoded.bytes, as: UTF8.self) == "<a>\(expected)</a>")
    #expect(decoded.problem?.contains("U+FFFD") == true)
  }

  @Test func aTextThatIsMostlyNotInItsCharsetIsNot() {
    let latin = Data("<a>caf".utf8) + Data([0xE9, 0x20, 0xE9, 0x20]) + Data("</a>".utf8)
    #expect(text(latin, charset: "euc-kr") == "<a>café é </a>")
  }

  @Test func aLabelOfUTF16OnPlainBytesIsPassedOver() {
    #expect(text(Data(Self.document("utf-16").utf8), charset: "utf-16") == Self.document("utf-16"))
  }

  @Test func goodTextIsNotCopiedOrComplainedOf() {
    let data = Data("<a>Grüße</a>".utf8)
    let decoded = DecodedText(data, charset: "utf-8")
    #expect(decoded.bytes == data)
    #expect(decoded.problem == nil)
  }

  @Test func aFewBadBytesDoNotSpoilTheRest() {
    let data =
      Data("<a>Grüße aus Köln – ".utf8) + Data([0x93, 0x68, 0x69, 0x94, 0x20, 0xE6, 0x97]) + Data("</a>".utf8)
    let decoded = DecodedText(data, charset: nil)
    #expect(String(decoding: decoded.bytes, as: UTF8.self) == "<a>Grüße aus Köln – “hi” \u{FFFD}</a>")
    #expect(decoded.problem != nil)
  }

  @Test func charactersThatXMLForbidsGoAndC1BecomesWhatWasMeant() {
    #expect(text(Data("a\u{1}b\u{0}c\u{FFFE}d\u{FFFF}\u{92}\t\r\ne\u{7F}".utf8)) == "abcd’\t\r\ne\u{7F}")
  }

  @Test func overlongFormsAndSurrogatesAreNotUTF8() {
    for bad in [[0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF]]
      as [[UInt8]]
    {
      let valid = bad.withUnsafeBufferPointer { UTF8Scan($0).isValid }
      #expect(!valid)
      #expect(
        String(data: DecodedText(Data("äöü".utf8) + Data(bad), charset: nil).bytes, encoding: .utf8) != nil)
    }
  }

  @Test func whateverTheBytesTheResultIsCleanUTF8() {
    var generator = SeededRandom(seed: 3)
    for round in 0..<2000 {
      let count = Int.random(in: 0...60, using: &generator)
      let data = Data(
        (0..<count).map { _ in
          UInt8.random(
            in: round % 2 == 0 ? 0...255 : round % 3 == 0 ? 0...0x7F : 0x7E...0xFF, using: &generator)
        })
      let label =
        [
          nil, "euc-kr", "utf-16", "shift_jis", "gbk", "iso-2022-jp", "big5", "windows-1251", "ucs-4",
          "ucs-4le",
          "ucs4",
        ].randomElement(using: &generator) ?? nil
      let decoded = DecodedText(data, charset: label).bytes
      let census = decoded.withUnsafeBytes { UTF8Scan($0.bindMemory(to: UInt8.self)) }
      #expect(census.isValid && !census.hasUnwanted, "\(Array(data)) as \(label ?? "nothing")")
    }
  }

  /// These bytes are ASCII in every other set, so labels are ignored.
  @Test(arguments: [nil, "utf-8", "iso-2022-jp", "windows-1252"] as [String?])
  func escapeSequencesAreSurerThanLabels(charset: String?) {
    let bytes = Data("a \u{1B}$BF|K\\8l\u{1B}(B b \u{1B}(I6E\u{1B}(B \u{1B}$B-!\u{1B}(J c".utf8)
    let text = DecodedText(bytes, charset: charset)
    #expect(String(decoding: text.bytes, as: UTF8.self) == "a 日本語 b ｶﾅ ① c")
    #expect(text.problem == nil)
    let colours = DecodedText(Data("a \u{1B}[1mb\u{1B}(B".utf8), charset: charset)
    #expect(String(decoding: colours.bytes, as: UTF8.self).contains("[1mb"))
  }
}
