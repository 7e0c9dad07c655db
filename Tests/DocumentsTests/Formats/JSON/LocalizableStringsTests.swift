import Foundation
import Testing

@testable import Formats

@Suite struct LocalizableStringsTests {
  private func read(_ text: String) throws -> [String: String] {
    let strings = try LocalizableStrings.read(Data(text.utf8))
    return Dictionary(uniqueKeysWithValues: strings.keys.map { ($0, strings[$0] ?? "") })
  }

  @Test(arguments: [
    (#""a" = "b";"#, ["a": "b"]), ("a = b;", ["a": "b"]), ("'a' = 'b \"c\"';", ["a": "b \"c\""]),
    ("key;", ["key": "key"]),
    (#""two words";"#, ["two words": "two words"]), ("a_1$/:.-b = c;", ["a_1$/:.-b": "c"]), ("", [:]),
    (" \n\t", [:]),
    ("/* one */ a /* two */ = // three\n b /**/ ; // end", ["a": "b"]), ("a = 1; a = 2;", ["a": "2"]),
    ("/*/ still a comment */ a = b;", ["a": "b"]), ("a = b; /* never closed \n c = d;", ["a": "b"]),
    ("a\u{2028}=\u{2029}b;", ["a": "b"]), ("a = \"line\nline\";", ["a": "line\nline"]),
    ("a=b;\r\nc=d;\r\n", ["a": "b", "c": "d"]),
    ("url = \"http://e.org\"; // x", ["url": "http://e.org"]), ("a = http://e.org;", ["a": "http://e.org"]),
    ("\u{E9} = b;".replacing("\u{E9}", with: "\"\u{E9}\""), ["\u{E9}": "b"]),
    ("a = \"%@ 你好\";", ["a": "%@ 你好"]),
  ])
  func filesAreRead(text: String, strings: [String: String]) throws {
    #expect(try read(text) == strings)
  }

  @Test(arguments: [
    (#"\a\b\f\n\r\t\v"#, "\u{7}\u{8}\u{C}\n\r\t\u{B}"), (#"\"\\\'"#, "\"\\'"), (#"\U00e9"#, "é"),
    (#"\Ue9x"#, "éx"),
    (#"\Ud83d\Ude00"#, "😀"), (#"\U4f60\U597d"#, "你好"), (#"\Ud83d"#, "\u{FFFD}"), (#"\u00e9"#, "u00e9"),
    (#"\q\/"#, "q/"),
    (#"\101\102"#, "AB"), (#"\7x"#, "\u{7}x"), (#"\1018"#, "A8"), (#"\200"#, "\u{A0}"), (#"\344"#, "\u{EE}"),
    (#"\256"#, "\u{FB01}"),
    ("\\\n", "\n"), (#"\Uzz"#, "Uzz"),
    // A lone surrogate, then something else; a backslash before a character of several bytes.
    (#"\Ud83dé"#, "\u{FFFD}é"), (#"\Ud83d\n"#, "\u{FFFD}\n"), (#"x\é\😀\"y"#, "xé😀\"y"), (#"é\101é"#, "éAé"),
  ])
  func escapesStandFor(escaped: String, text: String) throws {
    #expect(try read("k = \"\(escaped)\";")["k"] == text)
  }

  @Test func octalEscapesAreNextStepLatin() throws {
    for byte in UInt8(0x80)...0xFD {
      let expected = try #require(String(bytes: [byte], encoding: .nextstep))
      #expect(try read("k = \"\\\(String(byte, radix: 8))\";")["k"] == expected, "\(byte)")
    }
  }

  @Test(arguments: [
    ("a = b\nc = d;", 1, StringsFailure.Reason.missingSemicolon), ("a = b;\n\nc d;", 3, .missingSemicolon),
    ("a = b;\nc", 2, .missingSemicolon), ("a = b;\nc = \"d\ne", 2, .missingQuote),
    ("a = ;", 1, .unexpected("\";\"")),
    ("a = b;\n= c;", 2, .unexpected("\"=\"")), ("a = b;\nc =", 2, .unexpected("the end")),
    ("a = b;\r\n\r\n{}", 3, .unexpected("\"{\"")), ("a = <00>;", 1, .unexpected("\"<\"")),
    ("a = b;\né = c;", 2, .unexpected("\"é\"")), ("😀", 1, .unexpected("\"😀\"")),
  ])
  func oneMistakeMakesAFileUnreadable(text: String, line: Int, reason: StringsFailure.Reason) {
    #expect(throws: StringsFailure(line: line, reason: reason)) { try read(text) }
  }

  @Test func utf16IsReadByItsMark() throws {
    let text = "k = \"你好 😀\";"
    for (mark, encoding) in [
      ([0xFE, 0xFF], String.Encoding.utf16BigEndian), ([0xFF, 0xFE], .utf16LittleEndian),
    ] as [([UInt8], String.Encoding)] {
      let bytes = Data(mark) + (try #require(text.data(using: encoding)))
      #expect(try LocalizableStrings.read(bytes)["k"] == "你好 😀")
    }
    #expect(try LocalizableStrings.read(Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8))["k"] == "你好 😀")
  }

  @Test func halfAPairOfUTF16IsAReplacement() throws {
    let bytes =
      Data([0xFE, 0xFF]) + Data("k='".utf16.flatMap { [0, UInt8($0)] } + [0xD8, 0x3D, 0, 0x27, 0, 0x3B])
    #expect(try LocalizableStrings.read(bytes)["k"] == "\u{FFFD}")
  }

  @Test func otherBytesAreRefusedAtTheirLine() {
    #expect(throws: StringsFailure(line: 2, reason: .encoding)) {
      try LocalizableStrings.read(Data("é = b;\n".utf8) + Data([0x61, 0xE9, 0x3B]))
    }
    #expect(throws: StringsFailure(line: 1, reason: .encoding)) {
      try LocalizableStrings.read(Data([0xFF, 0xFE, 0x61]))
    }
  }

  @Test func cutOrMutatedNoneTraps() {
    let original = Array("/* c */ \"k\\U00e9\" = 'v\\377'; // x\nbare; a = \"\\Ud83d\\Ude00\";".utf8)
    func expectBounded(_ bytes: [UInt8]) {
      guard let strings = try? LocalizableStrings.read(Data(bytes)) else { return }
      #expect(strings.keys.count <= 6)
      let size = strings.keys.reduce(0) { $0 + $1.utf8.count + (strings[$1]?.utf8.count ?? 0) }
      #expect(size <= 4 * bytes.count)
    }
    for length in 0..<original.count { expectBounded(Array(original.prefix(length))) }
    for place in original.indices {
      for byte in [0x22, 0x5C, 0x2F, 0x2A, 0x3B, 0xFF, 0x00] as [UInt8] {
        var bytes = original
        bytes[place] = byte
        expectBounded(bytes)
      }
    }
  }
}

@Suite struct LocalizedFormatTests {
  @Test(arguments: [
    ("%@ and %@", ["a", "b"], "a and b"), ("%2$@ then %1$@", ["a", "b"], "b then a"), ("100%%", [], "100%"),
    ("%@", [], ""), ("%3$@|", ["a"], "|"), ("%@ %1$@ %@", ["a", "b"], "a a b"),
    ("%d %s %n %x %", ["a"], "%d %s %n %x %"),
    ("%1$d %1$", ["a"], "%1$d %1$"), ("%0$@", ["a"], "%0$@"), ("%99999999999999999999999$@|", ["a"], "|"),
    ("%%@", ["a"], "%@"),
    ("%@", ["%@ %n %s"], "%@ %n %s"), ("%1$@", ["%1$@"], "%1$@"), ("%%%@%%", ["a"], "%a%"),
    ("%5@ %-@", ["a"], "%5@ %-@"),
    ("e\u{301}%@\u{301}", ["x"], "e\u{301}x\u{301}"), ("", ["a"], ""), ("no", ["a"], "no"),
    ("%٣$@", ["a"], "%٣$@"),
  ])
  func formatsAreFilledAsText(format: String, arguments: [String], text: String) {
    #expect(LocalizedFormat.fill(format, arguments) == text)
  }
}
