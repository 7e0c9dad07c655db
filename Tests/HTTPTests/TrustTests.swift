import Foundation
import NIOSSL
import TestBasics
import Testing

@testable import HTTP

/// The settings of a source about certificates.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct TrustTests {
  private let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "reddot-trust-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func write(_ name: String, _ text: String) throws -> String {
    let file = folder.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  /// - Parameter wants: the certificate that the server requires from a client.
  private func server(
    _ certificate: String, wants client: String? = nil,
    _ routes: @escaping @Sendable (ReceivedRequest) -> Answer = { _ in .response("200 OK", [], "safe") }
  ) async throws -> LoopbackServer {
    let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8))
    let key = try NIOSSLPrivateKey(bytes: Array(TestCertificates.key.utf8), format: .pem)
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
    if let client {
      configuration.certificateVerification = .noHostnameVerification
      configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMBytes(Array(client.utf8)))
    }
    return try await LoopbackServer.start(tls: try NIOSSLContext(configuration: configuration), routes)
  }

  private func failure(
    _ server: LoopbackServer, environment: [String: String] = [:], _ trust: Trust
  ) async throws -> RequestFailure? {
    var request = TransportRequest(url: server.url("/", scheme: "https", host: "localhost"))
    request.trust = trust
    let sent = request
    return try await withTransport {
      $0.trust = SystemTrust(environment: environment)
    } _: {
      await $0.failure(sent)
    }
  }

  private var cleared: Void { try? FileManager.default.removeItem(at: folder) }

  @Test func aFileOfAuthoritiesIsTrustedBesidesThoseOfTheEnvironment() async throws {
    defer { cleared }
    var trust = Trust()
    trust.authorities = try write("own.pem", TestCertificates.selfSigned)
    let environment = ["SSL_CERT_FILE": try write("all.pem", TestCertificates.authority)]
    for certificate in [TestCertificates.selfSigned, TestCertificates.good] {
      let server = try await server(certificate)
      defer { server.stop() }
      #expect(try await failure(server, environment: environment, trust) == nil)
    }
    let server = try await server(TestCertificates.good)
    defer { server.stop() }
    #expect(try await failure(server, trust) != nil)
  }

  /// Many environments name the system's own file.
  @Test func aFileOfAuthoritiesIsTrustedWhereTheEnvironmentNamesTheSystems() async throws {
    defer { cleared }
    let folder = "/etc/ssl/certs"
    let environment = ["SSL_CERT_FILE": folder + "/ca-certificates.crt", "SSL_CERT_DIR": folder]
    let server = try await server(TestCertificates.good)
    defer { server.stop() }
    #expect(try await failure(server, environment: environment, Trust()) != nil)
    var trust = Trust()
    trust.authorities = try write("own.pem", TestCertificates.authority)
    #expect(try await failure(server, environment: environment, trust) == nil)
  }

  @Test(arguments: [
    TestCertificates.selfSigned, TestCertificates.expired, TestCertificates.elsewhere, TestCertificates.good,
  ])
  func withoutVerificationAnyCertificateIsAccepted(certificate: String) async throws {
    defer { cleared }
    let server = try await server(certificate)
    defer { server.stop() }
    var trust = Trust()
    trust.verifies = false
    #expect(try await failure(server, trust) == nil)
  }

  @Test(arguments: [true, false])
  func aServerThatWantsACertificateGetsIt(isKeyInIt: Bool) async throws {
    defer { cleared }
    let server = try await server(TestCertificates.good, wants: TestCertificates.selfSigned)
    defer { server.stop() }
    var trust = Trust()
    trust.authorities = try write("authority.pem", TestCertificates.authority)
    #expect(try await failure(server, trust) != nil)
    let certificate = TestCertificates.selfSigned + "\n"
    if isKeyInIt {
      trust.certificate = try write("client.pem", certificate + TestCertificates.key)
    } else {
      trust.certificate = try write("client.pem", certificate)
      trust.key = try write("client.key", TestCertificates.key)
    }
    #expect(try await failure(server, trust) == nil)
  }

  @Test func anotherServerIsVerifiedAndGetsNoCertificate() async throws {
    defer { cleared }
    let strict = try await server(TestCertificates.good, wants: TestCertificates.selfSigned)
    defer { strict.stop() }
    let open = try await server(TestCertificates.good)
    defer { open.stop() }
    let unknown = try await server(TestCertificates.selfSigned)
    defer { unknown.stop() }
    let start = try await server(TestCertificates.elsewhere) { request in
      let other = ["/strict": strict, "/open": open, "/unknown": unknown][request.path]
      return other.map { .redirect("302 Found", to: $0.url("/", scheme: "https", host: "localhost")) }
        ?? .response()
    }
    defer { start.stop() }
    var trust = Trust()
    trust.verifies = false
    trust.authorities = try write("authority.pem", TestCertificates.authority)
    trust.certificate = try write("client.pem", TestCertificates.selfSigned + "\n" + TestCertificates.key)
    for (path, isReached) in [("/strict", false), ("/open", true), ("/unknown", false)] {
      var request = TransportRequest(url: start.url(path, scheme: "https", host: "localhost"))
      request.trust = trust
      let sent = request
      let failure = try await withTransport { await $0.failure(sent) }
      #expect((failure == nil) == isReached, "\(path): \(failure.map { "\($0)" } ?? "")")
    }
    #expect(strict.requests.isEmpty && unknown.requests.isEmpty)
  }

  @Test func aFileThatCannotBeUsedIsNamedWithItsSetting() async throws {
    defer { cleared }
    let server = try await server(TestCertificates.good)
    defer { server.stop() }
    let pipe = folder.appending(path: "pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let cases = [
      (folder.path + "/none.pem", "No such file or directory"), (folder.path, "it is not a file"),
      (pipe, "it is not a file"),
      (try write("der.pem", "binary"), "it has nothing in PEM, which begins with -----BEGIN"),
      (try write("large.pem", String(repeating: "x", count: 5 << 20)), "it is larger than 4 MiB"),
    ]
    let whole = try write("client.pem", TestCertificates.selfSigned + "\n" + TestCertificates.key)
    for (path, reason) in cases {
      var trust = Trust()
      trust.authorities = path
      #expect(try await failure(server, trust) == .file(path: path, reason: reason + "; correct ca_file"))
      trust = Trust()
      trust.certificate = path
      #expect(
        try await failure(server, trust) == .file(path: path, reason: reason + "; correct client_certificate")
      )
      trust.certificate = whole
      trust.key = path
      #expect(try await failure(server, trust) == .file(path: path, reason: reason + "; correct client_key"))
    }
    var trust = Trust()
    trust.key = whole
    #expect(
      try await failure(server, trust)
        == .file(path: whole, reason: "it is the key of no certificate; add client_certificate"))
    #expect(server.requests.isEmpty)
  }

  /// OpenSSL would ask for the password on the terminal, which belongs to the inbox.
  @Test(arguments: [TestCertificates.keyWithPassword, TestCertificates.otherKey])
  func aKeyThatCannotBeUsedIsAFailure(key: String) async throws {
    defer { cleared }
    let server = try await server(TestCertificates.good)
    defer { server.stop() }
    var trust = Trust()
    trust.authorities = try write("authority.pem", TestCertificates.authority)
    let certificate = try write("client.pem", TestCertificates.selfSigned)
    let path = try write("client.key", key)
    (trust.certificate, trust.key) = (certificate, path)
    let reason =
      "the client's certificate in \(certificate) cannot be used with the key in \(path), "
      + "which must belong to it and have no password"
    #expect(try await failure(server, trust) == .tls(host: "localhost", reason: reason))
  }

  @Test func filesOfCertificatesAreNotReadForOtherSchemes() async throws {
    let server = try await LoopbackServer.start { _ in .response() }
    defer { server.stop() }
    var request = TransportRequest(url: server.url("/"))
    request.trust.authorities = folder.path + "/none.pem"
    let sent = request
    #expect(try await withTransport { await $0.failure(sent) } == nil)
  }
}
