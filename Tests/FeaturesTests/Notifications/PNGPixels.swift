import CZlib
import Foundation
import Testing

/// Reads the only kind of PNG that is written here: 8 bits a sample, with opacity, without filters.
enum PNGPixels {
  static func read(_ png: Data) throws -> (width: Int, height: Int, pixels: [[UInt8]]) {
    var rest = [UInt8](png)[8...]
    func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
    var chunks: [String: [UInt8]] = [:]
    while !rest.isEmpty {
      let length = number(rest.prefix(4))
      let body = rest.dropFirst(4).prefix(length + 4)
      let sum = rest.dropFirst(length + 8).prefix(4)
      #expect(number(sum) == Int(crc32(0, Array(body), UInt32(body.count))))
      chunks[String(decoding: body.prefix(4), as: UTF8.self)] = Array(body.dropFirst(4))
      rest = rest.dropFirst(length + 12)
    }
    let header = try #require(chunks["IHDR"])
    #expect(header[8...] == [8, 6, 0, 0, 0] && chunks["IEND"] == [])
    let (width, height) = (number(header[0..<4]), number(header[4..<8]))
    let packed = try #require(chunks["IDAT"])
    var rows = [UInt8](repeating: 0, count: (width * 4 + 1) * height)
    var length = UInt(rows.count)
    #expect(uncompress(&rows, &length, packed, UInt(packed.count)) == Z_OK && length == UInt(rows.count))
    let pixels = (0..<height).flatMap { y in
      (0..<width).map { x in Array(rows[y * (width * 4 + 1) + 1 + x * 4..<y * (width * 4 + 1) + 5 + x * 4]) }
    }
    return (width, height, pixels)
  }
}
