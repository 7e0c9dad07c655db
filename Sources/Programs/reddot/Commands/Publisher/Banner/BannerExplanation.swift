import Banners
import Formats
import Foundation
import Messages
import Profile
import Words

/// The banner of a control file that would be shown, and the decisive condition of each.
struct BannerExplanation: Sendable {
  /// The name of the banner that would be shown, or `nil` if none would be.
  var shown: String?
  /// The verdicts in document order.
  var verdicts: [BannerVerdict]
  private let banners: [ControlFile.Banner]

  /// - Parameter states: the states, keyed by the names of banners, with this launch counted; a banner without a state
  ///   was never displayed.
  init(_ file: ControlFile, states: [String: BannerState], in environment: BannerEnvironment) {
    banners = file.banners
    (shown, verdicts) = BannerJudge.judge(file, states: states, in: environment)
  }

  /// The JSON `{"shown", "banners": [{"name", "holds", "conditions": [{"group", "name", "value", "holds", "why"}],
  /// "problems"}]}`.
  var json: String {
    let banners = verdicts.map { verdict -> JSONValue in
      let conditions = verdict.conditions.map { condition in
        JSONValue.object(
          JSONObject(pairs: [
            ("group", .string(condition.group.rawValue)), ("name", .string(condition.condition.name)),
            ("value", condition.condition.value), ("holds", .bool(condition.holds)),
            ("why", .string(condition.why)),
          ]))
      }
      return .object(
        JSONObject(pairs: [
          ("name", .string(verdict.name)), ("holds", .bool(verdict.holds)),
          ("conditions", .array(conditions)), ("problems", .array(verdict.problems.map(MessageJSON.problem))),
        ]))
    }
    return SafeOutput.json(
      .object(JSONObject(pairs: [("shown", MessageJSON.text(shown)), ("banners", .array(banners))])))
  }

  // MARK: As text

  func lines(isUTF8: Bool) -> [String] {
    var lines = ["shown: \(shown.map(SafeOutput.line) ?? "none")"]
    for (banner, verdict) in zip(banners, verdicts) {
      let sign = verdict.holds ? (isUTF8 ? "✓" : "+") : (isUTF8 ? "✗" : "-")
      lines.append("")
      lines.append("\(sign) \(SafeOutput.line(verdict.name)): \(SafeOutput.line(decision(banner, verdict)))")
      for condition in verdict.conditions {
        let value = SafeOutput.json(condition.condition.value)
        let holds = condition.holds ? "holds" : "fails"
        lines.append(
          "    \(condition.group.rawValue)  \(holds)  \(SafeOutput.line(condition.condition.name)) \(value): "
            + SafeOutput.line(condition.why))
      }
      lines += verdict.problems.map { "    problem: \(SafeOutput.line($0.line))" }
    }
    return lines
  }

  /// Returns the decisive condition of a banner, in a few words.
  private func decision(_ banner: ControlFile.Banner, _ verdict: BannerVerdict) -> String {
    guard verdict.holds else {
      if let failed = verdict.conditions.first(where: { $0.group == .all && !$0.holds }) {
        return "not shown, \(failed.condition.name) fails: \(failed.why)"
      }
      return "not shown, none of the conditions of any holds"
    }
    if verdict.name.utf8.elementsEqual((shown ?? "").utf8), shown != nil {
      let reasons = verdict.conditions.filter(\.holds).map(\.condition.name)
      return reasons.isEmpty ? "shown, it has no conditions" : "shown, by \(reasons.joined(separator: ", "))"
    }
    if banner.entry.flatMap(banner.view) == nil { return "not shown, its entry names no view" }
    return "not shown, though its conditions hold: \(shown ?? "another banner") comes before it"
  }
}
