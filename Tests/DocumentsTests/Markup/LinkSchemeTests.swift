import Markup
import Testing

struct LinkSchemeTests {
  @Test(arguments: [
    ("https://example.org", LinkScheme.https), ("HTTP://example.org", .http),
    ("MailTo:a@example.org", .mailto),
    ("reddot:message/1", .reddot), ("javascript:alert(1)", nil), ("file:///etc/passwd", nil), ("tel:1", nil),
    ("example.org", nil), ("", nil), (":", nil), (" https://example.org", nil),
  ])
  func onlyTheseAreOffered(address: String, scheme: LinkScheme?) {
    #expect(LinkScheme(of: address) == scheme)
  }

  @Test func twoOfThemAreTheWeb() {
    #expect(LinkScheme.allCases.filter(\.isWeb) == [.http, .https])
  }
}
