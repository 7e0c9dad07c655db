/// The way in which symbols and lines are drawn.
package enum SignUse: String, Hashable, Sendable, CaseIterable {
  /// The choice of `ascii` if the terminal reports that it draws symbols with two columns, otherwise of `narrow`.
  case auto
  /// Unicode characters with one column.
  case narrow
  case ascii
}

extension SignUse: SettingValue {}
