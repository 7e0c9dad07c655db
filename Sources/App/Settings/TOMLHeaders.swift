internal import TOMLKit

/// Headers of tables that end the TOML parser, and with it the process: it takes for granted that a name begins as
/// names do (toml++ `parse_key`, TOML 1.0 "Keys").
enum TOMLHeaders {
  /// The 1-based line of the first such header that the parser would come to; nil where there is none.
  static func lineOfBadName(in text: String) -> Int? {
    let bytes = Array(text.utf8)
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var line = 1
    while start < bytes.count {
      if mayBeBadHeader(bytes[start...]) {
        // It may also stand in a text or an array of several lines, or behind a mistake: then what comes before it
        // cannot be read alone.
        let before = String(decoding: bytes[..<start], as: UTF8.self)
        if (try? TOMLTable(string: before)) != nil { return line }
      }
      guard let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      start = end + 1
      line += 1
    }
    return nil
  }

  /// Whether a line begins with `[` or `[[`, and then with what no name begins with.
  private static func mayBeBadHeader(_ line: ArraySlice<UInt8>) -> Bool {
    var rest = line.drop(while: isBlank)
    guard rest.popFirst() == UInt8(ascii: "[") else { return false }
    if rest.first == UInt8(ascii: "[") {
      rest.removeFirst()
    } else if rest.drop(while: isBlank).first == UInt8(ascii: "[") {
      return false
    }
    guard let first = rest.drop(while: isBlank).first else { return false }
    switch first {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "\""),
      UInt8(ascii: "'"), UInt8(ascii: "]"):
      return false
    default: return true
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}
