import Foundation
import Testing

@testable import HTTP

struct CredentialTests {
  @Test(arguments: [
    ("https://u:p%40@h/a", "https://h/feed", "https://u:p%40@h/feed"),
    ("https://u@h/a", "https://h:443/feed?x#y", "https://u@h:443/feed?x#y"),
    ("https://u:p@h/a", "https://other/feed", "https://other/feed"),
    ("https://u:p@h/a", "http://h/feed", "http://h/feed"),
    ("https://u:p@h/a", "https://h:8443/feed", "https://h:8443/feed"),
    ("https://u:p@h/a", "https://v:q@h/feed", "https://v:q@h/feed"),
    ("https://h/a", "https://h/feed", "https://h/feed"),
  ])
  func aNameAndAPasswordAreCarriedWithinOneOrigin(page: String, address: String, expected: String) {
    #expect(UserInfo.carried(from: page, to: address) == expected)
  }

  @Test(arguments: [
    ("https://u:p%40@h/a?b@c", "https://h/a?b@c"), ("https://u@h/", "https://h/"),
    ("https://h/@x", "https://h/@x"),
    ("file:///a@b", "file:///a@b"), ("", ""),
  ])
  func anAddressIsShownWithoutThem(address: String, expected: String) {
    #expect(UserInfo.removed(from: address) == expected)
  }

  private static let origin = Origin(scheme: "https", host: "h", port: 443)

  @Test(arguments: [
    Credential.bearer("hunter2", for: origin), .basic(user: "hunter2", password: "hunter2", for: origin),
    .header(name: "X-Key", value: "hunter2", for: origin),
  ])
  func noWayOfPrintingShowsTheSecret(credential: Credential) {
    var request = TransportRequest(url: "https://h/")
    request.credential = credential
    var dumped = ""
    dump(request, to: &dumped)
    for text in [
      "\(credential)", String(reflecting: credential), "\(request)", String(reflecting: request), dumped,
    ] {
      #expect(!text.contains("hunter2"))
      #expect(!text.contains("aHVudGVyMg"))
    }
  }

  @Test func proxySettingsShowNoPassword() {
    let settings = ProxySettings(environment: ["http_proxy": "http://hunter1:hunter2@p:1"])
    var dumped = ""
    dump(settings, to: &dumped)
    #expect(!dumped.contains("hunter"))
    #expect(!"\(settings)".contains("hunter"))
  }

  @Test(arguments: [
    ("http://h/a", "http://h/b", true), ("http://H/a", "http://h:80/b", true),
    ("https://h/a", "https://h:443/b", true), ("http://h/a", "https://h/b", false),
    ("https://h/a", "http://h/b", false), ("http://h/a", "http://g/b", false),
    ("http://h/a", "http://h:81/b", false), ("http://h:443/a", "https://h/b", false),
    ("http://h:8080/a", "https://h/b", false), ("http://h/a", "https://h:8443/b", false),
    ("http://h/a", "http://h.evil.example/b", false), ("http://h/a", "http://h@evil.example/b", false),
    ("http://h/a", "http://h./b", false),
  ])
  func aSecretIsForOneSchemeHostAndPort(from: String, to: String, isAllowed: Bool) throws {
    let start = try #require(WebAddress(from))
    let end = try #require(start.redirected(to: to))
    for credential in [
      Credential.configured(token: "t", address: from), .basic(user: "u", password: "p", for: start.origin),
      .header(name: "X-Key", value: "k", for: start.origin),
    ] {
      let credential = try #require(credential)
      #expect(credential.field(for: start.origin) != nil)
      #expect((credential.field(for: end.origin) != nil) == isAllowed)
    }
  }

  @Test func aNameAndAPasswordInAConfiguredAddressAreItsCredential() throws {
    let address = "https://ann:p%40ss@h:8443/feed"
    let credential = try #require(Credential.configured(address: address))
    #expect("\(credential.origin)" == "https://h:8443")
    #expect(credential.field(for: credential.origin)?.value == "Basic YW5uOnBAc3M=")
    let token = try #require(Credential.configured(token: "t", address: address))
    #expect(token.field(for: credential.origin)?.value == "Bearer t")
    #expect(Credential.configured(address: "https://h/") == nil)
    #expect(Credential.configured(token: "t", address: "file:///h") == nil)
  }

  @Test(arguments: [
    ("HTTP://Bücher.example/ä?ö", "http", "xn--bcher-kva.example", 80),
    ("https://u:p@[::1]:8443/#x", "https", "::1", 8443), (" http://h \n", "http", "h", 80),
  ])
  func anAddressIsTakenApart(text: String, scheme: String, host: String, port: Int) throws {
    let address = try #require(WebAddress(text))
    #expect(address.scheme.rawValue == scheme)
    #expect(address.host == host)
    #expect(address.port == port)
    #expect(!address.text.contains("@") && !address.text.contains("#"))
  }
}
