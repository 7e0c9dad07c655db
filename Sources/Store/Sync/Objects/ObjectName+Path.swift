import Basics

extension ObjectName {
  /// The path `DEVICE/FILE`: 32 lowercase hex digits, and the name of the file.
  package var path: String { "\(device.folder)/\(file)" }

  /// The name `FIRST-LAST-DIGEST.ops`, or `FIRST-LAST.ops` without a digest: 12 decimal digits each, and 16 lowercase
  /// hex digits.
  package var file: String {
    var text: [UInt8] = []
    text.reserveCapacity(46)
    text.append(seq: seqs.lowerBound)
    text.append(UInt8(ascii: "-"))
    text.append(seq: seqs.upperBound)
    if let digest {
      text.append(UInt8(ascii: "-"))
      for byte in digest.bytes { text.append(hex: byte) }
    }
    text.append(contentsOf: ".ops".utf8)
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns `nil` for all strings that `path` never returns for a name without a digest.
  package init?(path: String) {
    let bytes = Array(path.utf8)
    guard bytes.count == 62, bytes[32] == UInt8(ascii: "/"), let device = DeviceID(folder: bytes[..<32])
    else {
      return nil
    }
    self.init(device: device, file: bytes[33...])
  }

  /// Returns `nil` for all names that `file` never returns, such as conflict copies and temporary files.
  ///
  /// - Parameter name: the name of a file in the folder of a machine.
  package init?(device: DeviceID, file name: ArraySlice<UInt8>) {
    let (start, hasDigest) = (name.startIndex, name.count == 46)
    guard hasDigest || name.count == 29, name[start + 12] == UInt8(ascii: "-"),
      name.suffix(4).elementsEqual(".ops".utf8),
      let first = Self.seq(name[start..<start + 12]), let last = Self.seq(name[start + 13..<start + 25]),
      first <= last
    else { return nil }
    self.init(device: device, seqs: first...last)
    if hasDigest {
      guard name[start + 25] == UInt8(ascii: "-"), let word = UInt64(lowerHex: name[start + 26..<start + 42])
      else { return nil }
      digest = ObjectDigest(word: word)
    }
    guard self == .marker || device != .marker && first > 0 else { return nil }
  }

  /// Returns the number of an act from its decimal digits, or `nil` if there are other characters.
  private static func seq(_ digits: ArraySlice<UInt8>) -> Int64? {
    guard digits.allSatisfy(\.isASCIIDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }
}

extension DeviceID {
  /// The name of its folder: 32 lowercase hex digits.
  package var folder: String { bytes.hex }

  /// Returns `nil` unless there are 32 lowercase hex digits.
  package init?(folder name: ArraySlice<UInt8>) {
    guard name.count == 32, let high = UInt64(lowerHex: name.prefix(16)),
      let low = UInt64(lowerHex: name.suffix(16))
    else { return nil }
    self.init(high: high, low: low)
  }
}

// A sync location may have very many files, so nothing is allocated for a part of a name.

extension UInt64 {
  /// Returns `nil` unless all are lowercase hex digits.
  fileprivate init?(lowerHex digits: ArraySlice<UInt8>) {
    var word: UInt64 = 0
    for digit in digits {
      guard let value = digit.hexDigit, digit.lowercasedASCII == digit else { return nil }
      word = word << 4 | UInt64(value)
    }
    self = word
  }
}

extension [UInt8] {
  fileprivate mutating func append(seq: Int64) {
    let digits = String(seq).utf8
    for _ in 0..<Swift.max(0, 12 - digits.count) { append(UInt8(ascii: "0")) }
    append(contentsOf: digits)
  }

  fileprivate mutating func append(hex byte: UInt8) {
    func digit(_ half: UInt8) -> UInt8 { half < 10 ? half + 0x30 : half + 0x57 }
    append(digit(byte >> 4))
    append(digit(byte & 15))
  }
}
