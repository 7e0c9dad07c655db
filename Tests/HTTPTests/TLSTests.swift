import Foundation
import HTTP
import NIOCore
import NIOSSL
import TestBasics
import Testing

@Suite(.timeLimit(.minutes(HangLimit.minutes))) struct TLSTests {
  private func start(_ certificate: String) async throws -> LoopbackServer {
    try await LoopbackServer.start(tls: try TestCertificates.context(certificate)) { _ in
      .response("200 OK", [], "safe")
    }
  }

  private func failure(_ certificate: String, host: String = "localhost") async throws -> RequestFailure? {
    let server = try await start(certificate)
    defer { server.stop() }
    return try await withTransport {
      $0.trust = try TestCertificates.trust()
    } _: {
      await $0.failure(server.url("/", scheme: "https", host: host))
    }
  }

  @Test(arguments: ["localhost", "127.0.0.1"])
  func aCertificateOfATrustedAuthorityIsAccepted(host: String) async throws {
    #expect(try await failure(TestCertificates.good, host: host) == nil)
  }

  @Test func anUnknownAuthorityIsNotTrusted() async throws {
    let server = try await start(TestCertificates.good)
    defer { server.stop() }
    let failure = try await withTransport {
      await $0.failure(server.url("/", scheme: "https", host: "localhost"))
    }
    #expect(
      failure
        == .tls(
          host: "localhost",
          reason: "the certificate was issued by an authority that this system does not trust; "
            + "if you trust it, name the certificate in ca_file"))
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [
    (
      TestCertificates.selfSigned,
      "the certificate is self-signed; if you trust it, name the certificate in ca_file"
    ),
    (TestCertificates.expired, "the certificate expired on 2021-02-03"),
    (TestCertificates.future, "the certificate is not valid before 2100-01-01; is the clock right?"),
    (TestCertificates.elsewhere, "the certificate is for another name than localhost"),
  ])
  func whatIsWrongWithACertificateIsSaid(certificate: String, reason: String) async throws {
    let failure = try await failure(certificate)
    #expect(failure == .tls(host: "localhost", reason: reason))
  }

  @Test func anExpiredCertificateAboveTheServersIsNamed() async throws {
    let server = try await start(TestCertificates.underExpired)
    defer { server.stop() }
    let failure = try await withTransport {
      $0.trust = try TestCertificates.trust(TestCertificates.selfSigned)
    } _: {
      await $0.failure(server.url("/", scheme: "https", host: "localhost"))
    }
    #expect(
      failure == .tls(host: "localhost", reason: "a certificate above the server's expired on 2021-02-03"))
  }

  @Test func aServerWithAnOldTLSIsNamed() async throws {
    let old = try TestCertificates.context(TestCertificates.good) {
      ($0.minimumTLSVersion, $0.maximumTLSVersion) = (.tlsv1, .tlsv11)
    }
    let server = try await LoopbackServer.start(tls: old) { _ in .response() }
    defer { server.stop() }
    let failure = try await withTransport {
      $0.trust = try TestCertificates.trust()
    } _: {
      await $0.failure(server.url("/", scheme: "https", host: "localhost"))
    }
    #expect(
      failure
        == .tls(
          host: "localhost", reason: "the server supports only insecure versions of TLS"))
  }

  @Test func aServerWithoutTLSIsSaidToBe() async throws {
    let server = try await LoopbackServer.start { _ in .hang }
    defer { server.stop() }
    let answer = "HTTP/1.1 400 Bad Request\r\n\r\n"
    let plain = try await LoopbackServer.startSpeaking(Array(answer.utf8))
    defer { plain.close(promise: nil) }
    let port = try #require(plain.localAddress?.port)
    let failure = try await withTransport { await $0.failure("https://127.0.0.1:\(port)/") }
    #expect(failure == .tls(host: "127.0.0.1", reason: "the server does not use TLS on port \(port)"))
  }

  @Test func http2IsSpokenWhereItIsOffered() async throws {
    let server = try await HTTP2Server.start()
    defer { server.close(promise: nil) }
    let port = try #require(server.localAddress?.port)
    let response = try await withTransport {
      $0.trust = try TestCertificates.trust()
    } _: { transport in
      var request = TransportRequest(url: "https://localhost:\(port)/two")
      request.credential = .configured(token: "t", address: request.url)
      return try await transport.send(request)
    }
    #expect(response.status == 200)
    #expect(String(decoding: response.body, as: UTF8.self) == "HTTP/2 GET /two Bearer t")
  }
}
