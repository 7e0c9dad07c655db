import Screen

/// How much of a text is read. Within these, the slowest text known opens in about a second;
/// without them, one message could hold up the program.
enum Limits {
  /// Bytes of source text.
  static let bytes = 512 << 10
  /// Bytes of Markdown, which people write by hand.
  static let markdownBytes = 128 << 10
  /// Elements open at once, beyond which libxml2's search for an open element grows quadratic.
  static let openElements = 512
  /// Attributes of one element, which libxml2 compares each with each.
  static let attributes = 200
  /// Quotes, lists and tables inside each other; deeper ones are shown at the last level.
  static let nesting = 24
  static let links = 999
  /// Bytes that the elements of a view add up to as scripts see them, each with all that is inside it.
  static let elementBytes = 4 << 20
  static let tableColumns = 64

  /// As much of the text as is read, and a note when that is not all of it.
  static func cut(_ source: String, to bytes: Int = Limits.bytes) -> (text: Substring, note: Block?) {
    let total = source.utf8.count
    guard total > bytes else { return (source[...], nil) }
    let end = source.utf8.index(source.startIndex, offsetBy: bytes)
    let boundary = source.unicodeScalars.index(before: source.unicodeScalars.index(after: end))
    return (
      source[..<boundary],
      Block(.note("[Cut here: \(kibibytes(total)) KiB in all, \(kibibytes(bytes)) KiB shown]"))
    )
  }

  private static func kibibytes(_ bytes: Int) -> Int { (bytes + 1023) / 1024 }
}
