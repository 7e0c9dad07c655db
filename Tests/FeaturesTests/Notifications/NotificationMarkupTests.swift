import Testing

@testable import Notifications

struct NotificationMarkupTests {
  @Test(arguments: [
    ("a < b & c", "a &lt; b &amp; c"), (#"C:\new\table"#, #"C:\\new\\table"#), ("two\nlines", "two\nlines"),
    (#"\101"#, #"\\101"#),
  ])
  func aTextForNotifySendMeansItself(text: String, written: String) {
    #expect(NotificationMarkup.escapedForProgram(text) == written)
  }

  @Test(arguments: [
    ("<b>Build</b> &lt;1&gt; &amp; co", "Build <1> & co"), ("a < b && c > d", "a < b && c > d"),
    ("one<br/>two<BR>three", "one\ntwo\nthree"), ("<img src='x' alt='a &amp; b'/>!", "a & b!"),
    ("&#65;&#x42;&#xD800;&#99999999;&nbsp;&", "AB&#xD800;&#99999999;&nbsp;&"),
    ("<span foreground=\"red\">x</span>", "x"), ("<bold>x", "<bold>x"), ("<b", "<b"), ("</i>x</i >", "x"),
    ("<a <a <a", "<a <a <a"), ("&amp;lt;b&amp;gt;", "&lt;b&gt;"), ("", ""), ("<\u{338}b>", "<\u{338}b>"),
  ])
  func aBodyIsReadAsADaemonShowsIt(body: String, text: String) {
    #expect(NotificationMarkup.text(of: body).text.unicodeScalars.elementsEqual(text.unicodeScalars))
  }

  @Test func theFirstWebAddressIsTheLink() {
    let body =
      "<a href=\"file:///etc\">x</a> <a href=\"https://ci.example/?a=1&amp;b=2\">y</a> <a href='http://z'>z</a>"
    #expect(NotificationMarkup.text(of: body) == ("x y z", "https://ci.example/?a=1&b=2"))
  }
}
