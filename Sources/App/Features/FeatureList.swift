import Formats
import Foundation
package import Messages
import Screen
package import Storage

/// The named features that non-display notifications switched, each with the one that set it.
package struct FeatureList: Sendable {
  package var features: [Feature]
  /// Names of the sources by id; a source that was removed has none.
  package var sourceNames: [SourceID: String]

  package init(features: [Feature], sourceNames: [SourceID: String]) {
    self.features = features
    self.sourceNames = sourceNames
  }

  /// `on   dark-mode  team 17  2026-11-20 09:00  {"theme": "night"}`
  package func lines(_ surroundings: Surroundings) -> [String] {
    let names = features.map { SafeText(untrusted: $0.name) }
    let width = names.map(\.columns).max() ?? 0
    return zip(features, names).map { feature, name in
      let source = SafeOutput.line(sourceNames[feature.source] ?? "(removed source)")
      var line =
        "\(feature.isEnabled ? "on " : "off")  \(name.padded(to: width).text)  \(source) "
        + "\(SafeOutput.line(feature.remoteID.text))  \(surroundings.wallTime(feature.changed))"
      if let data = feature.data { line += "  \(SafeOutput.json(Self.json(data)))" }
      return line
    }
  }

  /// One object a feature.
  package var jsonLines: [String] {
    features.map { feature in
      SafeOutput.json(
        .object(
          JSONObject(pairs: [
            ("name", .string(feature.name)), ("enabled", .bool(feature.isEnabled)),
            ("data", feature.data.map(Self.json) ?? .null),
            ("source", MessageJSON.text(sourceNames[feature.source])),
            ("remote_id", .string(feature.remoteID.text)), ("changed", MessageJSON.date(feature.changed)),
          ])))
    }
  }

  /// Data is stored as the JSON that came.
  private static func json(_ text: String) -> JSONValue {
    do throws(JSONFailure) { return try JSONReader.parse(text) } catch { return .string(text) }
  }
}

extension Workspace {
  package func features() throws -> FeatureList {
    FeatureList(
      features: try store.features(),
      sourceNames: Dictionary(sources.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first }))
  }
}
