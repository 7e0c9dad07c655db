import Digests
import Limits

extension ObjectName {
  /// `DEVICE/FILE`: 32 lower-case hex digits, and the name of the file.
  package var path: String { "\(device.folder)/\(file)" }

  /// `FIRST-LAST-DIGEST.ops`, or `FIRST-LAST.ops` without a digest: 12 decimal digits each, and 16 lower-case hex digits.
  package var file: String {
    func digits(_ seq: Int64) -> String {
      let text = String(seq)
      return String(repeating: "0", count: max(0, 12 - text.utf8.count)) + text
    }
    let digest = digest.map { "-\($0.bytes.hex)" } ?? ""
    return "\(digits(seqs.lowerBound))-\(digits(seqs.upperBound))\(digest).ops"
  }

  /// Nil for all that `path` doesn't write of a name without a digest.
  package init?(path: String) {
    let bytes = Array(path.utf8)
    guard bytes.count == 62, bytes[32] == UInt8(ascii: "/"), let device = DeviceID(folder: bytes[..<32])
    else {
      return nil
    }
    self.init(device: device, file: bytes[33...])
  }

  /// Nil for all that `file` doesn't write, such as conflict copies and temporary files.
  ///
  /// - Parameter name: of a file in the folder of a machine.
  package init?(device: DeviceID, file name: ArraySlice<UInt8>) {
    let (start, hasDigest) = (name.startIndex, name.count == 46)
    guard hasDigest || name.count == 29, name[start + 12] == UInt8(ascii: "-"),
      name.suffix(4).elementsEqual(".ops".utf8),
      let first = Self.seq(name[start..<start + 12]), let last = Self.seq(name[start + 13..<start + 25]),
      first <= last
    else { return nil }
    self.init(device: device, seqs: first...last)
    if hasDigest {
      let digits = name[start + 26..<start + 42]
      guard name[start + 25] == UInt8(ascii: "-"), digits.allSatisfy({ $0.lowercasedASCII == $0 }),
        let bytes = [UInt8](hex: digits)
      else { return nil }
      digest = ObjectDigest(bytes: bytes)
    }
    guard self == .marker || device != .marker && first > 0 else { return nil }
  }

  private static func seq(_ digits: ArraySlice<UInt8>) -> Int64? {
    guard digits.allSatisfy(\.isASCIIDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }
}

extension DeviceID {
  /// 32 lower-case hex digits.
  package var folder: String { bytes.hex }

  /// Nil unless there are 32 lower-case hex digits.
  package init?(folder name: some Collection<UInt8>) {
    guard name.count == 32, name.allSatisfy({ $0.lowercasedASCII == $0 }), let bytes = [UInt8](hex: name)
    else {
      return nil
    }
    self.init(bytes: bytes)
  }
}
