// Creates failures with their line and column.
extension JSONParser {
  /// Returns a failure at the current position.
  func failure(_ reason: JSONFailure.Reason) -> JSONFailure {
    let end = min(place, bytes.count)
    var failure = JSONFailure(line: 1, column: 1, reason: reason)
    for index in 0..<end {
      let byte = bytes[index]
      if byte == 0x0A || byte == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A) {
        failure.line += 1
        failure.column = 1
      } else if byte & 0xC0 != 0x80 {
        failure.column += 1
      }
    }
    return failure
  }

  /// Returns a failure for the current character.
  ///
  /// - Parameter expected: the noun for the allowed characters.
  func unexpected(_ expected: String) -> JSONFailure {
    guard let byte = current else { return failure(.unexpectedEnd) }
    let found: String =
      switch byte {
      case 0x21...0x7E: "\"\(Character(Unicode.Scalar(byte)))\""
      case 0x80...: "a character outside ASCII"
      default: "control character \(byte)"
      }
    return failure(.unexpected(found, expected: expected))
  }
}

/// Returns the number of valid UTF-8 bytes at the start.
func validUTF8Prefix(of bytes: some Sequence<UInt8>) -> Int {
  var decoder = UTF8.ForwardParser()
  var iterator = bytes.makeIterator()
  var count = 0
  while true {
    switch decoder.parseScalar(from: &iterator) {
    case .valid(let units): count += units.count
    case .error, .emptyInput: return count
    }
  }
}
