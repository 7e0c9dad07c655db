import Testing

@testable import App

/// The line for prompts and status bars.
struct StatusFormatTests {
  private let hostile = [(title: "#(reboot) %{A1:x:} <b>&\u{1B}[31m {unread}", source: "News")]

  private func line(
    _ format: String, unread: Int = 3, isUnseen: Bool = true, isUTF8: Bool = true
  ) throws -> String? {
    try #require(StatusFormat(format))
      .line(
        InboxStatus(unread: unread, isUnseen: isUnseen), newest: unread > 0 ? hostile : [], isUTF8: isUTF8)
  }

  @Test func theUsualLineIsDotAndNumber() throws {
    for format in ["plain", "tmux", "polybar"] {
      #expect(try line(format) == "● 3")
      #expect(try line(format, isUTF8: false) == "* 3")
      #expect(try line(format, isUnseen: false) == "3")
      #expect(try line(format, unread: 0, isUnseen: false) == nil)
    }
  }

  @Test func aTemplateIsFilledOnce() throws {
    #expect(try line("{unread} {title}") == "3 #(reboot) %{A1:x:} <b>&\u{FFFD}[31m {unread}")
    #expect(try line("{source}: {other} {unread") == "News: {other} {unread")
  }

  @Test func eachBarsOwnCharactersAreEscaped() throws {
    #expect(try line("tmux:{title}") == "##(reboot) %{A1:x:} <b>&\u{FFFD}[31m {unread}")
    #expect(try line("polybar:{title}") == "#(reboot) % {A1:x:} <b>&\u{FFFD}[31m {unread}")
    #expect(
      try line("waybar:{title}")
        == ##"{"text":"#(reboot) %{A1:x:} &lt;b&gt;&amp;�[31m {unread}","alt":"unseen","tooltip":"News: #(reboot) %{A1:x:} &lt;b&gt;&amp;�[31m {unread}","class":"unseen"}"##
    )
  }

  @Test func waybarHasALineForNothingToo() throws {
    #expect(
      try line("waybar", unread: 0, isUnseen: false)
        == #"{"text":"","alt":"none","tooltip":"","class":"none"}"#)
    #expect(try line("waybar", isUnseen: false)?.contains(#""class":"unread""#) == true)
  }

  @Test(arguments: ["", "bar", "unread", "{}", "{tilte}"]) func anythingElseIsNoFormat(_ text: String) {
    #expect(StatusFormat(text) == nil)
  }
}
