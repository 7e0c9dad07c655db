import Basics
import CCurl
import Foundation

/// The contents of the files that a `Trust` specifies. libcurl receives bytes instead of paths: given a path, it would
/// replace the system's authorities by the file's, and could wait for a pipe on the thread of all requests.
///
/// The files are read for each request, so that a renewed file takes effect immediately. A cache would save little:
/// reading all 214 KB of authorities of Debian 12 took 0.05 to 0.12 ms, and libcurl needs 20 ms to parse them for a new
/// connection.
struct TrustFiles: Sendable {
  /// The source's authorities together with the system's file, or `nil` if only the system's apply.
  private(set) var authorities: Data?
  private(set) var certificate: Data?
  private(set) var key: Data?

  init() {}

  /// - Throws: `file`, which names the first file that cannot be used.
  init(_ trust: Trust, besides system: SystemTrust) throws(RequestFailure) {
    if trust.verifies, let path = trust.authorities {
      var all = try Self.read(path, namedBy: "ca_file")
      if let path = Self.systemFile(system) {
        all.append(UInt8(ascii: "\n"))
        all.append(try Self.read(path, namedBy: "SSL_CERT_FILE"))
      }
      authorities = all
    }
    if let path = trust.certificate { certificate = try Self.read(path, namedBy: "client_certificate") }
    if let path = trust.key, trust.certificate == nil {
      throw .file(path: path, reason: "it is the key of no certificate; add client_certificate")
    }
    if let path = trust.key { key = try Self.read(path, namedBy: "client_key") }
  }

  /// Returns the file that a source's authorities would replace, or `nil` if the system has a folder of them, which
  /// remains in use.
  private static func systemFile(_ system: SystemTrust) -> String? {
    if let file = system.file { return file }
    guard system.folder == nil, ccurl_open() == nil, ccurl_authorities_folder() == nil else { return nil }
    // A system without certificates adds none.
    return ccurl_authorities().flatMap { access($0, R_OK) == 0 ? String(cString: $0) : nil }
  }

  /// - Parameter setting: the setting that the error asks the user to correct.
  private static func read(_ path: String, namedBy setting: String) throws(RequestFailure) -> Data {
    func failure(_ reason: String) -> RequestFailure {
      .file(path: path, reason: "\(reason); correct \(setting)")
    }
    // Opening a pipe must not block.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(String(cString: strerror(errno))) }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw failure("it is not a file")
    }
    let bytes: Data
    do {
      bytes = try file.read(upToCount: Limits.certificateFileBytes + 1) ?? Data()
    } catch {
      throw failure(error.localizedDescription)
    }
    guard bytes.count <= Limits.certificateFileBytes else {
      throw failure("it is larger than \(Limits.certificateFileBytes >> 20) MiB")
    }
    guard bytes.range(of: Data("-----BEGIN ".utf8)) != nil else {
      throw failure("it has nothing in PEM, which begins with -----BEGIN")
    }
    return bytes
  }
}

extension SystemTrust {
  /// The file and folder of trusted certificates to pass to libcurl, or none if libcurl reads the same ones
  /// by default. libcurl caches only its default files between connections, and reading all of them again
  /// takes 20 ms of CPU.
  var besidesTheSystems: SystemTrust {
    guard file != nil || folder != nil, ccurl_open() == nil else { return self }
    func isTheSystems(_ path: String?, _ own: UnsafePointer<CChar>?) -> Bool {
      path == nil || path == own.map { String(cString: $0) }
    }
    let isTheirs =
      isTheSystems(file, ccurl_authorities()) && isTheSystems(folder, ccurl_authorities_folder())
    return isTheirs ? SystemTrust() : self
  }
}
