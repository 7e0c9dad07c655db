import Foundation
import Screen
import TerminalHarness
import Testing

@testable import Terminal

/// Texts that break programs, as notices of a terminal.
struct NoticeNaughtyTests {
  @Test(.enabled(if: NaughtyTexts.file != nil), arguments: [NoticeSupport.Code.identified, .titled, .plain])
  func noneLeavesItsCode(_ code: NoticeSupport.Code) throws {
    let texts = try NaughtyTexts.all()
    #expect(texts.count > 500)
    for text in texts + ["\u{1B}]0;x\u{7}", "a\u{9C}b", "\u{1B}\\", String(repeating: "é", count: 5000)] {
      let notice = ScreenNotice(id: text, title: SafeText(untrusted: text), body: SafeText(untrusted: text))
      let sequence = NoticeSupport(code: code).sequence(for: notice)
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
}
