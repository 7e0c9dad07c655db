import Dates
import Foundation
import NIOSSL

/// A sentence on why a certificate chain was rejected. It never decides whether a chain is accepted.
enum CertificateReason {
  static func text(_ chain: [NIOSSLCertificate], now: Date) -> String {
    guard let leaf = chain.first else { return "the server has no certificate" }
    for certificate in chain {
      let whose = certificate == leaf ? "the certificate" : "a certificate above the server's"
      let end = Date(timeIntervalSince1970: Double(certificate.notValidAfter))
      if end < now { return "\(whose) expired on \(day(end))" }
      let beginning = Date(timeIntervalSince1970: Double(certificate.notValidBefore))
      if beginning > now { return "\(whose) is not valid before \(day(beginning)); is the clock right?" }
    }
    if isSelfSigned(leaf) { return "the certificate is self-signed" }
    return "the certificate was issued by an authority that this system does not trust"
  }

  private static func day(_ date: Date) -> String { WallTime(date, in: .gmt).date.text }

  /// Whether issuer and subject are the same name, byte by byte (RFC 5280 section 3.2).
  private static func isSelfSigned(_ certificate: NIOSSLCertificate) -> Bool {
    guard let der = try? certificate.toDERBytes() else { return false }
    var outer = DER(der[...])
    guard var body = outer.enter(), var fields = body.enter() else { return false }
    if fields.nextTag == 0xa0 { _ = fields.skip() }
    // Serial number, signature, issuer, validity, subject (RFC 5280 section 4.1).
    guard fields.skip() != nil, fields.skip() != nil, let issuer = fields.skip(), fields.skip() != nil,
      let subject = fields.skip()
    else { return false }
    return issuer == subject
  }
}

/// Reads the elements of DER (X.690), as far as a certificate's names need it.
private struct DER {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  var nextTag: UInt8? { bytes.first }

  /// The content of the next element; moves past it.
  mutating func enter() -> DER? { element().map { DER($0.content) } }

  /// The bytes of the next element, its header included; moves past it.
  mutating func skip() -> ArraySlice<UInt8>? { element()?.whole }

  private mutating func element() -> (whole: ArraySlice<UInt8>, content: ArraySlice<UInt8>)? {
    let start = bytes.startIndex
    guard bytes.count >= 2 else { return nil }
    var length = Int(bytes[start + 1])
    var place = start + 2
    if length >= 0x80 {
      let count = length & 0x7f
      guard (1...4).contains(count), place + count <= bytes.endIndex else { return nil }
      length = bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
      place += count
    }
    guard length <= bytes.endIndex - place else { return nil }
    let end = place + length
    defer { bytes = bytes[end...] }
    return (bytes[start..<end], bytes[place..<end])
  }
}
