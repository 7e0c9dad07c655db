import Basics
package import Foundation

/// The supported image formats, detected by their first bytes; their headers contain the number of pixels.
package enum PictureFormat: String, Sendable {
  case png, jpeg, gif, webp

  /// Detects the format; returns `nil` for other formats, such as SVG, which can refer to other files.
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

  /// Whether a picture has too many pixels, according to its header. If a JPEG or WebP hides its size, the limits of
  /// the decoding process apply.
  package func isTooLarge(_ bytes: Data) -> Bool {
    guard let size = size(bytes) else { return self == .png || self == .gif }
    return size.width > Limits.pictureSide || size.height > Limits.pictureSide
      || size.width * size.height > Limits.picturePixels
  }
}
