import Foundation
import Screen
import Testing

@testable import Terminal

/// Notices as escape codes.
struct NoticeSupportTests {
  private static let notice = ScreenNotice(
    id: "reddot-7", title: "Build; failed", body: "Build server", isUrgent: true)

  @Test(arguments: [
    (["TERM": "xterm-kitty"], "OSC 99"), (["TERM": "foot-extra"], "OSC 777"),
    (["TERM": "xterm-ghostty"], "OSC 777"),
    (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], "OSC 777"),
    (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], "OSC 9"),
    (["TERM": "xterm-256color", "LC_TERMINAL": "iTerm2"], "OSC 9"),
    (["TERM": "xterm-256color", "KONSOLE_VERSION": "220401"], "OSC 777"),
    (["TERM": "xterm-256color", "VTE_VERSION": "7200"], ""), (["TERM": "alacritty"], ""),
    (["TERM": "linux"], ""),
    (["TERM": "xterm-256color", "XTERM_VERSION": "XTerm(390)", "KITTY_WINDOW_ID": "1"], ""),
    (["TERM": "screen-256color", "STY": "1.pts", "KITTY_WINDOW_ID": "1"], ""), ([:], ""),
  ])
  func theTerminalIsKnownByTheEnvironment(_ variables: [String: String], _ code: String) {
    let support = NoticeSupport(in: variables)
    #expect((support.code?.rawValue ?? "") == code && !support.isInTmux)
  }

  @Test func insideTmuxTheTerminalAroundItCounts() {
    let kitty = NoticeSupport(in: ["TERM": "tmux-256color", "TMUX": "/tmp/x,1,0", "KITTY_WINDOW_ID": "1"])
    #expect(kitty == NoticeSupport(code: .identified, isInTmux: true))
    #expect(
      NoticeSupport(in: ["TERM": "screen-256color", "TMUX": "/tmp/x,1,0"])
        == NoticeSupport(code: nil, isInTmux: true))
  }

  @Test func kittysCodeHasAnId() {
    let text = NoticeSupport(code: .identified).sequence(for: Self.notice)
    #expect(
      text == "\u{1B}]99;i=reddot-7:d=0:e=1:u=2:f=cmVkZG90;QnVpbGQ7IGZhaWxlZA==\u{1B}\\"
        + "\u{1B}]99;i=reddot-7:d=1:e=1:p=body;QnVpbGQgc2VydmVy\u{1B}\\")
    #expect(NoticeSupport(code: .identified).closing("reddot-7") == "\u{1B}]99;i=reddot-7:p=close;\u{1B}\\")
    #expect(NoticeSupport(code: .titled).closing("reddot-7").isEmpty)
    let usual = ScreenNotice(id: "reddot-1", title: "Build", body: "")
    #expect(
      NoticeSupport(code: .identified).sequence(for: usual)
        .hasPrefix("\u{1B}]99;i=reddot-1:d=0:e=1:u=1:f="))
  }

  @Test func urxvtsTitleHasNoSemicolon() {
    #expect(
      NoticeSupport(code: .titled).sequence(for: Self.notice)
        == "\u{1B}]777;notify;Build, failed;Build server\u{1B}\\")
  }

  @Test func aSemicolonWithAMarkIsOneToo() {
    let notice = ScreenNotice(id: "a", title: SafeText(untrusted: "a;\u{301}b"), body: "")
    let text = NoticeSupport(code: .titled).sequence(for: notice)
    #expect(text.utf8.count { $0 == UInt8(ascii: ";") } == 3)
  }

  @Test func aTextNeverBeginsAsAnotherCommand() {
    let progress = ScreenNotice(id: "a", title: "4;3;100", body: "")
    #expect(NoticeSupport(code: .plain).sequence(for: progress) == "\u{1B}]9;reddot: 4;3;100\u{1B}\\")
    #expect(
      NoticeSupport(code: .plain).sequence(for: Self.notice) == "\u{1B}]9;Build; failed: Build server\u{1B}\\"
    )
  }

  @Test func tmuxPassesCodesOnWithDoubledEscapes() {
    #expect(
      NoticeSupport(code: .plain, isInTmux: true).sequence(for: Self.notice)
        == "\u{1B}Ptmux;\u{1B}\u{1B}]9;Build; failed: Build server\u{1B}\u{1B}\\\u{1B}\\")
    let parts = NoticeSupport(code: .identified, isInTmux: true).sequence(for: Self.notice)
    #expect(parts.components(separatedBy: "\u{1B}Ptmux;").count == 3)
  }

  @Test func idsAreLettersDigitsAndHyphens() {
    #expect(ScreenNotice(id: "a-1;\u{1B}:é/$(x)", title: "", body: "").id == "a-1x")
  }

  @Test func withoutSupportNothingIsWritten() {
    #expect(NoticeSupport(code: nil).sequence(for: Self.notice).isEmpty)
  }

}
