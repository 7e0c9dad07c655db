import Foundation
import Testing

@testable import App

/// Lines for bars.
struct StatusFormatTests {
  private let report = InboxReport(
    status: InboxStatus(unread: 3, isUnseen: true), starred: 2, total: 9,
    newest: [
      InboxReport.Title(title: "A <b>bold</b> & #[fg=red] %{F#f00} \u{1B}[31m\u{202E}title", source: "team"),
      InboxReport.Title(title: "Second", source: "board"),
    ])

  private func line(_ format: String, _ report: InboxReport) throws -> String {
    try StatusFormat.parse(format).get().line(report, dot: "●")
  }

  @Test(arguments: [
    ("tmux", "#[fg=red]●#[default] 3"), ("polybar", "%{F#ff5555}●%{F-} 3"),
    ("{dot} {unread}/{total} {starred}", "● 3/9 2"), ("{{{unread}}} {source}", "{3} team"),
  ])
  func eachHasItsOwnLanguage(format: String, expected: String) throws {
    #expect(try line(format, report) == expected)
  }

  @Test func waybarGetsMarkupWithoutTheMeaningOfStrangersTexts() throws {
    let object = try JSONSerialization.jsonObject(with: Data(try line("waybar", report).utf8))
    let members = try #require(object as? [String: String])
    #expect(members["text"] == "● 3" && members["class"] == "unseen" && members["alt"] == "unseen")
    let tooltip = try #require(members["tooltip"])
    #expect(tooltip.hasPrefix("team: A &lt;b&gt;bold&lt;/b&gt; &amp; "))
    #expect(tooltip.hasSuffix("\nboard: Second"))
    #expect(!tooltip.unicodeScalars.contains("\u{1B}") && !tooltip.unicodeScalars.contains("\u{202E}"))
  }

  @Test(arguments: [("<", "&lt;"), (">", "&gt;"), ("&", "&amp;"), ("\"", "&quot;"), ("'", "&apos;")])
  func aSignWithACombiningMarkIsMarkupAllTheSame(sign: String, escaped: String) throws {
    let report = InboxReport(
      status: InboxStatus(unread: 1, isUnseen: true),
      newest: [InboxReport.Title(title: "a\(sign)\u{301}b", source: "s")])
    let object = try JSONSerialization.jsonObject(with: Data(try line("waybar", report).utf8))
    let tooltip = try #require((object as? [String: String])?["tooltip"])
    #expect(Array(tooltip.utf8) == Array("s: a\(escaped)\u{301}b".utf8))
  }

  @Test func aTitleInATextHasNothingThatATerminalActsOn() throws {
    let title = try line("{title}", report)
    #expect(title.hasPrefix("A <b>bold</b>"))
    #expect(!title.unicodeScalars.contains { $0.value < 32 || $0 == "\u{202E}" })
  }

  @Test func withoutAnythingUnreadBarsShowNothing() throws {
    let empty = InboxReport(status: InboxStatus(unread: 0, isUnseen: false))
    #expect(try line("tmux", empty).isEmpty && line("polybar", empty).isEmpty)
    #expect(try line("waybar", empty) == #"{"text":"","tooltip":"","alt":"none","class":"none"}"#)
    #expect(try line("{dot}{title}", empty).isEmpty)
  }

  @Test(arguments: [
    ("{unreed}", "the format has no name unreed; it knows {dot} {unread}"), ("{unread", "a { in the format"),
    ("unread}", "a } in the format"), ("i3bar", "\"i3bar\" isn't a format: there are waybar, tmux"),
  ])
  func aMistakeSaysWhatThereIs(format: String, sentence: String) throws {
    let mistake = try #require(throws: StatusFormat.Mistake.self) { try line(format, report) }
    #expect(mistake.sentence.hasPrefix(sentence), "\(mistake.sentence)")
  }
}
