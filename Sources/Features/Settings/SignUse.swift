/// How signs and lines are drawn.
package enum SignUse: String, Hashable, Sendable, CaseIterable {
  /// As `ascii` where the terminal says that it draws them with two columns, else as `narrow`.
  case auto
  /// As characters of Unicode with one column.
  case narrow
  /// As ASCII.
  case ascii
}

extension SignUse: SettingValue {}
