package import Foundation
import Limits

/// The supported image formats, detected by their first bytes; their headers contain the number of pixels.
package enum PictureFormat: String, Sendable {
  case png, jpeg, gif, webp

  /// nil for other formats, such as SVG, which can refer to other files.
  package init?(_ bytes: Data) {
    let head = [UInt8](bytes.prefix(12))
    switch true {
    case head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]): self = .png
    case head.starts(with: [0xFF, 0xD8, 0xFF]): self = .jpeg
    case head.starts(with: Array("GIF87a".utf8)), head.starts(with: Array("GIF89a".utf8)): self = .gif
    case head.count == 12 && head.starts(with: Array("RIFF".utf8)) && head[8...].elementsEqual("WEBP".utf8):
      self = .webp
    case _: return nil
    }
  }

  /// Whether a PNG or GIF has too many pixels by its header; for other formats the limits of the decoding process
  /// apply.
  package func isTooLarge(_ bytes: Data) -> Bool {
    let head = [UInt8](bytes.prefix(24))
    func big(_ at: Int) -> Int { head[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    switch self {
    case .png:
      guard head.count == 24 else { return true }
      let (width, height) = (big(16), big(20))
      return width > Limits.pictureSide || height > Limits.pictureSide
        || width * height > Limits.picturePixels
    case .gif:
      guard head.count >= 10 else { return true }
      return (Int(head[6]) | Int(head[7]) << 8) * (Int(head[8]) | Int(head[9]) << 8) > Limits.picturePixels
    case .jpeg, .webp: return false
    }
  }
}
