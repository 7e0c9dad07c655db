import Foundation
import Screen
import TerminalHarness
import TestBasics
import Testing

@testable import Terminal

/// Strings that break programs, as notifications of a terminal.
struct NoticeNaughtyTests {
  /// Strings that could end a code early, begin another one, or be taken for a part of its grammar.
  private static let handmade = [
    "\u{1B}]0;x\u{7}", "a\u{9C}b", "\u{1B}\\", "a\u{1B}\u{1B}\\b", "a\u{9D}99;i=x;b",
    "a\u{1B}\\\u{1B}]99;i=1:p=close;\u{1B}\\", "a\u{1B}]777;notify;x;y\u{7}", "a\u{90}tmux;b\u{9C}",
    "\u{1B}Ptmux;\u{1B}\u{1B}]52;c;UFdO\u{7}\u{1B}\\", "a\u{18}b\u{1A}c", "\u{202E}abc\u{2066}d\u{2069}",
    "a;b:c=d;e", "4;3;100", "9;9;/tmp", "12", ";", ":p=close;", "i=0:d=0;", "a;\u{301}b",
    "a\nb\r\nc\u{2028}d\u{85}e", "\0a\u{7F}", "$(touch x)`x`", "-\u{200B}-help",
    String(repeating: "é", count: 5000), String(repeating: "x;", count: 5000),
    "e" + String(repeating: "\u{301}", count: 3000),
    String(repeating: "\u{1F468}\u{200D}\u{1F467}", count: 400),
  ]

  @Test(
    .enabled(if: Corpora.naughtyStrings != nil), arguments: [NoticeSupport.Code.identified, .titled, .plain],
    [false, true])
  func noneLeavesItsCode(_ code: NoticeSupport.Code, isInTmux: Bool) throws {
    let texts = try Corpora.naughtyTexts()
    #expect(texts.count > 500)
    for text in texts + Self.handmade {
      let notice = ScreenNotice(id: text, title: SafeText(untrusted: text), body: SafeText(untrusted: text))
      let written = NoticeSupport(code: code, isInTmux: isInTmux).sequence(for: notice)
      let sequence = isInTmux ? Self.passedOn(written) : written
      // Each code is one OSC: nothing in it is a control character, and it ends as it should.
      let parts = sequence.components(separatedBy: "\u{1B}\\")
      #expect(parts.last == "" && parts.count == (code == .identified ? 3 : 2))
      for part in parts.dropLast() {
        #expect(
          part.utf8.starts(with: "\u{1B}]\(code == .identified ? "99" : code == .titled ? "777" : "9");".utf8)
        )
        #expect(part.unicodeScalars.dropFirst().allSatisfy { !$0.isControl }, "\(text.debugDescription)")
        #expect(part.utf8.count < 4096)
      }
      if code == .plain { #expect(sequence.firstMatch(of: /^\x1B\]9;[0-9]/) == nil) }
    }
  }

  /// Returns the text that tmux passes to the terminal around it: each piece ends with ST, and every escape in it is
  /// written twice.
  private static func passedOn(_ text: String) -> String {
    let pieces = text.components(separatedBy: "\u{1B}Ptmux;")
    #expect(pieces.first == "" && pieces.count > 1)
    return pieces.dropFirst().map { piece in
      #expect(piece.utf8.reversed().starts(with: "\\\u{1B}".utf8))
      let inner = String(piece.unicodeScalars.dropLast(2))
      let once = inner.replacing("\u{1B}\u{1B}", with: "\u{1B}")
      #expect(once.replacing("\u{1B}", with: "\u{1B}\u{1B}") == inner)
      return once
    }.joined()
  }
}
