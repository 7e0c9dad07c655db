import Digests
import Limits

extension ObjectName {
  /// `DEVICE/FIRST-LAST.ops`: 32 lower-case hex digits, and 12 decimal digits each.
  package var path: String {
    func digits(_ seq: Int64) -> String {
      let text = String(seq)
      return String(repeating: "0", count: max(0, 12 - text.utf8.count)) + text
    }
    return "\(device.bytes.hex)/\(digits(seqs.lowerBound))-\(digits(seqs.upperBound)).ops"
  }

  /// Nil for all that `path` doesn't write, such as conflict copies and temporary files.
  package init?(path: String) {
    let bytes = Array(path.utf8)
    guard bytes.count == 62, bytes[32] == UInt8(ascii: "/"), bytes[45] == UInt8(ascii: "-"),
      bytes[58...].elementsEqual(".ops".utf8),
      bytes[..<32].allSatisfy({ $0.lowercasedASCII == $0 }),
      let device = [UInt8](hex: bytes[..<32]).flatMap(DeviceID.init),
      let first = Self.seq(bytes[33..<45]), let last = Self.seq(bytes[46..<58]), first <= last
    else { return nil }
    self.init(device: device, seqs: first...last)
    guard self == .marker || device != .marker && first > 0 else { return nil }
  }

  private static func seq(_ digits: ArraySlice<UInt8>) -> Int64? {
    guard digits.allSatisfy(\.isASCIIDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
  }
}
