// Swift compares characters. A quote followed by a combining mark is not equal to the quote, and CR LF is one
// character. Shells, parsers and file systems compare bytes: they see the quote, and they see the line end. Text that
// is exchanged with them must therefore be compared byte by byte.

extension StringProtocol {
  /// Returns the string with each occurrence of `part` replaced.
  ///
  /// - Parameter part: must not be empty.
  @inlinable
  package func replacingBytes(_ part: String, with other: some StringProtocol, maxReplacements: Int = .max)
    -> String
  {
    let (bytes, wanted) = (Array(utf8), Array(part.utf8))
    guard let first = wanted.first else { return String(self) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var place = 0
    var left = maxReplacements
    while place < bytes.count {
      if bytes[place] == first, left > 0, bytes[place...].starts(with: wanted) {
        result += other.utf8
        place += wanted.count
        left -= 1
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Splits the string at each byte that is the separator.
  ///
  /// - Parameter separator: must be an ASCII character.
  @inlinable
  package func split(
    onBytes separator: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
  ) -> [SubSequence] {
    utf8.split(
      separator: UInt8(ascii: separator), maxSplits: maxSplits,
      omittingEmptySubsequences: omittingEmptySubsequences
    ).map { self[$0.startIndex..<$0.endIndex] }
  }

  /// Returns the string escaped for XML or HTML, as text or as a value in double quotes.
  package var markupEscaped: String {
    var bytes: [UInt8] = []
    bytes.append(escapingMarkup: utf8)
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension StringProtocol where SubSequence == Substring {
  /// The lines without their ends (LF or CR LF). The rest after the last end is a line too.
  package var exactLines: [Substring] {
    split(onBytes: "\n", omittingEmptySubsequences: false).map { line in
      line.utf8.last == 0x0D ? line[..<line.utf8.index(before: line.endIndex)] : line
    }
  }
}

extension [UInt8] {
  /// Appends text, escaped for XML or HTML, as text or as a value in double quotes.
  @inlinable
  package mutating func append(escapingMarkup text: some Sequence<UInt8>) {
    for byte in text {
      switch byte {
      case 0x26: append(contentsOf: "&amp;".utf8)
      case 0x3C: append(contentsOf: "&lt;".utf8)
      case 0x3E: append(contentsOf: "&gt;".utf8)
      case 0x22: append(contentsOf: "&quot;".utf8)
      default: append(byte)
      }
    }
  }
}
