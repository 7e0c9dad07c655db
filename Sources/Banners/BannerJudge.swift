package import Formats
package import Foundation

/// What conditions are judged against, besides the banner's own state.
package struct BannerSurroundings: Hashable, Sendable {
  package var now: Date
  /// Whether the default route goes over Wi-Fi.
  package var isOnWifi: Bool
  package var appVersion: String
  package var osVersion: String
  package var features: Set<String>

  package init(
    now: Date, isOnWifi: Bool, appVersion: String, osVersion: String, features: Set<String> = []
  ) {
    self.now = now
    self.isOnWifi = isOnWifi
    self.appVersion = appVersion
    self.osVersion = osVersion
    self.features = features
  }
}

/// What came of judging one banner.
package struct BannerVerdict: Hashable, Sendable {
  package enum Group: String, Hashable, Sendable { case any, all }

  package struct ConditionVerdict: Hashable, Sendable {
    package var group: Group
    package var condition: ControlFile.Condition
    package var holds: Bool
    /// In words, with the figures that were compared.
    package var why: String
  }

  package var name: String
  package var holds: Bool
  package var conditions: [ConditionVerdict]
  package var problems: [FormatProblem]
}

/// Judges a control file purely: the file, the states and the surroundings in, verdicts with reasons out.
package enum BannerJudge {
  /// - Parameter states: by banner name, with this launch counted already.
  /// - Returns: the banner to show, if any, and all verdicts in document order.
  package static func judge(
    _ file: ControlFile, states: [String: BannerState], in surroundings: BannerSurroundings
  ) -> (shown: String?, verdicts: [BannerVerdict]) {
    let verdicts = file.banners.map { banner in
      verdict(banner, states[banner.name] ?? BannerState().launched(), surroundings)
    }
    let shown = zip(file.banners, verdicts).first { banner, verdict in
      verdict.holds && banner.entry.flatMap(banner.view) != nil
    }
    return (shown?.0.name, verdicts)
  }

  private static func verdict(
    _ banner: ControlFile.Banner, _ state: BannerState, _ surroundings: BannerSurroundings
  ) -> BannerVerdict {
    func judged(_ group: BannerVerdict.Group, _ conditions: [ControlFile.Condition])
      -> [BannerVerdict.ConditionVerdict]
    {
      conditions.map { condition in
        let (holds, why) = judge(condition, state, surroundings)
        return BannerVerdict.ConditionVerdict(group: group, condition: condition, holds: holds, why: why)
      }
    }
    let all = judged(.all, banner.all)
    let any = judged(.any, banner.any)
    let holds = all.allSatisfy(\.holds) && (any.isEmpty || any.contains(where: \.holds))
    return BannerVerdict(name: banner.name, holds: holds, conditions: all + any, problems: banner.problems)
  }

  private static func judge(
    _ condition: ControlFile.Condition, _ state: BannerState, _ surroundings: BannerSurroundings
  ) -> (Bool, String) {
    switch condition.rule {
    case .onWifi(let wanted):
      return (
        surroundings.isOnWifi == wanted,
        surroundings.isOnWifi ? "the network is Wi-Fi" : "the network is no Wi-Fi"
      )
    case .neverDisplayed(let wanted):
      return (
        state.isDisplayed != wanted, state.isDisplayed ? "it was displayed before" : "it was never displayed"
      )
    case .lastDisplayMinimumSeconds(let seconds):
      guard let last = state.lastDisplay else { return (true, "it was never displayed") }
      let passed = surroundings.now.timeIntervalSince(last).rounded(.down)
      return (
        passed > seconds, "\(number(passed)) s since the last display, more than \(number(seconds)) wanted"
      )
    case .lastDisplayMinimumLaunches(let launches):
      return (
        Double(state.launches) > launches,
        "\(state.launches) launches since the last display, more than \(number(launches)) wanted"
      )
    case .flagNotSet(let flag):
      let isSet = state.flags[flag] == true
      return (!isSet, "the flag \(flag) is \(isSet ? "set" : "not set")")
    case .osVersionLessThan(let version): return less(surroundings.osVersion, version, "the system's version")
    case .appVersionLessThan(let version): return less(surroundings.appVersion, version, "the app's version")
    case .featureEnabled(let feature):
      let isEnabled = surroundings.features.contains(feature)
      return (isEnabled, "the feature \(feature) is \(isEnabled ? "enabled" : "not enabled")")
    case .unknown: return (false, "no condition has this name")
    case .malformed: return (false, "its value is of the wrong type")
    }
  }

  private static func less(_ ours: String, _ wanted: String, _ what: String) -> (Bool, String) {
    let holds = VersionOrder.isLess(ours, wanted)
    return (holds, "\(what) \(ours) is \(holds ? "less" : "not less") than \(wanted)")
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
  }
}
