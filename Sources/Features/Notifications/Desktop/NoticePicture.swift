import Basics
import Foundation

/// The picture of a notification: pixels in the hint `image-data` (Desktop Notifications Specification 1.2, "Icons and
/// Images"), which older programs call `image_data` and `icon_data`.
struct NoticePicture: Hashable, Sendable {
  private let width: Int
  private let height: Int
  /// Red, green, blue and opacity of each pixel.
  private let pixels: [UInt8]

  /// Creates the picture, and reduces it if a side is longer than `Limits.noticePictureSide`.
  ///
  /// - Returns: `nil` if the value isn't such a picture: (width, height, bytes from row to row, has opacity, bits of a
  ///   sample, samples of a pixel, bytes), the signature `iiibiiay`.
  init?(_ value: BusValue) {
    guard case .structure(let members) = value, members.count == 7,
      case .int32(let width) = members[0], case .int32(let height) = members[1],
      case .int32(let stride) = members[2], case .boolean(let hasAlpha) = members[3],
      case .int32(8) = members[4], case .int32(let samples) = members[5], case .bytes(let bytes) = members[6]
    else { return nil }
    let (wide, high, row, size) = (Int(width), Int(height), Int(stride), hasAlpha ? 4 : 3)
    // No product overflows: each factor has 32 bits at most.
    guard wide > 0, high > 0, Int(samples) == size, row >= wide * size,
      bytes.count >= row * (high - 1) + wide * size
    else { return nil }
    let step = (max(wide, high) - 1) / Limits.noticePictureSide + 1
    self.width = (wide - 1) / step + 1
    self.height = (high - 1) / step + 1
    var pixels: [UInt8] = []
    pixels.reserveCapacity(self.width * self.height * 4)
    for top in Swift.stride(from: 0, to: high, by: step) {
      for left in Swift.stride(from: 0, to: wide, by: step) {
        // The mean of a square; opaque pixels have more weight.
        var (red, green, blue, alpha, count) = (0, 0, 0, 0, 0)
        for y in top..<min(top + step, high) {
          for x in left..<min(left + step, wide) {
            let at = y * row + x * size
            let opacity = hasAlpha ? Int(bytes[at + 3]) : 255
            red += Int(bytes[at]) * opacity
            green += Int(bytes[at + 1]) * opacity
            blue += Int(bytes[at + 2]) * opacity
            alpha += opacity
            count += 1
          }
        }
        for sum in [red, green, blue] { pixels.append(UInt8(alpha == 0 ? 0 : sum / alpha)) }
        pixels.append(UInt8(alpha / count))
      }
    }
    self.pixels = pixels
  }

  /// The picture as PNG (W3C, "Portable Network Graphics (PNG) Specification", third edition): 8 bits per sample, with
  /// opacity.
  var png: Data {
    var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
    let header = Self.bytes(width) + Self.bytes(height) + [8, 6, 0, 0, 0]
    var rows: [UInt8] = []
    rows.reserveCapacity(pixels.count + height)
    for row in 0..<height {
      // No filter (PNG filter type 0).
      rows.append(0)
      rows += pixels[row * width * 4..<(row + 1) * width * 4]
    }
    for (type, content) in [("IHDR", header), ("IDAT", Zlib.deflate(rows)), ("IEND", [])] {
      let chunk = Array(type.utf8) + content
      file += Self.bytes(content.count) + chunk + Self.bytes(Int(Zlib.crc32(chunk)))
    }
    return file
  }

  /// Returns the four bytes of a number, the most significant first.
  private static func bytes(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
