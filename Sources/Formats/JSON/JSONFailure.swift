/// Why bytes are not JSON, and where (RFC 8259).
package struct JSONFailure: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    case empty
    /// The bytes ended inside a value: they were cut off, or a bracket or quote is missing.
    case unexpectedEnd
    /// What stands there, and what may.
    case unexpected(String, expected: String)
    case badNumber
    case badEscape
    /// A control character stands in a string as itself.
    case controlCharacter(UInt8)
    case notUTF8
    /// UTF-16 or UTF-32, by a byte order mark.
    case otherEncoding
    case tooDeep(limit: Int)
    case textAfterEnd
    /// The values would take much more room than the document; in words.
    case tooMuch(String)
  }

  /// From 1.
  package var line: Int
  /// In characters as Unicode counts them (scalars), from 1.
  package var column: Int
  package var reason: Reason

  package init(line: Int, column: Int, reason: Reason) {
    self.line = line
    self.column = column
    self.reason = reason
  }

  /// Whether the bytes may be the beginning of a good document.
  package var isCutOff: Bool { reason == .unexpectedEnd || reason == .empty }

  /// Whether reading goes on nowhere: the bytes end, or there is no room for more.
  var endsReading: Bool {
    if case .tooMuch = reason { return true }
    return isCutOff
  }

  /// Whether the document's value was whole, and something follows it.
  package var isBehindTheEnd: Bool { reason == .textAfterEnd }
}

extension JSONFailure: CustomStringConvertible {
  package var description: String { "line \(line), column \(column): \(reason)" }
}

extension JSONFailure.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "nothing but white space"
    case .unexpectedEnd: "the text ends inside a value"
    case .unexpected(let found, let expected): "\(found) where \(expected) is expected"
    case .badNumber: "a number that JSON does not allow"
    case .badEscape: "an escape that JSON does not allow"
    case .controlCharacter(let byte): "control character \(byte) inside a string; it must be escaped"
    case .notUTF8: "bytes that are not UTF-8"
    case .otherEncoding: "UTF-16 or UTF-32; JSON is sent as UTF-8"
    case .tooDeep(let limit): "more than \(limit) levels of arrays and objects"
    case .textAfterEnd: "more text after the end of the value"
    case .tooMuch(let sentence): sentence
    }
  }
}
