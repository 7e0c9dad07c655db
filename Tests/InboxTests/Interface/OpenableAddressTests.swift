import Testing

@testable import Markup

struct OpenableAddressTests {
  @Test(arguments: [
    "https://www.swift.org/blog", "http://a", "HTTPS://A.example/?q=1#x", "mailto:a@b.example",
  ])
  func webAndMailAreOpened(address: String) throws {
    let openable = try #require(OpenableAddress(address))
    #expect(openable.text == address)
    #expect(openable.place == .outside)
  }

  @Test(arguments: [
    "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "", "www.swift.org", "https:",
    "https://",
    "https:///x", "mailto:", "-oProxyCommand=x", "ftp://a/b", "reddot:", "reddot:source", "reddot:message/x",
  ])
  func nothingElseIs(address: String) {
    #expect(OpenableAddress(address) == nil)
  }

  @Test func whatIsShownIsWhatIsOpened() {
    #expect(OpenableAddress("https://a/\u{1B}[2J b\u{202E}\n")?.text == "https://a/%1B[2J%20b%E2%80%AE%0A")
    #expect(OpenableAddress("https://пример.example/")?.text.hasPrefix("https://%D0") == true)
  }

  @Test func addressesInsideGoInside() {
    #expect(OpenableAddress("reddot:source/Swift%20Blog")?.place == .source("Swift Blog"))
    #expect(OpenableAddress("reddot:message/12")?.place == .message(12))
  }
}
