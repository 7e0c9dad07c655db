import NIOCore
import TestBasics
import Testing

@testable import HTTP

@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct ProxyTests {
  @Test func plainHTTPIsHandedToTheProxyWithItsWholeAddress() async throws {
    let proxy = try await LoopbackServer.start { _ in .response("200 OK", ["ETag: \"p\""], "by proxy") }
    defer { proxy.stop() }
    let response = try await withTransport {
      $0.proxies = ProxySettings(environment: ["http_proxy": "http://me:pass@127.0.0.1:\(proxy.port)"])
    } _: { transport in
      var request = TransportRequest(url: "http://feeds.example:8080/a/b?c=d")
      request.credential = .configured(token: "t", address: request.url)
      return try await transport.send(request)
    }
    #expect(String(decoding: response.body, as: UTF8.self) == "by proxy")
    #expect(response.finalURL == "http://feeds.example:8080/a/b?c=d")
    let request = try #require(proxy.requests.first)
    #expect(request.line == "GET http://feeds.example:8080/a/b?c=d HTTP/1.1")
    #expect(request["Host"] == "feeds.example:8080")
    #expect(request["Proxy-Authorization"] == "Basic bWU6cGFzcw==")
    #expect(request["Authorization"] == "Bearer t")
  }

  @Test func secureAddressesAreTunnelled() async throws {
    let proxy = try await LoopbackServer.start { _ in .response("403 No") }
    defer { proxy.stop() }
    let failure = try await withTransport {
      $0.proxies = ProxySettings(environment: ["ALL_PROXY": "127.0.0.1:\(proxy.port)"])
    } _: {
      await $0.failure("https://feeds.example/secret")
    }
    #expect(failure == .proxy(reason: "127.0.0.1 refuses to connect to feeds.example"))
    #expect(proxy.requests.map(\.line) == ["CONNECT feeds.example:443 HTTP/1.1"])
  }

  /// Tinyproxy answers 401 to a wrong password, other proxies 407.
  @Test(arguments: ["407 Proxy Authentication Required", "401 Unauthorized"], ["http", "https"])
  func aProxyThatWantsAnotherPasswordIsNamed(status: String, scheme: String) async throws {
    // A plain 401 may be from the server.
    guard status.hasPrefix("407") || scheme == "https" else { return }
    let proxy = try await LoopbackServer.start { _ in .response(status) }
    defer { proxy.stop() }
    for (login, reason) in [
      ("", "127.0.0.1 asks for a name and a password"),
      ("me:pass@", "127.0.0.1 does not accept the name and the password"),
    ] {
      let failure = try await withTransport {
        $0.proxies = ProxySettings(environment: ["all_proxy": "http://\(login)127.0.0.1:\(proxy.port)"])
      } _: {
        await $0.failure("\(scheme)://feeds.example/")
      }
      #expect(failure == .proxy(reason: reason))
    }
  }

  /// Starts a secure server for elsewhere.example that only the proxy can reach.
  private static func startHidden() async throws -> LoopbackServer {
    try await LoopbackServer.start(tls: try TestCertificates.context(TestCertificates.elsewhere)) { _ in
      .response("200 OK", [], "hidden")
    }
  }

  @Test(arguments: [false, true])
  func aTunnelShowsTheProxyNoSecret(isSecure: Bool) async throws {
    let hidden = try await Self.startHidden()
    defer { hidden.stop() }
    let context = isSecure ? try TestCertificates.context(TestCertificates.good) : nil
    let proxy = try await LoopbackServer.start(tls: context) { _ in .tunnel(to: hidden.port) }
    defer { proxy.stop() }
    let response = try await withTransport {
      $0.trust = try TestCertificates.trust()
      let scheme = isSecure ? "https" : "http"
      $0.proxies = ProxySettings(
        environment: [
          "https_proxy": "\(scheme)://me:p%40ss@localhost:\(proxy.port)", "no_proxy": "other.example",
        ])
    } _: { transport in
      var request = TransportRequest(url: "https://elsewhere.example/secret?x=y")
      request.credential = .configured(token: "hunter2", address: request.url)
      request.headers = [HeaderField("X-Own", "hunter3")]
      return try await transport.send(request)
    }
    #expect(String(decoding: response.body, as: UTF8.self) == "hidden")
    #expect(hidden.requests.map { $0["Authorization"] } == ["Bearer hunter2"])
    #expect(hidden.requests.map { $0["Proxy-Authorization"] } == [nil])
    #expect(proxy.requests.map(\.line) == ["CONNECT elsewhere.example:443 HTTP/1.1"])
    let asked = try #require(proxy.requests.first)
    #expect(asked["Proxy-Authorization"] == "Basic bWU6cEBzcw==")
    #expect(!asked.headers.contains { $0.value.contains("hunter") || $0.name == "Authorization" })
  }

  @Test(arguments: ["http", "https"])
  func aProxyWhoseCertificateCannotBeTrustedIsNamed(scheme: String) async throws {
    let proxy = try await LoopbackServer.start(tls: try TestCertificates.context(TestCertificates.selfSigned))
    {
      _ in .response("200 OK", [], "by proxy")
    }
    defer { proxy.stop() }
    let proxies = ProxySettings(environment: ["all_proxy": "https://localhost:\(proxy.port)"])
    let failure = try await withTransport {
      $0.proxies = proxies
    } _: { transport in
      var request = TransportRequest(url: "\(scheme)://elsewhere.example/")
      // This setting is for the server, not for the proxy.
      request.trust.verifies = false
      return await transport.failure(request)
    }
    #expect(
      failure
        == .proxy(
          reason: "the certificate of localhost cannot be trusted; if you trust it, name it in SSL_CERT_FILE")
    )
    #expect(proxy.requests.isEmpty)
    let trusted = try await withTransport {
      $0.proxies = proxies
      $0.trust = try TestCertificates.trust(TestCertificates.selfSigned)
    } _: {
      await $0.failure("http://elsewhere.example/")
    }
    #expect(trusted == nil)
  }

  @Test(arguments: [true, false])
  func aSOCKSProxyGetsItsNameAndPassword(isRight: Bool) async throws {
    let held = HeldConnection()
    let proxy = try await LoopbackServer.startHeld(held)
    defer { proxy.close(promise: nil) }
    let port = try #require(proxy.localAddress?.port)
    try await withTransport {
      $0.proxies = ProxySettings(environment: ["all_proxy": "socks5h://me:pass@127.0.0.1:\(port)"])
    } _: { transport in
      async let failure = transport.failure("http://feeds.example/a")
      await held.wait { $0.received.count >= 2 && $0.received.count == 2 + Int($0.received[1]) }
      let hello = await held.wait { _ in true }.received
      #expect(hello.dropFirst(2).contains(2))
      // RFC 1929.
      try await held.send([[5, 2]])
      let login: [UInt8] = [1, 2] + Array("me".utf8) + [4] + Array("pass".utf8)
      let sent = await held.wait { $0.received.count >= hello.count + login.count }.received
      #expect(Array(sent.dropFirst(hello.count)) == login)
      try await held.send([[1, isRight ? 0 : 1]])
      if isRight {
        let name = Array("feeds.example".utf8)
        let wish = [5, 1, 0, 3, UInt8(name.count)] + name + [0, 80]
        let asked = await held.wait { $0.received.count >= sent.count + wish.count }.received
        #expect(Array(asked.dropFirst(sent.count)) == wish)
        try await held.send([[5, 0, 0, 1, 127, 0, 0, 1, 0, 80]])
        await held.wait { $0.received.suffix(4) == Array("\r\n\r\n".utf8)[...] }
        try await held.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        #expect(await failure == nil)
      } else {
        #expect(await failure == .proxy(reason: "127.0.0.1 does not accept the name and the password"))
      }
    }
  }

  @Test func aProxyThatIsNotThereIsNamed() async throws {
    let gone = try await LoopbackServer.start { _ in .nothing }
    gone.stop()
    let failure = try await withTransport {
      $0.proxies = ProxySettings(environment: ["http_proxy": "http://127.0.0.1:1"])
    } _: {
      await $0.failure("http://feeds.example/")
    }
    #expect(failure == .proxy(reason: "127.0.0.1 refuses connections to port 1"))
  }

  @Test func loopbackIsRequestedDirectly() async throws {
    let server = try await LoopbackServer.start { _ in .response() }
    defer { server.stop() }
    let failure = try await withTransport {
      $0.proxies = ProxySettings(environment: ["http_proxy": "http://127.0.0.1:1"])
    } _: {
      await $0.failure(server.url("/"))
    }
    #expect(failure == nil)
  }

  private static func proxied(_ address: String, _ environment: [String: String]) throws -> String? {
    let address = try #require(WebAddress(address))
    return try ProxySettings(environment: environment).proxy(for: address).map {
      "\($0.kind.rawValue) \($0.host):\($0.port)"
    }
  }

  struct Choice: Sendable {
    var address: String
    var environment: [String: String]
    var proxy: String?

    init(_ address: String, _ environment: [String: String], _ proxy: String?) {
      self.address = address
      self.environment = environment
      self.proxy = proxy
    }
  }

  static let choices: [Choice] = [
    Choice("http://a.example/", ["http_proxy": "http://p:3128"], "http p:3128"),
    Choice("http://a.example/", ["HTTP_PROXY": "p:3128"], "http p:3128"),
    Choice("http://a.example/", ["http_proxy": "low", "HTTP_PROXY": "up"], "http low:80"),
    Choice("http://a.example/", ["https_proxy": "http://p:1"], nil),
    Choice("https://a.example/", ["https_proxy": "http://p:1", "http_proxy": "http://q:2"], "http p:1"),
    Choice("https://a.example/", ["all_proxy": "socks5h://p"], "socks5h p:1080"),
    Choice("https://a.example/", ["all_proxy": "http://[::1]:99"], "http ::1:99"),
    Choice("https://a.example/", ["https_proxy": "https://p"], "https p:443"),
    Choice("http://a.example/", ["http_proxy": "", "ALL_PROXY": "p"], "http p:80"),
    Choice("http://localhost/", ["http_proxy": "p"], nil),
    Choice("http://127.9.9.9/", ["http_proxy": "p"], nil),
    Choice("http://[::1]/", ["http_proxy": "p"], nil),
    Choice("http://x.localhost/", ["http_proxy": "p"], nil),
    Choice("http://a.example/", [:], nil),

  ]

  @Test(arguments: choices)
  func theUsualVariablesChooseTheProxy(choice: Choice) throws {
    #expect(try Self.proxied(choice.address, choice.environment) == choice.proxy)
  }

  @Test(arguments: [
    ("http://a.example/", "*", true), ("http://a.example/", "a.example", true),
    ("http://b.a.example/", "a.example", true), ("http://ba.example/", "a.example", false),
    ("http://b.a.example/", ".a.example", true), ("http://a.example/", ".A.example", true),
    ("http://b.a.example/", "*.a.example", true), ("http://a.example/", "x, y,a.example", true),
    ("http://a.example:81/", "a.example:81", true), ("http://a.example/", "a.example:81", false),
    ("http://10.1.2.3/", "10.0.0.0/8", true), ("http://11.1.2.3/", "10.0.0.0/8", false),
    ("http://10.1.2.3/", "10.1.2.3", true), ("http://10.1.2.3/", "10.1.2.4", false),
    ("http://10.129.0.1/", "10.128.0.0/9", true), ("http://10.127.0.1/", "10.128.0.0/9", false),
    ("http://[fd00::1]/", "fd00::/8", true), ("http://[fe80::1]/", "fd00::/8", false),
    ("http://[fd00::1]:8/", "[fd00::1]:8", true), ("http://a.example/", "10.0.0.0/8", false),
    ("http://a.example/", "", false), ("http://a.example/", ".,,/", false),
    ("http://10.1.2.3/", "0.0.0.0/0", true),
    ("http://10.1.2.3/", "10.0.0.0/99", false),
  ])
  func exceptionsAreRequestedDirectly(address: String, exceptions: String, isDirect: Bool) throws {
    let environment = ["http_proxy": "p:1", "NO_PROXY": exceptions]
    #expect(try Self.proxied(address, environment) == (isDirect ? nil : "http p:1"))
  }

  @Test(arguments: [
    ("ftp://p:1", "http_proxy asks for a proxy over ftp; only http, https and socks5 can be used"),
    ("http://me:secret@", "http_proxy is not the address of a proxy"),
    ("http://p:99999", "http_proxy names a port that does not exist"),
  ])
  func aProxyThatCannotBeUsedIsNotGoneAround(value: String, reason: String) {
    #expect(throws: RequestFailure.proxy(reason: reason)) {
      try Self.proxied("http://a.example/", ["http_proxy": value])
    }
  }

  @Test(
    arguments: [
      ("socks5://me@p:1081", "http://a.example/", "socks5h p:1081"),
      ("p:3128", "https://a.example/", "http p:3128"),
      ("https://p", "http://a.example/", "https p:443"), ("", "http://a.example/", nil),
      ("none", "https://a.example/", nil), (nil, "http://a.example/", "http env:80"),
      ("p", "http://localhost/", nil), ("p", "http://b.intranet.example/", nil),
      ("p", "http://env.example/", "http p:80"),
    ] as [(String?, String, String?)])
  func theSettingsComeBeforeTheVariables(proxy: String?, address: String, expected: String?) throws {
    let settings = ProxySettings(
      proxy: proxy, exceptions: ["intranet.example"],
      environment: ["http_proxy": "env", "https_proxy": "env", "no_proxy": "env.example"])
    let found = try settings.proxy(for: try #require(WebAddress(address))).map {
      "\($0.kind.rawValue) \($0.host):\($0.port)"
    }
    #expect(found == expected)
  }

  @Test func theSettingsSayWhichProxiesCanBeUsed() {
    for proxy in ["", "none", "p", "socks5://me:secret@p:1"] {
      #expect(ProxySettings.problem(of: proxy) == nil)
    }
    #expect(ProxySettings.problem(of: "http://me:secret@") == "is not the address of a proxy")
    #expect(ProxySettings.problem(of: "ftp://me:secret@p")?.contains("secret") == false)
    #expect(ProxySettings.hasPassword("http://me:secret@p") && ProxySettings.hasPassword("me:secret@p:1"))
    #expect(!ProxySettings.hasPassword("http://me@p") && !ProxySettings.hasPassword("none"))
  }
}
