package import Basics
package import Formats
package import Foundation
package import Messages

/// The values that the conditions of banners are compared with, besides the state of each banner.
package struct BannerEnvironment: Hashable, Sendable {
  package var now: Date
  /// Whether the default route uses Wi-Fi.
  package var isOnWifi: Bool
  package var appVersion: String
  package var osVersion: String
  /// The names of the features that are turned on.
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

/// The result of judging one banner: whether it may be shown, and why.
package struct BannerVerdict: Hashable, Sendable {
  /// The list of conditions in the control file that a condition is in: one condition of `any` must hold, and each of
  /// `all`.
  package enum Group: String, Hashable, Sendable { case any, all }

  /// The result of judging one condition, with the reason.
  package struct ConditionVerdict: Hashable, Sendable {
    package var group: Group
    package var condition: ControlFile.Condition
    package var holds: Bool
    package var reason: Reason

    /// The reason as a sentence, with the numbers that were compared.
    package var why: String { reason.words(holds: holds) }
  }

  package var name: String
  /// Whether the banner's conditions are met.
  package var holds: Bool
  package var conditions: [ConditionVerdict]
  package var problems: [FormatProblem]
}

/// Judges the conditions of a control file's banners. It has no side effects: it takes the file, the states and the
/// environment, and returns verdicts with reasons.
package enum BannerJudge {
  /// Judges all banners of a control file.
  ///
  /// - Parameter states: the states by banner name, which already count this launch.
  /// - Returns: the banner to show, if any, and all verdicts in document order.
  package static func judge(
    _ file: ControlFile, states: [String: BannerState], in environment: BannerEnvironment
  ) -> (shown: String?, verdicts: [BannerVerdict]) {
    let verdicts = file.banners.map { banner in
      verdict(banner, states[banner.name] ?? BannerState().launched(), environment)
    }
    let shown = zip(file.banners, verdicts).first { banner, verdict in
      verdict.holds && banner.entry.flatMap(banner.view) != nil
    }
    return (shown?.0.name, verdicts)
  }

  /// Judges the conditions of one banner.
  private static func verdict(
    _ banner: ControlFile.Banner, _ state: BannerState, _ environment: BannerEnvironment
  ) -> BannerVerdict {
    func judged(_ group: BannerVerdict.Group, _ conditions: [ControlFile.Condition])
      -> [BannerVerdict.ConditionVerdict]
    {
      conditions.map { condition in
        let (holds, reason) = judge(condition, state, environment)
        return BannerVerdict.ConditionVerdict(
          group: group, condition: condition, holds: holds, reason: reason)
      }
    }
    let all = judged(.all, banner.all)
    let any = judged(.any, banner.any)
    let holds = all.allSatisfy(\.holds) && (any.isEmpty || any.contains(where: \.holds))
    return BannerVerdict(name: banner.name, holds: holds, conditions: all + any, problems: banner.problems)
  }

  /// Judges one condition.
  private static func judge(
    _ condition: ControlFile.Condition, _ state: BannerState, _ environment: BannerEnvironment
  ) -> (Bool, BannerVerdict.Reason) {
    switch condition.rule {
    case .onWifi(let wanted):
      return (environment.isOnWifi == wanted, .network(isWifi: environment.isOnWifi))
    case .neverDisplayed(let wanted):
      return (state.isDisplayed != wanted, .displayed(state.isDisplayed))
    case .lastDisplayMinimumSeconds(let seconds):
      guard let last = state.lastDisplay else { return (true, .displayed(false)) }
      let passed = environment.now.timeIntervalSince(last).rounded(.down)
      return (passed > seconds, .seconds(passed: passed, wanted: seconds))
    case .lastDisplayMinimumLaunches(let launches):
      return (Double(state.launches) > launches, .launches(passed: state.launches, wanted: launches))
    case .flagNotSet(let flag): return (state.flags[flag] != true, .flag(flag))
    case .osVersionLessThan(let version):
      let ours = environment.osVersion
      return (VersionOrder.isLess(ours, version), .systemVersion(ours, wanted: version))
    case .appVersionLessThan(let version):
      let ours = environment.appVersion
      return (VersionOrder.isLess(ours, version), .appVersion(ours, wanted: version))
    case .featureEnabled(let feature): return (environment.features.contains(feature), .feature(feature))
    case .unknown: return (false, .unknown)
    case .malformed: return (false, .malformed)
    }
  }
}
