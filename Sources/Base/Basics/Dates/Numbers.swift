extension Int {
  /// Returns the quotient rounded towards minus infinity, which dates before 1970 need.
  package func dividedDown(by divisor: Int) -> Int {
    let quotient = self / divisor
    return self % divisor != 0 && (self < 0) != (divisor < 0) ? quotient - 1 : quotient
  }

  /// Returns the number with leading zeros up to `width` digits.
  func padded(to width: Int) -> String {
    let digits = String(magnitude)
    return (self < 0 ? "-" : "") + String(repeating: "0", count: Swift.max(0, width - digits.utf8.count))
      + digits
  }
}
