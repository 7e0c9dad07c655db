internal import TOMLKit

/// How signs and lines are drawn.
package enum SignUse: String, Hashable, Sendable, CaseIterable {
  /// As `ascii` where the terminal says that it draws them with two columns, else as `narrow`.
  case auto
  /// As characters of Unicode with one column.
  case narrow
  /// As ASCII.
  case ascii
}

extension SignUse: SettingValue {
  static func read(_ raw: any TOMLValueConvertible, _ form: Setting.Form, home: String) -> SignUse? {
    raw.string.flatMap(SignUse.init)
  }

  func toml(_ form: Setting.Form) -> String { TOMLText.quoted(rawValue) }
}
