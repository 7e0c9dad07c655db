import Foundation
import Screen
import TestBasics
import Testing

@Suite struct SafeTextTests {
  @Test(arguments: Attacks.all + Attacks.scripts)
  func noTerminalControlsAreLeft(_ attack: String) {
    for text in [SafeText(untrusted: attack)] + SafeText.lines(untrusted: attack) {
      #expect(text.text.unicodeScalars.allSatisfy(Attacks.isHarmless))
    }
  }

  @Test(arguments: [
    ("\u{1B}[31mred", "\u{FFFD}[31mred", 8), ("a\u{0}b\u{7F}\u{9B}", "a\u{FFFD}b\u{FFFD}\u{FFFD}", 5),
    ("two\r\nlines\tand a tab", "two lines and a tab", 19), ("a\rb\nc\u{85}d", "a b c d", 7),
    ("\u{202E}gpj.exe", "gpj.exe", 7), ("so\u{AD}ft z\u{200B}w\u{FEFF}", "soft zw", 7),
    ("\u{E0041}tag", "tag", 3), ("👨‍👩‍👧", "👨👩👧", 6), ("👋🏽", "👋", 2), ("🇩🇪", "DE", 2), ("❤️", "❤", 1),
    ("1\u{FE0F}\u{20E3}2\u{20E3}", "1\u{20E3}2\u{20E3}", 2),
    ("می‌خواهم", "می‌خواهم", 7), ("क्‍ष", "क्ष", 2), ("a\u{200C}b", "ab", 2), ("می\u{200C}", "می", 2),
    ("中文", "中文", 4), ("\u{1112}\u{1161}\u{11AB}", "\u{1112}\u{1161}\u{11AB}", 2),
    ("\u{301}a", "◌\u{301}a", 2),
    ("\u{2028}", " ", 1), ("\u{FFFF}", "\u{FFFD}", 1), ("", "", 0),
  ])
  func textComesOutAs(_ source: String, _ expected: String, _ columns: Int) {
    let text = SafeText(untrusted: source)
    #expect(Array(text.text.unicodeScalars) == Array(expected.unicodeScalars))
    #expect(text.columns == columns)
  }

  @Test func aBaseKeepsFourMarks() {
    let text = SafeText(untrusted: "e" + String(repeating: "\u{301}", count: 1000) + "f")
    #expect(text.text.unicodeScalars.count == 6)
    #expect(text.columns == 2)
  }

  @Test(arguments: Attacks.all + Attacks.scripts)
  func sanitisingTwiceChangesNothing(_ source: String) {
    let once = SafeText(untrusted: source)
    #expect(SafeText(untrusted: once.text) == once)
  }

  @Test func textsSideBySideTakeTheSumOfTheirColumns() {
    let texts = (Attacks.all + Attacks.scripts).map(SafeText.init(untrusted:))
    for a in texts {
      for b in texts {
        let sum = a + b
        #expect(SafeText(untrusted: sum.text) == sum)
        #expect(SafeText(untrusted: sum.text).columns == a.columns + b.columns)
      }
    }
  }

  @Test(arguments: [
    ("a\nb", ["a", "b"]), ("a\r\nb\rc\u{85}d\u{2028}e\u{B}f", ["a", "b", "c", "d", "e", "f"]), ("a\n", ["a"]),
    ("\n\n", ["", ""]),
    ("", []), ("a\tb", ["a       b"]), ("中\tb", ["中      b"]), ("12345678\t9", ["12345678        9"]),
    ("\t", ["        "]),
  ])
  func linesAndTabsAreLaidOut(_ source: String, _ expected: [String]) {
    #expect(SafeText.lines(untrusted: source).map(\.text) == expected)
  }

