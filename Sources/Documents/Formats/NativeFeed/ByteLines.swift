package import Foundation

/// Iterates over the non-blank lines of some bytes, without their ends. Only the byte 0x0A ends a line; a 0x0D before
/// it belongs to the end.
package struct ByteLines: Sequence, IteratorProtocol {
  package struct Line {
    /// The line number, from 1; blank lines count.
    package var number: Int
    package var bytes: Data
  }

  private let bytes: Data
  private var place: Data.Index
  private var number = 0

  /// - Parameter bytes: the bytes; a UTF-8 byte order mark at their beginning is left out.
  package init(_ bytes: Data) {
    self.bytes = bytes
    place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.startIndex + 3 : bytes.startIndex
  }

  package mutating func next() -> Line? {
    while skipEmptyLines() {
      let end = bytes[place...].firstIndex(of: 0x0A) ?? bytes.endIndex
      var line = bytes[place..<end]
      place = end < bytes.endIndex ? end + 1 : end
      number += 1
      if line.last == 0x0D { line.removeLast() }
      if line.contains(where: { $0 != 0x20 && $0 != 0x09 && $0 != 0x0D }) {
        return Line(number: number, bytes: line)
      }
    }
    return nil
  }

  /// Skips consecutive line ends, of which there may be millions.
  ///
  /// - Returns: `false` at the end of the bytes.
  private mutating func skipEmptyLines() -> Bool {
    let start = place - bytes.startIndex
    let ends = bytes.withUnsafeBytes { bytes in bytes[start...].prefix { $0 == 0x0A }.count }
    place += ends
    number += ends
    return place < bytes.endIndex
  }
}
