package import Formats
package import Foundation
package import Messages
package import Platform
import Settings
import Words

/// Descriptions of scheduled notifications that are not shown but switch features, for previews.
package enum HiddenText {
  package static func sentence(features: [String], isEnabled: Bool) -> String {
    if features.isEmpty { return "not displayed: shows nothing, and its data names no feature" }
    let names = features.map { SafeOutput.line($0) }.joined(separator: ", ")
    return "not displayed: shows nothing, switches \(names) \(isEnabled ? "on" : "off")"
  }

  /// Returns the lines of a notification with its id, its period, its channel and its data.
  ///
  /// - Parameter hours: the start of the notification, if it is given in hours after the installation.
  package static func lines(_ notice: FeatureNotice, from hours: String?, _ environment: Environment)
    -> [String]
  {
    var lines = [
      sentence(features: notice.names, isEnabled: notice.isEnabled),
      "  id: \(SafeOutput.line(notice.remoteID.text))",
    ]
    if let channel = notice.channel { lines.append("  channel: \(SafeOutput.line(channel))") }
    lines.append(
      "  from: " + (notice.visibleFrom.map { environment.wallTime($0) } ?? hours ?? "its arrival"))
    let until =
      switch (notice.expires, notice.lifetime) {
      case (let date?, _): environment.wallTime(date)
      case (nil, .afterAppearance(let seconds)?): "\(duration(seconds)) after that"
      case (nil, .afterArrival(let seconds)?): "\(duration(seconds)) after its arrival"
      case (nil, nil): "without end"
      }
    lines.append("  until: \(until)")
    if let data = notice.data { lines.append("  data: \(SafeOutput.json(json(data)))") }
    return lines
  }

  /// Returns `{"id", "features", "enabled", "channel", "visible_from", "expires", "data"}`. If the end is relative to
  /// the arrival, `now` is used as the arrival.
  package static func object(_ notice: FeatureNotice, relativeHours: Double?, at now: Date) -> JSONValue {
    let expires =
      switch notice.lifetime {
      case .afterAppearance(let seconds)? where relativeHours == nil:
        max(notice.visibleFrom ?? now, now).addingTimeInterval(seconds)
      case .afterArrival(let seconds)?: now.addingTimeInterval(seconds)
      default: notice.expires
      }
    var pairs: [(String, JSONValue)] = [
      ("id", .string(notice.remoteID.text)), ("features", .array(notice.names.map(JSONValue.string))),
      ("enabled", .bool(notice.isEnabled)), ("channel", MessageJSON.text(notice.channel)),
      ("visible_from", MessageJSON.date(notice.visibleFrom)), ("expires", MessageJSON.date(expires)),
      ("data", notice.data.map(json) ?? .null),
    ]
    if let relativeHours { pairs.append(("relativetime", .double(relativeHours))) }
    return .object(JSONObject(pairs: pairs))
  }

  private static func duration(_ seconds: Double) -> String {
    DurationText.format(.milliseconds(Int64(clamping: Int(min(seconds * 1000, 1e15)))))
  }

  /// Parses the data of a notification, which is stored as the received JSON.
  package static func json(_ text: String) -> JSONValue {
    do throws(JSONFailure) { return try JSONReader.parse(text) } catch { return .string(text) }
  }
}
