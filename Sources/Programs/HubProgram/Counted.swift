extension BinaryInteger {
  /// Returns a number with its noun: "1 item", "2 items".
  func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
