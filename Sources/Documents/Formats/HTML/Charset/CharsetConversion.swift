internal import CXML2

/// Converts other character sets to UTF-8 with libxml2 (which uses iconv).
enum CharsetConversion {
  /// Text that was converted to UTF-8.
  struct Result {
    var bytes: [UInt8]
    /// The number of bytes that the set does not define; each became U+FFFD.
    var errors: Int

    /// Whether the bytes are probably in the set despite the errors. The set must define more than half of the bytes
    /// that aren't ASCII, and nearly all in a set of wide characters.
    func isPlausible(isWide: Bool) -> Bool {
      var (characters, others) = (0, 0)
      for byte in bytes where byte & 0xC0 != 0x80 {
        characters += 1
        if byte >= 0x80 { others += 1 }
      }
      return isWide ? errors * 16 <= characters : others - errors > errors
    }
  }

  /// Converts bytes to UTF-8, or returns `nil` if the system does not know the set or the bytes are clearly not in it.
  ///
  /// - Parameter name: libxml2's name of the set.
  static func toUTF8(_ bytes: UnsafeBufferPointer<UInt8>, from name: String) -> Result? {
    LibXML.initialize()
    // Failed conversions would otherwise print to stderr; the setting is per thread.
    xmlSetStructuredErrorFunc(nil) { _, _ in }
    defer { xmlSetStructuredErrorFunc(nil, nil) }
    guard let handler = xmlFindCharEncodingHandler(name) else { return nil }
    defer { _ = xmlCharEncCloseFunc(handler) }

    var result = Result(bytes: [], errors: 0)
    result.bytes.reserveCapacity(bytes.count + bytes.count / 2)
    var position = 0
    while position < bytes.count {
      let length = min(8192, bytes.count - position)
      let (consumed, isInvalid) = convert(
        UnsafeBufferPointer(rebasing: bytes[position..<position + length]), handler, into: &result.bytes)
      position += consumed
      // A sequence that is cut at the end of a piece is read again with the next piece; at the end of the input it is
      // an error.
      if isInvalid || consumed == 0 {
        result.errors += 1
        result.bytes.append(contentsOf: [0xEF, 0xBF, 0xBD])
        position += 1
        if result.errors > 64, result.errors * 16 > position { return nil }
      }
    }
    result.errors += replaceInvalidUTF8(in: &result.bytes)
    return result
  }

  /// Replaces sequences that aren't UTF-8 by U+FFFD, and returns their number: the converters write lone surrogates and
  /// numbers beyond Unicode as three to six bytes.
  private static func replaceInvalidUTF8(in bytes: inout [UInt8]) -> Int {
    var count = 0
    let repaired = bytes.withUnsafeBufferPointer { bytes -> [UInt8]? in
      guard !UTF8Scan(bytes).isValid else { return nil }
      return TextRepair.replacingMalformed(in: bytes) { start, output in
        count += 1
        output.append(contentsOf: [0xEF, 0xBF, 0xBD])
        return bytes[(start + 1)...].firstIndex { $0 & 0xC0 != 0x80 } ?? bytes.count
      }
    }
    if let repaired { bytes = repaired }
    return count
  }

  /// Converts a piece up to the first invalid sequence, and appends the result to `output`. Returns the
  /// number of bytes converted, and whether an invalid sequence follows them.
  private static func convert(
    _ piece: UnsafeBufferPointer<UInt8>, _ handler: xmlCharEncodingHandlerPtr, into output: inout [UInt8]
  ) -> (consumed: Int, isInvalid: Bool) {
    guard let start = piece.baseAddress,
      let source = xmlBufferCreateStatic(UnsafeMutableRawPointer(mutating: start), piece.count),
      let target = xmlBufferCreate()
    else { return (0, true) }
    defer {
      xmlBufferFree(source)
      xmlBufferFree(target)
    }
    let status = xmlCharEncInFunc(handler, target, source)
    if let content = xmlBufferContent(target) {
      output.append(contentsOf: UnsafeBufferPointer(start: content, count: Int(xmlBufferLength(target))))
    }
    return (piece.count - Int(xmlBufferLength(source)), status == -2)
  }
}
