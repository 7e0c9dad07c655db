import Formats
import Foundation
import Messages
import Platform
import Profile
import Screen
import Storage
import Words

/// The features that non-display notifications switched, each with its notification.
struct FeatureList: Sendable {
  var features: [Feature]
  /// Names of the sources by id; removed sources are missing.
  var sourceNames: [SourceID: String]

  init(features: [Feature], sourceNames: [SourceID: String]) {
    self.features = features
    self.sourceNames = sourceNames
  }

  /// `on   dark-mode  team 17  2026-11-20 09:00  without end  {"theme": "night"}`
  func lines(_ environment: Environment) -> [String] {
    let names = features.map { SafeText(untrusted: $0.name) }
    let width = names.map(\.columns).max() ?? 0
    return zip(features, names).map { feature, name in
      let source = SafeOutput.line(sourceNames[feature.source] ?? "(removed source)")
      var line =
        "\(feature.isEnabled ? "on " : "off")  \(name.padded(to: width).text)  \(source) "
        + "\(SafeOutput.line(feature.remoteID.text))  \(environment.wallTime(feature.changed))  "
        + why(feature, environment)
      if let data = feature.data { line += "  \(SafeOutput.json(UndisplayedWords.json(data)))" }
      return line
    }
  }

  /// Until when its state is valid, and why.
  private func why(_ feature: Feature, _ environment: Environment) -> String {
    switch feature.reason {
    case .holds: "without end"
    case .holdsUntil(let date): "until \(environment.wallTime(date)), when this expires"
    case .givesWay(let date, let other, let source):
      "until \(environment.wallTime(date)), when \(SafeOutput.line(sourceNames[source] ?? "(removed source)")) "
        + "\(SafeOutput.line(other.text)) begins"
    case .begins(let date): "this begins \(environment.wallTime(date))"
    case .expired: "this has expired"
    case .otherChannel(let channel):
      "this is for the channel \(SafeOutput.line(channel)), which is not subscribed"
    }
  }

  /// One object a feature.
  func jsonLines(_ environment: Environment) -> [String] {
    features.map { feature in
      SafeOutput.json(
        .object(
          JSONObject(pairs: [
            ("name", .string(feature.name)), ("enabled", .bool(feature.isEnabled)),
            ("data", feature.data.map(UndisplayedWords.json) ?? .null),
            ("source", MessageJSON.text(sourceNames[feature.source])),
            ("remote_id", .string(feature.remoteID.text)), ("changed", MessageJSON.date(feature.changed)),
            ("until", MessageJSON.date(feature.until)), ("why", .string(why(feature, environment))),
          ])))
    }
  }
}

extension Profile {
  func features() throws -> FeatureList {
    FeatureList(
      features: try store.features.all(at: environment.now()),
      sourceNames: Dictionary(sources.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first }))
  }
}
