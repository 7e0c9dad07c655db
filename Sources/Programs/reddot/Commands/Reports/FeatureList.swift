import Formats
import Foundation
import Messages
import Platform
import Profile
import Screen
import Storage
import Words

/// The features that were turned on or off by notifications that are not shown, each with its notification.
struct FeatureList: Sendable {
  var features: [Feature]
  /// The names of the sources by id; removed sources are missing.
  var sourceNames: [SourceID: String]

  init(features: [Feature], sourceNames: [SourceID: String]) {
    self.features = features
    self.sourceNames = sourceNames
  }

  /// Returns lines like `on   dark-mode  team 17  2026-11-20 09:00  without end  {"theme": "night"}`.
  func report(_ environment: Environment) -> Report<Feature> {
    let source = { (feature: Feature) in sourceNames[feature.source] }
    let switched = Style(roles: .accent)
    return Report(
      features,
      [
        Column(styled: {
          StyledText($0.isEnabled ? "on " : "off", style: $0.isEnabled ? switched : Style(roles: .dim))
        }),
        Column("name", filling: .always, style: .bold, text: \.name, json: { .string($0.name) }),
        Column("enabled", json: { .bool($0.isEnabled) }),
        Column("data", json: { $0.data.map(HiddenText.json) ?? .null }),
        Column(
          "source", gap: 1, text: { source($0) ?? "(removed source)" }, json: { MessageJSON.text(source($0)) }
        ),
        Column("remote_id", text: \.remoteID.text, json: { .string($0.remoteID.text) }),
        Column(
          "changed", style: Style(roles: .dim), text: { environment.wallTime($0.changed) },
          json: { MessageJSON.date($0.changed) }),
        Column("until", json: { MessageJSON.date($0.until) }),
        Column("why", text: { why($0, environment) }, json: { .string(why($0, environment)) }),
        Column(
          style: Style(roles: .code), text: { $0.data.map { SafeOutput.json(HiddenText.json($0)) } ?? "" }),
      ])
  }

  /// Returns the time until which the state of a feature applies, and the reason.
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
}

extension Profile {
  func features() throws -> FeatureList {
    FeatureList(
      features: try store.features.all(at: environment.now()),
      sourceNames: Dictionary(sources.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first }))
  }
}
