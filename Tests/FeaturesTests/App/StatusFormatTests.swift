import Foundation
import Testing

@testable import Profile
@testable import reddot

/// Lines for bars.
struct StatusFormatTests {
  private let report = InboxReport(
    status: InboxStatus(unread: 3, isUnseen: true), starred: 2, total: 9,
    newest: [
      InboxReport.Title(title: "A <b>bold</b> & #[fg=red] %{F#f00} \u{1B}[31m\u{202E}title", source: "team"),
      InboxReport.Title(title: "Second", source: "board"),
    ])

  private func line(_ format: String, _ report: InboxReport, for bar: StatusBar? = nil) throws -> String {
    try StatusFormat.parse(format).get().line(report, dot: "●", for: bar)
  }

  private func titled(_ title: String) -> InboxReport {
    InboxReport(
      status: InboxStatus(unread: 3, isUnseen: true),
      newest: [InboxReport.Title(title: title, source: "a#b%{c}<d>")])
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

  @Test(arguments: [
    (StatusBar.tmux, "#[fg=red]#(touch x) #{pid} ##", "##[fg=red]##(touch x) ##{pid} ####"),
    (.polybar, "%{A1:touch x:}y%{A} 5%", "% {A1:touch x:}y% {A} 5% "),
    (.polybar, "{F#f00}", "{F#f00}"), (.polybar, "{\u{301}F}", "{\u{301}F}"),
    (.waybar, "<b a='1'>&\"", "&lt;b a=&apos;1&apos;&gt;&amp;&quot;"),
    (.tmux, "#\u{301}[x]", "##\u{301}[x]"),
  ])
  func aTitleInATextMeansItselfToTheBar(bar: StatusBar, title: String, escaped: String) throws {
    let text = try line("{unread} {title}.", titled(title), for: bar)
    #expect(Array(text.utf8) == Array("3 \(escaped).".utf8), "\(text)")
  }

  @Test func aSignBeforeATitleHasNoMeaningWithIt() throws {
    #expect(try line("#{title}", titled("(touch x)"), for: .tmux) == "##(touch x)")
    #expect(try line("##{title}#{unread}", titled("[fg=red]"), for: .tmux) == "##[fg=red]##3")
    #expect(try line("%{title}", titled("{A1:touch x:}"), for: .polybar) == "% {A1:touch x:}")
    #expect(try line("{title}{{A1:}}", titled("5%"), for: .polybar) == "5% {A1:}")
  }

  @Test func aTextForI3barIsABlock() throws {
    let text = try line("{{{unread}}} {title} {source}", titled("<b>\"}, {\"\\ \u{1B}"), for: .i3bar)
    let block = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: String])
    #expect(block.keys.sorted() == ["full_text"])
    #expect(block["full_text"]?.hasPrefix("{3} <b>\"}, {\"\\ ") == true)
    #expect(block["full_text"]?.hasSuffix(" a#b%{c}<d>") == true)
    #expect(!text.unicodeScalars.contains { $0.value < 32 })
  }

  @Test func whatTheTextItselfSaysReachesTheBar() throws {
    #expect(try line("#[bold]{unread}#[default]", report, for: .tmux) == "#[bold]3#[default]")
    #expect(try line("<b>{unread}</b> {source}", titled("x"), for: .waybar) == "<b>3</b> a#b%{c}&lt;d&gt;")
  }

  @Test func withoutAnythingUnreadBarsShowNothing() throws {
    let empty = InboxReport(status: InboxStatus(unread: 0, isUnseen: false))
    #expect(try line("tmux", empty).isEmpty && line("polybar", empty).isEmpty)
    #expect(try line("waybar", empty) == #"{"text":"","tooltip":"","alt":"none","class":"none"}"#)
    #expect(try line("{dot}{title}", empty).isEmpty)
  }

  @Test(arguments: [
    ("{unreed}", "unreed is not a name for formats; names: {dot} {unread}"), ("{unread", "a { in the format"),
    ("unread}", "a } in the format"), ("i3bar", "\"i3bar\" is not a format; there are waybar, tmux"),
  ])
  func aMistakeSaysWhatThereIs(format: String, sentence: String) throws {
    let mistake = try #require(throws: StatusFormat.Mistake.self) { try line(format, report) }
    #expect(mistake.sentence.hasPrefix(sentence), "\(mistake.sentence)")
  }

  /// The lines of a report are those that a terminal would show.
  @Test func theLastLinesOfAProgramAreWithoutSequences() {
    let lines = ProgramReport.lastLines(Array("one\r\n\u{1B}[31m\u{301}two\u{1B}[0m\n10 %\r20 %\r\n\n".utf8))
    #expect(lines.map { Array($0.utf8) } == ["one", "\u{301}two", "20 %"].map { Array($0.utf8) })
  }
}
