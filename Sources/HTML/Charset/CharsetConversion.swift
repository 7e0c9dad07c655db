internal import CXML2

/// Conversion of other character sets to UTF-8 through libxml2 (which uses iconv).
enum CharsetConversion {
  struct Result {
    var bytes: [UInt8]
    /// Bytes that the set gives no meaning; each became U+FFFD.
    var errors: Int

    /// Whether the bytes are in the set all the same: it gives a meaning to more of those that are not ASCII than it
    /// gives none, and in a set of wide characters to nearly all.
    func isPlausible(isWide: Bool) -> Bool {
      var (characters, others) = (0, 0)
      for byte in bytes where byte & 0xC0 != 0x80 {
        characters += 1
        if byte >= 0x80 { others += 1 }
      }
      return isWide ? errors * 16 <= characters : others - errors > errors
    }
  }

  /// Nil where the machine does not know the set, or where the bytes plainly are not in it.
  static func toUTF8(_ bytes: UnsafeBufferPointer<UInt8>, from name: String) -> Result? {
    LibXML.initialize()
    // Failed conversions would print to stderr otherwise; the setting is one thread's.
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
      // A sequence cut by the end of the piece is read again with the next; at the end of all it is an error.
      if isInvalid || consumed == 0 {
        result.errors += 1
        result.bytes.append(contentsOf: [0xEF, 0xBF, 0xBD])
        position += 1
        if result.errors > 64, result.errors * 16 > position { return nil }
      }
    }
    result.errors += replaceWhatIsNotUTF8(in: &result.bytes)
    return result
  }

  /// Half a pair of surrogates, and numbers beyond Unicode, come out of the converters as three to six bytes that are
  /// not UTF-8; each becomes U+FFFD.
  private static func replaceWhatIsNotUTF8(in bytes: inout [UInt8]) -> Int {
    let (mended, count) = bytes.withUnsafeBufferPointer { bytes -> ([UInt8], Int) in
      guard !UTF8Census(bytes).isValid else { return ([], 0) }
      var mended: [UInt8] = []
      mended.reserveCapacity(bytes.count)
      var count = 0
      var place = 0
      while place < bytes.count {
        let length = UTF8Sequence.length(at: place, in: bytes)
        if length > 0 {
          mended.append(contentsOf: bytes[place..<place + length])
          place += length
          continue
        }
        place += 1
        while place < bytes.count, bytes[place] & 0xC0 == 0x80 { place += 1 }
        mended.append(contentsOf: [0xEF, 0xBF, 0xBD])
        count += 1
      }
      return (mended, count)
    }
    if count > 0 { bytes = mended }
    return count
  }

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
