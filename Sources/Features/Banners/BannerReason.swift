extension BannerVerdict {
  /// The reason why a condition holds or does not hold: the value that it was compared with. It is converted into a
  /// sentence only when needed, because an inbox that opens judges a thousand banners and prints nothing.
  package enum Reason: Hashable, Sendable {
    case network(isWifi: Bool)
    case displayed(Bool)
    case seconds(passed: Double, wanted: Double)
    case launches(passed: Int, wanted: Double)
    case flag(String)
    case systemVersion(String, wanted: String)
    case appVersion(String, wanted: String)
    case feature(String)
    /// No condition has this name.
    case unknown
    /// The condition's value is of the wrong type.
    case malformed

    /// Returns the reason as a clause.
    ///
    /// - Parameter holds: whether the condition holds.
    func words(holds: Bool) -> String {
      switch self {
      case .network(let isWifi): isWifi ? "the network is Wi-Fi" : "the network is not Wi-Fi"
      case .displayed(let isDisplayed): isDisplayed ? "it was displayed before" : "it was never displayed"
      case .seconds(let passed, let wanted):
        "\(number(passed)) s since the last display, more than \(number(wanted)) wanted"
      case .launches(let passed, let wanted):
        "\(passed) launches since the last display, more than \(number(wanted)) wanted"
      case .flag(let flag): "the flag \(flag) is \(holds ? "not set" : "set")"
      case .systemVersion(let ours, let wanted): "the system's version \(comparison(ours, wanted, holds))"
      case .appVersion(let ours, let wanted): "the app's version \(comparison(ours, wanted, holds))"
      case .feature(let feature): "the feature \(feature) is \(holds ? "enabled" : "not enabled")"
      case .unknown: "no condition has this name"
      case .malformed: "its value is of the wrong type"
      }
    }

    /// Returns a clause about the comparison of two versions.
    private func comparison(_ ours: String, _ wanted: String, _ holds: Bool) -> String {
      "\(ours) is \(holds ? "less" : "not less") than \(wanted)"
    }

    /// Returns a number as text, without decimals if it is a whole number.
    private func number(_ value: Double) -> String {
      value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
    }
  }
}
