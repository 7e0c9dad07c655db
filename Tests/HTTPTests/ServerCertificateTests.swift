import Foundation
import HTTP
import NIOSSL
import TestBasics
import Testing

/// Certificates that a user trusts besides the system's authorities, and certificates of the client.
@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct ServerCertificateTests {
  private static func start(
    _ chain: String = TestCertificates.good, _ change: (inout TLSConfiguration) throws -> Void = { _ in },
    _ answer: Answer = .response("200 OK", [], "safe")
  ) async throws -> LoopbackServer {
    try await LoopbackServer.start(tls: try TestCertificates.context(chain, change)) { _ in answer }
  }

  private static func failure(
    _ server: LoopbackServer, _ system: SystemTrust = SystemTrust(), _ trust: Trust = Trust()
  ) async throws -> RequestFailure? {
    try await withTransport {
      $0.trust = system
    } _: { transport in
      var request = TransportRequest(url: server.url("/", scheme: "https", host: "localhost"))
      request.trust = trust
      return await transport.failure(request)
    }
  }

  @Test func aFolderOfAuthoritiesIsTrusted() async throws {
    let server = try await Self.start()
    defer { server.stop() }
    let folder = FileManager.default.temporaryDirectory.appending(path: "reddot-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // The name that c_rehash gives the file.
    try Data(TestCertificates.authority.utf8).write(to: folder.appending(path: "649d203f.0"))
    let system = SystemTrust(environment: ["SSL_CERT_DIR": folder.path])
    #expect(try await Self.failure(server, system) == nil)
  }

  /// `SSL_CERT_FILE` has one authority, `ca_file` another.
  @Test func aSourcesAuthoritiesAreTrustedBesidesTheSystems() async throws {
    let system = try TestCertificates.trust()
    var trust = Trust()
    trust.authorities = try TestCertificates.file(TestCertificates.selfSigned)
    for chain in [TestCertificates.selfSigned, TestCertificates.good] {
      let server = try await Self.start(chain)
      defer { server.stop() }
      #expect(try await Self.failure(server, system, trust) == nil)
    }
    let own = try await Self.start(TestCertificates.selfSigned)
    defer { own.stop() }
    #expect(try await Self.failure(own, SystemTrust(), trust) == nil)
    #expect(try await Self.failure(own) != nil)
  }

  @Test func aSourceMayTrustAnyCertificateAndNoOtherDoes() async throws {
    let server = try await Self.start(
      TestCertificates.selfSigned, { _ in },
      .keptOpen(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8)))
    defer { server.stop() }
    let failures = try await withTransport { transport in
      var failures: [RequestFailure?] = []
      // This includes the connection that was made for the first request.
      for verifies in [false, true, false] {
        var request = TransportRequest(url: server.url("/", scheme: "https"))
        request.trust.verifies = verifies
        failures.append(await transport.failure(request))
      }
      return failures
    }
    #expect(failures.map { $0 == nil } == [true, false, true])
  }

  @Test func trustDoesNotFollowARedirectToAnotherServer() async throws {
    let other = try await Self.start(TestCertificates.selfSigned)
    defer { other.stop() }
    let server = try await Self.start(
      TestCertificates.selfSigned, { _ in },
      .redirect("302 Found", to: other.url("/", scheme: "https", host: "localhost")))
    defer { server.stop() }
    var trust = Trust()
    trust.verifies = false
    #expect(
      try await Self.failure(server, SystemTrust(), trust)
        == .tls(
          host: "localhost",
          reason: "the certificate is self-signed; if you trust it, name the certificate in ca_file"))
    #expect(other.requests.isEmpty)
    // The source's authorities are trusted there, too.
    trust.authorities = try TestCertificates.file(TestCertificates.selfSigned)
    #expect(try await Self.failure(server, SystemTrust(), trust) == nil)
  }

  // MARK: The client's certificate

  private static func demanding(_ version: TLSVersion, _ configuration: inout TLSConfiguration) throws {
    configuration.maximumTLSVersion = version
    configuration.certificateVerification = .noHostnameVerification
    configuration.trustRoots = .certificates(
      try NIOSSLCertificate.fromPEMBytes(Array(TestCertificates.selfSigned.utf8)))
  }

  /// - Parameter certificate: the client's certificate.
  private static func trust(_ certificate: String?, isTogether: Bool = false) throws -> Trust {
    var trust = Trust()
    guard let certificate else { return trust }
    if isTogether {
      trust.certificate = try TestCertificates.file(certificate + "\n" + TestCertificates.key)
    } else {
      trust.certificate = try TestCertificates.file(certificate)
      trust.key = try TestCertificates.file(TestCertificates.key)
    }
    return trust
  }

  @Test(arguments: [TLSVersion.tlsv12, .tlsv13], [false, true])
  func aClientShowsItsCertificate(version: TLSVersion, isTogether: Bool) async throws {
    let server = try await Self.start(TestCertificates.good) { try Self.demanding(version, &$0) }
    defer { server.stop() }
    let trust = try Self.trust(TestCertificates.selfSigned, isTogether: isTogether)
    #expect(try await Self.failure(server, try TestCertificates.trust(), trust) == nil)
  }

  @Test(arguments: [TLSVersion.tlsv12, .tlsv13], [false, true])
  func aCertificateThatTheServerMissesIsNamed(version: TLSVersion, isWebSocket: Bool) async throws {
    let server = try await Self.start(TestCertificates.good) { try Self.demanding(version, &$0) }
    defer { server.stop() }
    let failure = try await withTransport {
      $0.trust = try TestCertificates.trust()
    } _: { transport in
      let url = server.url("/", scheme: "https", host: "localhost")
      return isWebSocket
        ? await transport.listen(url, .webSocket).failure : await transport.failure(url)
    }
    let expected = RequestFailure.tls(
      host: "localhost",
      reason: "the server ended the handshake; it may want a client's certificate (client_certificate)")
    // In TLS 1.3 the request has already been sent; the server's reset may come before its reason is read.
    #expect(failure == expected || version == .tlsv13 && failure == .cutOff(received: 0))
  }

  @Test(arguments: [TLSVersion.tlsv12, .tlsv13])
  func aCertificateThatTheServerRefusesIsNamed(version: TLSVersion) async throws {
    let server = try await Self.start(TestCertificates.good) { try Self.demanding(version, &$0) }
    defer { server.stop() }
    let trust = try Self.trust(TestCertificates.good)
    let failure = try await Self.failure(server, try TestCertificates.trust(), trust)
    let expected = RequestFailure.tls(
      host: "localhost",
      reason:
        "the server does not accept the client's certificate in \(trust.certificate ?? "") (client_certificate)"
    )
    #expect(failure == expected || version == .tlsv13 && failure == .cutOff(received: 0))
  }

  @Test func aCertificateIsNotShownToAnotherServer() async throws {
    let other = try await Self.start(TestCertificates.good) { try Self.demanding(.tlsv12, &$0) }
    defer { other.stop() }
    let server = try await Self.start(
      TestCertificates.good, { _ in },
      .redirect("302 Found", to: other.url("/", scheme: "https", host: "localhost")))
    defer { server.stop() }
    let failure = try await Self.failure(
      server, try TestCertificates.trust(), try Self.trust(TestCertificates.selfSigned))
    guard case .tls = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    #expect(other.requests.isEmpty)
  }
}
