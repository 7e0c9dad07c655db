import Basics
package import Formats
import Foundation

extension PublishResult {
  /// `{"id": 1042, "key": "disk", "state": "stored"}`; of a scheduled one `id` is null, and `due` says when.
  package var json: JSONValue {
    var object = JSONObject([
      .init(key: "id", value: id.map { .number(String($0)) } ?? .null),
      .init(key: "key", value: key.map { .string($0) } ?? .null),
      .init(key: "state", value: .string(state.rawValue)),
    ])
    object["due"] = due.map { .string(ISOInstant.text($0)) }
    return .object(object)
  }

  /// nil if it isn't JSON of `json`.
  package init?(json: JSONValue) {
    guard let object = json.object, let state = object["state"]?.text.flatMap(State.init) else { return nil }
    self.init(
      id: object["id"]?.integer.map { Int64($0) }, key: object["key"]?.text, state: state,
      due: object["due"]?.text.flatMap(ISOInstant.parse))
  }

  static func text(of results: [PublishResult]) -> String {
    JSONValue.array(results.map(\.json)).serialized()
  }

  /// nil if a text isn't one of `text(of:)`.
  static func results(of text: String) -> [PublishResult]? {
    guard let elements = try? JSONReader.parse(text).elements else { return nil }
    let results = elements.compactMap { PublishResult(json: $0) }
    return results.count == elements.count ? results : nil
  }
}
