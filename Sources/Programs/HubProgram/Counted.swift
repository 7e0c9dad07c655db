extension BinaryInteger {
  /// "1 item", "2 items".
  func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
