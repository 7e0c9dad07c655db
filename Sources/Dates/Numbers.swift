extension Int {
  /// The quotient rounded towards minus infinity, as calendars need it before 1970.
  package func dividedDown(by divisor: Int) -> Int {
    let quotient = self / divisor
    return self % divisor != 0 && (self < 0) != (divisor < 0) ? quotient - 1 : quotient
  }

  /// With zeros before it up to so many digits.
  func padded(to width: Int) -> String {
    let digits = String(magnitude)
    return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, width - digits.utf8.count))
      + digits
  }
}

extension UInt8 {
  /// `0` to `9`. `HTML` has this line, too: neither room knows the other.
  var isASCIIDigit: Bool { self &- 0x30 < 10 }
}
