import Basics
import Screen

/// Limits the length of the text that is read.
enum SourceCut {
  /// Returns the part of the text to read, with a note if it was cut.
  static func cut(_ source: String, to bytes: Int = Limits.markupBytes) -> (text: Substring, note: Block?) {
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
