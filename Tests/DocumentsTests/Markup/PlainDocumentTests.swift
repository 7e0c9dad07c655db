import Markup
import Screen
import Testing

@Suite struct PlainDocumentTests {
  private func shown(_ text: String, _ width: Int = 40) -> [String] {
    Document.plain(text).layout(width: width, listsLinks: false).map(\.plain)
  }

  @Test func paragraphsLinesAndIndentationAreKept() {
    #expect(shown("one\ntwo\r\n\r\n  three\n\n\n\nfour") == ["one", "two", "", "  three", "", "four"])
  }

  @Test func quotesGetABarAndWrapAfterIt() {
    let text = "Bob wrote:\n> a line of his that wraps\n>> older\n> > oldest\n>\n> end\nanswer"
    #expect(
      shown(text, 20) == [
        "Bob wrote:", "│ a line of his that", "│ wraps", "│ │ older", "│ │ oldest", "│", "│ end", "answer",
      ])
  }

  @Test(arguments: [
    ("see http://e.org/a, ok", ["http://e.org/a"]), ("(https://e.org/x_(y))", ["https://e.org/x_(y)"]),
    ("<http://e.org/>", ["http://e.org/"]),
    ("http://a.org.http://b.org", ["http://a.org.http://b.org"]), ("写信：http://e.org。好", ["http://e.org"]),
    ("mailto:a@b.org.", ["mailto:a@b.org"]),
    ("xhttp://e.org http: http:// note: this", []), ("HTTP://E.ORG!", ["http://E.ORG"]),
    ("https://e.org/?a=1&b=2#c.", ["https://e.org/?a=1&b=2#c"]),
    ("“http://e.org”", ["http://e.org"]), ("http://e.org'", ["http://e.org"]),
    ("javascript:alert(1) file:///x", []),
  ])
  func addressesAreLinks(_ text: String, _ urls: [String]) {
    #expect(Document.plain(text).links.map(\.url) == urls)
  }

  @Test func numbersComeAfterAddresses() {
    #expect(shown("go to http://e.org/.") == ["go to http://e.org/[1]."])
  }

  @Test func aSignatureIsFaint() {
    let lines = Document.plain("text\n-- \nBob").layout(width: 40)
    #expect(lines.map { $0.runs.first?.style.roles } == [[], .dim, .dim])
  }

  @Test func longTextsSayHowMuchIsShown() {
    #expect(
      Document.plain(String(repeating: "é\n", count: 400_000)).layout(width: 60).last?.plain
        == "[Cut here: 1172 KiB in all, 512 KiB shown]")
  }
}
