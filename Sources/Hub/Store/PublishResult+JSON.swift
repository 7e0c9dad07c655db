import Basics
package import Formats
import Foundation

extension PublishResult {
  /// The result as `{"id": 1042, "key": "disk", "state": "stored"}`. For a scheduled item `id` is null, and `due` is
  /// the time.
  package var json: JSONValue {
    var object = JSONObject([
      .init(key: "id", value: id.map { .number(String($0)) } ?? .null),
      .init(key: "key", value: key.map { .string($0) } ?? .null),
      .init(key: "state", value: .string(state.rawValue)),
    ])
    object["due"] = due.map { .string(ISOInstant.text($0)) }
    return .object(object)
  }

  /// Returns `nil` if it isn't JSON from `json`.
  package init?(json: JSONValue) {
    guard let object = json.object, let state = object["state"]?.text.flatMap(State.init) else { return nil }
    self.init(
      id: object["id"]?.integer.map { Int64($0) }, key: object["key"]?.text, state: state,
      due: object["due"]?.text.flatMap(ISOInstant.parse))
  }

  static func text(of results: [PublishResult]) -> String {
    JSONValue.array(results.map(\.json)).serialized()
  }

  /// Returns `nil` if the text isn't one from `text(of:)`.
  static func results(of text: String) -> [PublishResult]? {
    guard let elements = try? JSONReader.parse(text).elements else { return nil }
    let results = elements.compactMap { PublishResult(json: $0) }
    return results.count == elements.count ? results : nil
  }
}
