/// Repairs text with a few encoding errors.
package enum TextRepair {
  /// Returns valid UTF-8 without the characters that XML 1.0 section 2.2 forbids. C1 controls become the Windows-1252
  /// characters that they almost always mean.
  package static func dropUnwanted(_ bytes: UnsafeBufferPointer<UInt8>) -> (bytes: [UInt8], hadControls: Bool)
  {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count)
    var hadControls = false
    var i = 0
    while i < bytes.count {
      let byte = bytes[i]
      if byte < 0x20, byte != 0x09, byte != 0x0A, byte != 0x0D {
        hadControls = true
        i += 1
      } else if byte == 0xC2, i + 1 < bytes.count, bytes[i + 1] < 0xA0 {
        Windows1252.append(bytes[i + 1], to: &output)
        i += 2
      } else if byte == 0xEF, i + 2 < bytes.count, bytes[i + 1] == 0xBF, bytes[i + 2] >= 0xBE {
        hadControls = true
        i += 3
      } else {
        output.append(byte)
        i += 1
      }
    }
    return (output, hadControls)
  }

  /// Makes UTF-8 valid. An incomplete sequence becomes U+FFFD, and a single byte becomes its Windows-1252 character,
  /// since programs mix the two.
  static func repairUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    replacingMalformed(in: bytes) { start, output in
      var end = start + 1
      while bytes[start] >= 0xC2, end < bytes.count, end < start + 3, (0x80...0xBF).contains(bytes[end]) {
        end += 1
      }
      if end > start + 1 {
        output.append(contentsOf: [0xEF, 0xBF, 0xBD])
      } else {
        Windows1252.append(bytes[start], to: &output)
      }
      return end
    }
  }

  /// Returns a copy of the bytes in which malformed UTF-8 sequences are replaced.
  ///
  /// - Parameter replace: called with the output and the index of each malformed byte that isn't skipped yet. It
  ///   appends a replacement and returns the index at which to continue.
  static func replacingMalformed(
    in bytes: UnsafeBufferPointer<UInt8>, _ replace: (_ start: Int, _ output: inout [UInt8]) -> Int
  ) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 16)
    var position = 0
    while position < bytes.count {
      let length = UTF8Sequence.length(at: position, in: bytes)
      if length > 0 {
        output.append(contentsOf: bytes[position..<position + length])
        position += length
      } else {
        position = replace(position, &output)
      }
    }
    return output
  }
}
