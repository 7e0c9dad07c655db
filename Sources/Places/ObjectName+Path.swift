import Sync

extension ObjectName {
  /// `DEVICE/FIRST-LAST.ops`: 32 lower-case hex digits, and twice 12 decimal ones.
  var path: String {
    func digits(_ number: Int64) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, 12 - text.utf8.count)) + text
    }
    return "\(device.hex)/\(digits(seqs.lowerBound))-\(digits(seqs.upperBound)).ops"
  }

  /// Nil unless it is exactly the path of an object.
  init?(path: some StringProtocol) {
    let bytes = Array(path.utf8)
    guard bytes.count == 62, bytes[32] == UInt8(ascii: "/"), bytes[45] == UInt8(ascii: "-"),
      bytes[58...].elementsEqual(".ops".utf8), let device = DeviceID(hex: bytes[..<32]),
      let first = Self.number(bytes[33..<45]), let last = Self.number(bytes[46..<58]), first <= last,
      (device == .marker) == (last == 0), (first == 0) == (last == 0)
    else { return nil }
    self.init(device: device, seqs: first...last)
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    var number: Int64 = 0
    for digit in digits {
      guard (48...57).contains(digit) else { return nil }
      number = number * 10 + Int64(digit - 48)
    }
    return number
  }
}

extension DeviceID {
  /// 32 lower-case digits.
  var hex: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  init?(hex: ArraySlice<UInt8>) {
    var bytes: [UInt8] = []
    var high: UInt8?
    for digit in hex {
      let value: UInt8
      switch digit {
      case 48...57: value = digit - 48
      case 97...102: value = digit - 87
      case _: return nil
      }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    guard high == nil else { return nil }
    self.init(bytes: bytes)
  }
}
