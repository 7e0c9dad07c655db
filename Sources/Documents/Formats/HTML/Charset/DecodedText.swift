package import Foundation

/// The text of a document. It is always valid UTF-8, without a byte order mark and characters that XML forbids.
///
/// These are tried in order: the escape sequences of ISO-2022-JP, the charset of the HTTP header, the byte order mark,
/// the XML declaration, then UTF-8. A label that does not fit the bytes is skipped.
package struct DecodedText: Sendable {
  /// The text as UTF-8; the input itself if nothing was changed.
  package var bytes: Data
  /// A description of the encoding's problem, or `nil` if the text is encoded as labelled.
  package var problem: String?

  package init(_ data: Data, charset: String?) {
    let (bytes, problem): ([UInt8]?, String?) = data.withUnsafeBytes { raw in
      Self.decode(raw.bindMemory(to: UInt8.self), charset: charset)
    }
    if let bytes {
      self.bytes = Data(bytes)
    } else {
      self.bytes = data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data
    }
    self.problem = problem
  }

  /// Converts the input to UTF-8.
  ///
  /// - Returns: `nil` as bytes if the input is used unchanged.
  private static func decode(
    _ input: UnsafeBufferPointer<UInt8>, charset: String?
  ) -> (bytes: [UInt8]?, problem: String?) {
    let mark = ByteOrderMark(input)
    var body = UnsafeBufferPointer(rebasing: input.dropFirst(mark?.length ?? 0))
    // A second mark may come from concatenated files.
    if mark?.charset == .utf8, body.starts(with: [0xEF, 0xBB, 0xBF]) {
      body = UnsafeBufferPointer(rebasing: body.dropFirst(3))
    }
    let census = UTF8Scan(body)
    // Escape sequences are more reliable than labels: such bytes are ASCII in all other sets.
    if census.hasUnwanted, !census.hasNonASCII, census.isValid, EscapedJapanese.isIn(body) {
      let plain = EscapedJapanese.inEUC(body)
      let converted = plain.withUnsafeBufferPointer { plain in
        CharsetConversion.toUTF8(plain, from: "EUC-JP-MS") ?? CharsetConversion.toUTF8(plain, from: "EUC-JP")
      }
      if let converted { return (cleaned(converted.bytes), meaningless(converted.errors, in: "ISO-2022-JP")) }
    }
    var labels: [Charset] = []
    if let charset, let label = Charset(label: charset) { labels.append(label) }
    if let mark { labels.insert(mark.charset, at: mark.charset.isWide ? 0 : labels.endIndex) }
    if let wide = Self.wideWithoutMark(body) { labels.insert(wide, at: 0) }
    if let declared = XMLDeclaration.encoding(body).flatMap(Charset.init(label:)) { labels.append(declared) }
    labels.append(.utf8)

    // Text with a few bad bytes is read in its labelled charset, unless another label fits without errors.
    var nearly: CharsetConversion.Result?
    var nearlyName = ""
    func nearest() -> (bytes: [UInt8]?, problem: String?)? {
      guard let result = nearly else { return nil }
      nearly = nil
      return (cleaned(result.bytes), meaningless(result.errors, in: nearlyName))
    }

    // A mark of another encoding than UTF-8 is dropped by copying the rest.
    let isCopied = mark != nil && (mark?.charset != .utf8 || body.count + 3 != input.count)
    for label in labels {
      switch label {
      case .utf8:
        if census.isValid { return utf8(body, census, isCopied: isCopied, problem: nil) }
      case .windows1252:
        if census.isValid { return utf8(body, census, isCopied: isCopied, problem: contradiction(census)) }
        return nearest() ?? (windows1252(body), nil)
      case .named(let name, let isMultiByte):
        if label.isWide {
          guard mark != nil || wideWithoutMark(body) != nil else { continue }
        } else if census.isValid, !isMultiByte || census.longer > 0 || !census.hasNonASCII {
          return utf8(body, census, isCopied: isCopied, problem: contradiction(census))
        }
        guard let result = CharsetConversion.toUTF8(body, from: name) else { continue }
        if result.errors == 0 { return (cleaned(result.bytes), nil) }
        if nearly == nil, result.isPlausible(isWide: label.isWide) { (nearly, nearlyName) = (result, name) }
      }
    }
    return nearest() ?? damaged(body, census)
  }

  /// Returns the problem to report for bytes that a charset does not define, or `nil` if there are none.
  private static func meaningless(_ errors: Int, in name: String) -> String? {
    let words = errors == 1 ? "1 byte means" : "\(errors) bytes mean"
    return errors == 0 ? nil : "\(words) nothing in \(name); replaced by U+FFFD"
  }

  /// Returns the problem to report for UTF-8 that is labelled as another charset, or `nil` if the text is
  /// only ASCII.
  private static func contradiction(_ census: UTF8Scan) -> String? {
    census.hasNonASCII ? "the text is UTF-8 although it is labelled otherwise" : nil
  }

  /// Returns the result of decoding valid UTF-8: the text without characters that XML forbids, or `nil` as
  /// bytes if the input is used unchanged.
  private static func utf8(
    _ body: UnsafeBufferPointer<UInt8>, _ census: UTF8Scan, isCopied: Bool, problem: String?
  ) -> (bytes: [UInt8]?, problem: String?) {
    guard census.hasUnwanted else { return (isCopied ? Array(body) : nil, problem) }
    var problem = problem
    let cleaned = TextRepair.dropUnwanted(body)
    if cleaned.hadControls { problem = problem ?? "control characters were left out" }
    return (cleaned.bytes, problem)
  }

  /// Returns UTF-8 without characters that XML forbids.
  private static func cleaned(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBufferPointer { UTF8Scan($0).hasUnwanted ? TextRepair.dropUnwanted($0).bytes : bytes }
  }

  /// Returns the bytes converted to UTF-8 as if they were Windows-1252.
  private static func windows1252(_ body: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(body.count + body.count / 8)
    for byte in body { Windows1252.append(byte, to: &output) }
    return cleaned(output)
  }

  /// Decodes text that fits no label: UTF-8 with a few bad bytes, or an old document without a label.
  private static func damaged(
    _ body: UnsafeBufferPointer<UInt8>, _ census: UTF8Scan
  ) -> (bytes: [UInt8]?, problem: String?) {
    if (census.pairs + census.longer) * 2 >= census.invalid {
      return (
        cleaned(TextRepair.repairUTF8(body)),
        "the text is not valid UTF-8; \(census.invalid) bytes were replaced"
      )
    }
    return (windows1252(body), "the text is not UTF-8; it was read as Windows-1252")
  }

  /// Recognises UTF-16 without a byte order mark by `<`, `{` or white space next to a zero byte.
  private static func wideWithoutMark(_ body: UnsafeBufferPointer<UInt8>) -> Charset? {
    guard body.count >= 4 else { return nil }
    switch (body[0], body[1], body[2], body[3]) {
    case (1..., 0, 1..., 0): return .named("UTF-16LE", isMultiByte: true)
    case (0, 1..., 0, 1...): return .named("UTF-16BE", isMultiByte: true)
    default: return nil
    }
  }
}

/// The byte order marks of Unicode's table 2-4.
private struct ByteOrderMark {
  var charset: Charset
  var length: Int

  /// Reads the mark at the beginning, or returns `nil` if there is none.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      (charset, length) = (.utf8, 3)
    } else if bytes.starts(with: [0xFF, 0xFE, 0, 0]) {
      (charset, length) = (.named("UTF-32LE", isMultiByte: true), 4)
    } else if bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
      (charset, length) = (.named("UTF-32BE", isMultiByte: true), 4)
    } else if bytes.starts(with: [0xFF, 0xFE]) {
      (charset, length) = (.named("UTF-16LE", isMultiByte: true), 2)
    } else if bytes.starts(with: [0xFE, 0xFF]) {
      (charset, length) = (.named("UTF-16BE", isMultiByte: true), 2)
    } else {
      return nil
    }
  }
}
