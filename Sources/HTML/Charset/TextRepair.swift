/// Repairs of text that is nearly good.
package enum TextRepair {
  /// Valid UTF-8 without the characters that XML 1.0 section 2.2 forbids; C1 controls become the Windows-1252
  /// characters that their writers meant.
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

  /// UTF-8 in which a sequence that was cut becomes U+FFFD, and a lone byte the Windows-1252 character that
  /// some program pasted.
  static func mendUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + bytes.count / 16)
    var i = 0
    while i < bytes.count {
      let length = UTF8Sequence.length(at: i, in: bytes)
      if length > 0 {
        output.append(contentsOf: bytes[i..<i + length])
        i += length
        continue
      }
      var end = i + 1
      while bytes[i] >= 0xC2, end < bytes.count, end < i + 3, (0x80...0xBF).contains(bytes[end]) { end += 1 }
      if end > i + 1 {
        output.append(contentsOf: [0xEF, 0xBF, 0xBD])
      } else {
        Windows1252.append(bytes[i], to: &output)
      }
      i = end
    }
    return output
  }
}
