package import Basics

/// The reason why bytes aren't JSON, and its position (RFC 8259).
package struct JSONFailure: Error, Hashable, Sendable {
  package enum Reason: Hashable, Sendable {
    case empty
    /// The bytes end inside a value: they were cut off, or a bracket or quote is missing.
    case unexpectedEnd
    /// An unexpected character, and the expected ones.
    case unexpected(String, expected: String)
    case badNumber
    case badEscape
    /// An unescaped control character in a string.
    case controlCharacter(UInt8)
    case notUTF8
    /// UTF-16 or UTF-32, recognised by a byte order mark.
    case otherEncoding
    case tooDeep(limit: Int)
    case textAfterEnd
    /// The values would need much more memory than the document. Contains a description for users.
    case tooMuch(String)

    static var tooManyKeys: Reason { .tooMuch("more than \(Limits.jsonMembers) keys in one object") }
  }

  /// The line, from 1.
  package var line: Int
  /// The column in Unicode scalars, from 1.
  package var column: Int
  package var reason: Reason

  package init(line: Int, column: Int, reason: Reason) {
    self.line = line
    self.column = column
    self.reason = reason
  }

  /// Whether the document ended too early, so that it may be the beginning of a valid one.
  package var isCutOff: Bool { reason == .unexpectedEnd || reason == .empty }

  /// Whether the document's value is complete and more text follows it.
  package var isBehindTheEnd: Bool { reason == .textAfterEnd }

  /// The failure as a problem of a document whose part before this position was used.
  package var problem: FormatProblem {
    let loss =
      isBehindTheEnd
      ? "" : isCutOff ? "the document is cut off: " : "from here on the document was not read: "
    return FormatProblem(
      at: String(line), message: "\(loss)\(reason), column \(column)",
      leftOut: isBehindTheEnd || isCutOff ? 0 : 1)
  }
}

extension JSONFailure: CustomStringConvertible {
  package var description: String { "line \(line), column \(column): \(reason)" }
}

extension JSONFailure.Reason: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "only white space"
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
