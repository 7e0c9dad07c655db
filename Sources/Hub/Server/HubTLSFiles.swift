import Basics
package import Foundation
import NIOSSL
import Platform

/// The certificate and the key of a hub that uses TLS itself: PEM files, which are read when it begins to serve.
package struct HubTLSFiles: Hashable, Sendable {
  package struct Mistake: Error, Hashable {
    /// The key of the setting that contains the file.
    package var key: String
    package var problem: String
  }

  /// The path of a file with the hub's certificate, followed by the intermediate certificates.
  package var certificate: String
  /// The path of a file with the certificate's key, without a password.
  package var key: String

  package init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }

  /// Reads and checks the files, and returns the server's TLS configuration.
  func configuration() throws(Mistake) -> TLSConfiguration {
    let certificates = try certificates()
    let bytes = try bytes(of: key, "key")
    let privateKey: NIOSSLPrivateKey
    do {
      privateKey = try NIOSSLPrivateKey(bytes: bytes, format: .pem)
    } catch {
      throw Mistake(key: "key", problem: "\(key) contains no key (PEM) without a password")
    }
    let file = URL(filePath: key).resolvingSymlinksInPath().path
    let mode = try? FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    if let mode, mode & 0o007 != 0 {
      throw Mistake(key: "key", problem: "others can read or change \(key); run chmod 600 \(key)")
    }
    var configuration = TLSConfiguration.makeServerConfiguration(
      certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(privateKey))
    configuration.minimumTLSVersion = .tlsv12
    configuration.applicationProtocols = ["http/1.1"]
    do {
      _ = try NIOSSLContext(configuration: configuration)
    } catch {
      throw Mistake(key: "key", problem: "\(key) is not the key of \(certificate)")
    }
    return configuration
  }

  /// Reads and checks the files, and returns the date on which the hub's certificate expires.
  package func end() throws(Mistake) -> Date {
    _ = try configuration()
    guard let own = try certificates().first else { throw noCertificate }
    return Date(timeIntervalSince1970: Double(own.notValidAfter))
  }

  private var noCertificate: Mistake {
    Mistake(key: "certificate", problem: "\(certificate) contains no certificate (PEM)")
  }

  private func certificates() throws(Mistake) -> [NIOSSLCertificate] {
    let bytes = try bytes(of: certificate, "certificate")
    guard let found = try? NIOSSLCertificate.fromPEMBytes(bytes), !found.isEmpty else { throw noCertificate }
    return found
  }

  private func bytes(of path: String, _ key: String) throws(Mistake) -> [UInt8] {
    do throws(BoundedFile.Failure) {
      return [UInt8](try BoundedFile.read(path, limit: Limits.hubTLSFileBytes))
    } catch {
      throw Mistake(key: key, problem: "\(path) \(error.reason)")
    }
  }
}