  @Test(arguments: [
    ("hello world", 8, "hello w…"), ("hello", 5, "hello"), ("hello", 1, "…"), ("hello", 0, ""),
    ("hello", -3, ""),
    ("中文测试", 5, "中文…"), ("中文测试", 4, "中…"), ("中文", 2, "…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
  ])
  func longTextEndsWithAnEllipsis(_ source: String, _ columns: Int, _ expected: String) {
    let text = SafeText(untrusted: source).truncated(to: columns, ellipsis: "…")
    #expect(text.text == expected)
    #expect(text.columns <= max(0, columns))
    #expect(SafeText(untrusted: text.text).columns == text.columns)
  }

  @Test func paddingFillsTheColumns() {
    #expect(SafeText(untrusted: "中").padded(to: 4).text == "中  ")
    #expect(SafeText("long").padded(to: 2).text == "long")
  }

  @Test func literalsNumbersAndForeignTextsMakeOneText() {
    let name = "\u{1B}x"
    let text: SafeText = "● \(12) of \(untrusted: name)\(SafeText("!"))"
    #expect(text.text == "● 12 of \u{FFFD}x!")
    #expect(text.columns == 11)
  }

  @Test(arguments: [
    ("the quick brown fox", 10, ["the quick", "brown fox"]), ("the quick", 9, ["the quick"]),
    ("a  b", 2, ["a", "b"]),
    ("abcdefghij", 4, ["abcd", "efgh", "ij"]), ("ab abcdefgh", 4, ["ab", "abcd", "efgh"]),
    ("  indented text", 10, ["  indented", "text"]),
    ("    longword", 6, ["    lo", "ngword"]), ("      x", 4, ["x"]),
    ("well-known words", 6, ["well-", "known", "words"]),
    ("--option", 4, ["--op", "tion"]), ("a b   ", 3, ["a b"]), ("   ", 2, [""]), ("", 5, [""]),
    ("abc", 0, []), ("abc", -1, []),
    ("中文测试文本", 5, ["中文", "测试", "文本"]), ("中文，测试", 4, ["中", "文，", "测试"]), ("他说「你好」", 6, ["他说", "「你", "好」"]),
    ("用Swift写的", 6, ["用", "Swift", "写的"]),
    ("中文", 1, ["中", "文"]), ("👨👩👧", 4, ["👨👩", "👧"]), ("no\u{A0}break here", 8, ["no\u{A0}break", "here"]),
    ("don’t stop", 6, ["don’t", "stop"]),
    ("by SHA-256 now", 8, ["by", "SHA-256", "now"]), ("in 256-bit keys", 8, ["in", "256-bit", "keys"]),
    ("git -m a->b", 5, ["git", "-m", "a->b"]), ("un mot ! oui", 6, ["un", "mot !", "oui"]),
    ("le « mot » ici", 8, ["le", "« mot »", "ici"]), ("中文, 中文.", 4, ["中", "文,", "中", "文."]),
    (". . . .", 3, [". .", ". ."]),
  ])
  func textIsWrapped(_ source: String, _ columns: Int, _ expected: [String]) {
    let lines = SafeText(untrusted: source).wrapped(to: columns)
    #expect(lines.map(\.text) == expected)
    for line in lines { #expect(SafeText(untrusted: line.text).columns == line.columns) }
  }

  @Test func wrappedLinesFitAndLoseNoWord() {
    var random = SeededRandom(seed: 7)
    let pieces = [
      "word", " ", "  ", "中文", "，", "-", "e\u{301}", "👨‍👩‍👧", "longer-word", "「", "」", "می‌خواهم", "x",
    ]
    for _ in 0..<500 {
      let source = (0..<20).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined()
      let text = SafeText(untrusted: source)
      for columns in [2, 3, 7, 20] {
        let lines = text.wrapped(to: columns)
        #expect(lines.allSatisfy { $0.columns <= columns })
        let words = { (text: String) in Array(text.unicodeScalars.filter { $0 != " " }) }
        #expect(words(lines.map(\.text).joined()) == words(text.text))
      }
    }
  }
}
