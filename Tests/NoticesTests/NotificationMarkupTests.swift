import Testing

@testable import Notices

struct NotificationMarkupTests {
  @Test(arguments: [
    ("a < b & c", "a &lt; b &amp; c"), (#"C:\new\table"#, #"C:\\new\\table"#), ("two\nlines", "two\nlines"),
    (#"\101"#, #"\\101"#),
  ])
  func aTextForNotifySendMeansItself(text: String, written: String) {
    #expect(NotificationMarkup.escapedForProgram(text) == written)
  }
}
