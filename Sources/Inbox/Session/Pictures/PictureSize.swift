import Basics
import Foundation
import Screen

/// The size of a picture, in pixels.
struct PictureSize: Hashable {
  var width: Int
  var height: Int

  /// Whether the picture is so small that it only counts readers, or only makes a gap.
  var isTooSmall: Bool { min(width, height) < 4 }

  /// The number of terminal columns for the picture; a cell counts as 8 by 16 pixels.
  var columns: Int { (width + 7) / 8 }
  /// The number of terminal rows for the picture.
  var rows: Int { (height + 15) / 16 }

  /// Returns the number of columns and rows that cover the picture with cells of another size. If they would have more
  /// than a maximum number of pixels, returns fewer, but at least one of each.
  func cells(of cell: Size, pixels: Int) -> Size {
    let covering = Size(
      columns: (width + cell.columns - 1) / cell.columns, rows: (height + cell.rows - 1) / cell.rows)
    if covering.columns * cell.columns * covering.rows * cell.rows <= pixels { return covering }
    return Size(columns: max(1, width / cell.columns), rows: max(1, height / cell.rows))
  }
}

extension PictureFormat {
  /// Returns the size in the header of a picture, or `nil` if it isn't found.
  func size(_ bytes: Data) -> PictureSize? {
    let head = [UInt8](bytes.prefix(30))
    switch self {
    case .png:
      // The chunk IHDR is the first (PNG section 5.6).
      guard head.count >= 24 else { return nil }
      func big(_ at: Int) -> Int { head[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
      return PictureSize(width: big(16), height: big(20))
    case .gif:
      guard head.count >= 10 else { return nil }
      return PictureSize(width: Self.little(head, 6, 2), height: Self.little(head, 8, 2))
    case .webp: return Self.webpSize(head)
    case .jpeg: return Self.jpegSize(bytes)
    }
  }

  /// Returns a number in little-endian order.
  private static func little(_ bytes: [UInt8], _ at: Int, _ count: Int) -> Int {
    bytes[at..<at + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  /// Returns the size in the header of a WebP (RFC 9649 sections 2.5 to 2.7).
  private static func webpSize(_ head: [UInt8]) -> PictureSize? {
    guard head.count >= 30 else { return nil }
    switch String(decoding: head[12..<16], as: UTF8.self) {
    case "VP8 ":
      return PictureSize(width: little(head, 26, 2) & 0x3FFF, height: little(head, 28, 2) & 0x3FFF)
    case "VP8L":
      let bits = little(head, 21, 4)
      return PictureSize(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    case "VP8X": return PictureSize(width: little(head, 24, 3) + 1, height: little(head, 27, 3) + 1)
    case _: return nil
    }
  }

  /// Returns the size in the first frame header (ITU-T T.81 section B.2.2).
  private static func jpegSize(_ bytes: Data) -> PictureSize? {
    var at = bytes.startIndex + 2
    for _ in 0..<Limits.pictureSegments {
      guard at + 9 <= bytes.endIndex, bytes[at] == 0xFF else { return nil }
      let marker = bytes[at + 1]
      // Fill bytes may precede a marker.
      if marker == 0xFF {
        at += 1
        continue
      }
      func big(_ offset: Int) -> Int { Int(bytes[at + offset]) << 8 | Int(bytes[at + offset + 1]) }
      switch marker {
      case 0xC4, 0xC8, 0xCC: break
      case 0xC0...0xCF: return PictureSize(width: big(7), height: big(5))
      // The picture's data begins, or the picture ends.
      case 0xD9, 0xDA: return nil
      case _: break
      }
      at += 2 + max(2, big(2))
    }
    return nil
  }
}
