import Foundation
import TestBasics
import Testing

@testable import HTTP

/// A name and a password that are sent in a form, and the header that is used afterwards.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct LoginTests {
  private static func login(_ url: String, _ credential: Credential?) -> TransportRequest {
    var request = TransportRequest(url: url)
    request.method = .post
    request.body = .login
    request.credential = credential
    return request
  }

  @Test func theFormIsPercentEncoded() async throws {
    let server = try await LoopbackServer.start { _ in .response("200 OK", [], "Auth=x") }
    defer { server.stop() }
    let origin = try #require(Origin(server.url("/")))
    let credential = Credential.login(user: "ann&b=c", password: "p+\u{e4} %\r\n\u{1f600}~-._", for: origin)
    _ = try await withTransport { try await $0.send(Self.login(server.url("/login"), credential)) }
    let request = try #require(server.requests.first)
    #expect(request.body == "Email=ann%26b%3Dc&Passwd=p%2B%C3%A4%20%25%0D%0A%F0%9F%98%80~-._")
    #expect(request["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(request["Authorization"] == nil)
  }

  @Test func theFormGoesToItsOwnServerOnly() async throws {
    let server = try await LoopbackServer.start { _ in .response() }
    defer { server.stop() }
    for other in [
      "http://127.0.0.1:1/", server.url("/", scheme: "https"), server.url("/", host: "localhost"),
    ] {
      let credential = Credential.login(user: "ann", password: "secret", for: try #require(Origin(other)))
      _ = try await withTransport { try await $0.send(Self.login(server.url("/"), credential)) }
    }
    for credential in [nil, Credential.configured(token: "secret", address: server.url("/"))] {
      _ = try await withTransport { try await $0.send(Self.login(server.url("/"), credential)) }
    }
    #expect(server.requests.map(\.body) == ["", "", "", "", ""])
  }

  @Test(arguments: ["301", "302", "303", "307", "308"])
  func theFormIsNotRedirectedElsewhere(status: String) async throws {
    let other = try await LoopbackServer.start { _ in .response() }
    defer { other.stop() }
    let server = try await LoopbackServer.start { _ in .redirect("\(status) Moved", to: other.url("/x")) }
    defer { server.stop() }
    let credential = Credential.configured(
      .login, token: "secret", user: "hunter2", address: server.url("/"))
    let failure = try await withTransport { await $0.failure(Self.login(server.url("/"), credential)) }
    #expect(failure == .badRedirect(other.url("/x")))
    #expect(other.requests.isEmpty)
    #expect(!"\(String(describing: failure))".contains("secret"))
  }

  @Test func theFormFollowsARedirectOnItsOwnServer() async throws {
    let server = try await LoopbackServer.start { request in
      request.path == "/old" ? .redirect("308 Moved", to: "/new") : .response()
    }
    defer { server.stop() }
    let credential = Credential.configured(.login, token: "b", user: "a", address: server.url("/"))
    _ = try await withTransport { try await $0.send(Self.login(server.url("/old"), credential)) }
    #expect(server.requests.map(\.body) == ["Email=a&Passwd=b", "Email=a&Passwd=b"])
  }

  @Test func whatALoginAnsweredIsAHeaderOfTheSameServer() async throws {
    let server = try await LoopbackServer.start { _ in .response() }
    defer { server.stop() }
    let login = try #require(
      Credential.configured(.login, token: "b", user: "a", address: server.url("/")))
    #expect(login.isLogin)
    let known = login.loggedIn(auth: "a/0123")
    #expect(!known.isLogin)
    #expect(known.origin == login.origin)
    var request = TransportRequest(url: server.url("/list"))
    request.credential = known
    let sent = request
    _ = try await withTransport { try await $0.send(sent) }
    #expect(server.requests.first?["Authorization"] == "GoogleLogin auth=a/0123")
    // The password itself is never a header.
    request.credential = login
    let second = request
    _ = try await withTransport { try await $0.send(second) }
    #expect(server.requests.last?["Authorization"] == nil)
  }

  @Test func anAnswerWithALineEndIsNotSent() async throws {
    let server = try await LoopbackServer.start { _ in .response() }
    defer { server.stop() }
    let login = Credential.configured(.login, token: "b", user: "a", address: server.url("/"))
    var request = TransportRequest(url: server.url("/"))
    request.credential = login?.loggedIn(auth: "a\r\nEvil: yes")
    let sent = request
    #expect(try await withTransport { await $0.failure(sent) } == .unusableCredential)
    #expect(server.requests.isEmpty)
  }

  @Test func noWayOfPrintingShowsThePassword() {
    let origin = Origin(scheme: "https", host: "h", port: 443)
    let login = Credential.login(user: "hunter1", password: "hunter2", for: origin)
    for credential in [login, login.loggedIn(auth: "hunter3")] {
      for body in [TransportRequest.Body.login, .bytes(Data("T=hunter4".utf8), type: "hunter/x")] {
        var request = Self.login("https://h/", credential)
        request.body = body
        var dumped = ""
        dump(request, to: &dumped)
        for text in ["\(credential)", "\(request)", String(reflecting: request), dumped] {
          #expect(!text.contains("hunter1") && !text.contains("hunter2") && !text.contains("hunter3"))
          #expect(!text.contains("hunter4") && !text.contains(" 104"))
        }
      }
    }
  }

  struct Way: Sendable {
    var scheme: Credential.Scheme
    var token: String?
    var user: String?
    var header: String?
    var value: String?
    /// The form of a login.
    var form: String?
  }

  private static let ways: [(String, Way)] = [
    ("http://h/", Way(scheme: .bearer, token: "t", header: "Authorization", value: "Bearer t")),
    ("http://h/", Way(scheme: .bearer, token: "t", user: "u", header: "Authorization", value: "Basic dTp0")),
    ("http://h/", Way(scheme: .basic, token: "t", user: "u", header: "Authorization", value: "Basic dTp0")),
    ("http://u@h/", Way(scheme: .basic, token: "t", header: "Authorization", value: "Basic dTp0")),
    ("http://u:t@h/", Way(scheme: .basic, header: "Authorization", value: "Basic dTp0")),
    ("http://h/", Way(scheme: .basic, token: "t", header: "Authorization", value: "Basic OnQ=")),
    ("http://h/", Way(scheme: .header("X-Key"), token: "t", header: "X-Key", value: "t")),
    ("http://:t@h/", Way(scheme: .header("X-Key"), header: "X-Key", value: "t")),
    (
      "http://h/",
      Way(
        scheme: .header("Authorization", prefix: "token "), token: "t", header: "Authorization",
        value: "token t")
    ),
    ("http://h/", Way(scheme: .login, token: "t", user: "u", form: "Email=u&Passwd=t")),
    ("http://u:t@h/", Way(scheme: .login, form: "Email=u&Passwd=t")),
    ("http://v:w@h/", Way(scheme: .login, token: "t", user: "u", form: "Email=u&Passwd=t")),
    ("http://h/", Way(scheme: .bearer)), ("http://u@h/", Way(scheme: .basic)),
    ("http://h/", Way(scheme: .login, user: "u")), ("file:///h", Way(scheme: .bearer, token: "t")),
  ]

  @Test(arguments: ways)
  func eachServiceGetsItsTokenInItsWay(address: String, way: Way) throws {
    let credential = Credential.configured(way.scheme, token: way.token, user: way.user, address: address)
    let origin = try #require(Origin("http://h/"))
    #expect((credential == nil) == (way.value == nil && way.form == nil))
    #expect(credential?.field(for: origin) == way.value.map { HeaderField(way.header ?? "", $0) })
    #expect(credential?.loginForm(for: origin) == way.form)
    let other = try #require(Origin("https://h/"))
    #expect(credential?.field(for: other) == nil)
    #expect(credential?.loginForm(for: other) == nil)
  }

  @Test(arguments: [
    Credential.Scheme.bearer, .basic, .header("X-Auth-Token"), .header("Authorization", prefix: "token "),
  ])
  func noSchemeLeavesItsServerAfterARedirect(scheme: Credential.Scheme) async throws {
    let back = try await LoopbackServer.start { _ in .response() }
    defer { back.stop() }
    let other = try await LoopbackServer.start { request in
      .redirect("302 Found", to: "http://127.0.0.1:\(request["X-Back"] ?? "")/end")
    }
    defer { other.stop() }
    let server = try await LoopbackServer.start { request in
      request.path == "/start" ? .redirect("307 Found", to: other.url("/")) : .response()
    }
    defer { server.stop() }
    var request = TransportRequest(url: server.url("/start"))
    request.credential = .configured(scheme, token: "hunter2", user: "u", address: request.url)
    request.headers = [HeaderField("X-Back", "\(server.port)")]
    let sent = request
    _ = try await withTransport { try await $0.send(sent) }
    let secret = scheme == .header("X-Auth-Token") ? "X-Auth-Token" : "Authorization"
    #expect(server.requests.map { $0[secret] != nil } == [true, false])
    #expect(other.requests.map { $0[secret] != nil } == [false])
    for request in other.requests + server.requests.dropFirst() {
      #expect(!request.headers.contains { $0.value.contains("hunter2") || $0.value.contains("aHVudGVyMg") })
    }
  }
}
