import Basics
import Foundation

@testable import Formats
@testable import HTTP

/// Dates of all forms: within the calendar, equal in each form that has them, and written dates read back.
enum DateClaims {
  private static let now = Date(timeIntervalSince1970: 1_795_000_000)

  static func check(_ bytes: Data) throws(Violation) {
    let text = String(decoding: bytes, as: UTF8.self)
    if let parsed = FeedDate.parse(text) {
      let date = parsed.date
      try claimWritable(date, "the date \(text)")
      // Zones differ by minutes, except for those of the database before 1972.
      try claim(
        !parsed.isDay || text.contains("/") || date.timeIntervalSince1970.remainder(dividingBy: 60) == 0,
        "the day \(text) begins within a minute")
      let written = ISOInstant.text(date)
      guard let again = ISOInstant.parse(written) else {
        throw Violation(description: "the date \(written) of \(text) does not read")
      }
      try claim(abs(again.timeIntervalSince(date)) <= 0.001, "the date \(written) of \(text) is another")
      try claimEqual(FeedDate.parse(written)?.date, again, "the date \(written) in two readers")
    }
    if let date = ISOInstant.parse(text) {
      try claimWritable(date, "the instant \(text)")
      let written = ISOInstant.text(date)
      if (-62_135_596_800..<253_402_300_799).contains(date.timeIntervalSince1970) {
        guard let again = ISOInstant.parse(written) else {
          throw Violation(description: "the instant \(written) of \(text) does not read")
        }
        try claim(abs(again.timeIntervalSince(date)) <= 0.001, "the instant \(written) of \(text) is another")
      }
    }
    // A date that several forms have is the same one in each.
    let strict = WrittenDate(text, .instant)?.instant
    for forms: DateForms in [.calendar, .delivery, .feed] {
      guard let date = WrittenDate(text, forms)?.instant else { continue }
      try claimWritable(date, "the date \(text)")
      if let strict { try claimEqual(date, strict, "the date \(text) in two forms") }
    }
    if let date = HTTPDate.parse(text, now: now) { try claimWritable(date, "the HTTP date \(text)") }
  }
}

/// Charsets: with any labels, the text is UTF-8 without characters that XML forbids, and its length is bounded.
enum CharsetClaims {
  private static let labels: [String?] = [
    nil, "utf-8", "iso-8859-1", "windows-1252", "utf-16", "utf-16be", "utf-32", "gb18030", "big5",
    "shift_jis", "euc-jp",
    "iso-2022-jp", "euc-kr", "koi8-r", "windows-1251", "iso-8859-9", "x-mac-roman", "tis-620", "macintosh",
    "\"utf-8\"",
    "utf-7", "no such set", "ibm866", "iso-8859-16",
  ]

  static func check(_ bytes: Data) throws(Violation) {
    var choices = Choices(bytes)
    let label = labels[choices.next(below: labels.count)]
    let document = choices.rest
    let decoded = DecodedText(document, charset: label)
    guard let text = String(validating: decoded.bytes, as: UTF8.self) else {
      throw Violation(description: "\(label ?? "nothing") became bytes that are not UTF-8")
    }
    try claim(
      decoded.bytes.count <= 4 * document.count + 16, "\(document.count) bytes became \(decoded.bytes.count)")
    try claim(
      text.unicodeScalars.allSatisfy(isAllowed), "XML forbids a character of \(text.debugDescription)")
    let again = DecodedText(decoded.bytes, charset: "utf-8")
    if !text.hasPrefix("\u{FEFF}"), !decoded.bytes.prefix(4).contains(0) {
      try claimEqual(again.bytes, decoded.bytes, "a text decoded twice")
    }
    try claim(HTMLBytes.text(document, charset: label).utf8.count <= 4 * document.count + 16, "a page grew")
  }

  /// XML 1.0 section 2.2.
  private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...: true
    default: false
    }
  }
}

/// Content codings: the output is within the limits, and does not depend on how the bytes are split.
enum DecoderClaims {
  private static let limit = 4 << 20
  private static let codings: [[String]] = [
    ["gzip"], ["deflate"], ["br"], ["zstd"], ["gzip", "gzip"], ["identity", "x-gzip"], ["deflate", "gzip"],
    ["br", "gzip"],
  ]

  static func check(_ bytes: Data) throws(Violation) {
    var choices = Choices(bytes)
    let names = codings[choices.next(below: codings.count)]
    let document = choices.rest
    let whole = decoded(document, names, pieces: document.count)
    if case .success(let body) = whole {
      try claim(body.count <= limit, "\(document.count) bytes became \(body.count), above the limit")
      let bound = Limits.expansionFloor + document.count * Limits.expansionFactor
      try claim(body.count <= bound, "\(document.count) bytes became \(body.count)")
    }
    // The reason of a failure may depend on how the bytes are split, but not whether there is one, except for the
    // size limit, which depends on the bytes received so far.
    let inPieces = decoded(document, names, pieces: max(1, document.count / 5))
    switch (whole, inPieces) {
    case (.success(let body), .success(let other)): try claimEqual(other, body, "a body that came in pieces")
    case (.failure, .failure), (_, .failure(.expandsTooFar)): break
    case (.success, .failure(let failure)), (.failure(let failure), .success):
      throw Violation(description: "in pieces or whole, a body fails with \(failure)")
    }
  }

  private static func decoded(
    _ document: Data, _ codings: [String], pieces size: Int
  ) -> Result<Data, ContentDecoder.Failure> {
    let decoder = ContentDecoder(codings: codings, limit: limit)
    do throws(ContentDecoder.Failure) {
      var rest = document
      while !rest.isEmpty {
        let piece = [UInt8](rest.prefix(size))
        rest = rest.dropFirst(size)
        let result: Result<Void, ContentDecoder.Failure> = piece.withUnsafeBytes { bytes in
          do throws(ContentDecoder.Failure) { return .success(try decoder.append(bytes)) } catch {
            return .failure(error)
          }
        }
        try result.get()
      }
      guard try decoder.finish() else { throw .cutOff }
      return .success(decoder.decoded())
    } catch {
      return .failure(error)
    }
  }
}
