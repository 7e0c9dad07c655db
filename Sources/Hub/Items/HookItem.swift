package import Basics
package import Formats
import Foundation
import Messages

/// The content that was read from a webhook's delivery.
package enum HookReading: Hashable, Sendable {
  case items([HookItem])
  /// Items, and the problems of the delivery's elements that could not be read.
  case partial([HookItem], [FormatProblem])
  /// The item with this key is withdrawn.
  case withdrawal(key: String)
  /// The sender tests the connection.
  case ping
  /// The delivery contains nothing that could be an item.
  case ignored
}

/// An item of a webhook, which is checked like items from publishers.
package struct HookItem: Hashable, Sendable {
  /// The JSON path of its element in the delivery.
  package var place = "$"
  package private(set) var object = JSONObject()
  package var succession: Publication.Succession?

  init(key: String?) {
    if let key { object["key"] = .string(Self.key(key)) }
  }

  /// The object, with its key as the title if it has no other text, so that no alert is refused because it has no text.
  var objectWithWords: JSONObject {
    guard object["title"] == nil, object["body"] == nil, let key = object["key"] else { return object }
    var named = object
    named["title"] = key
    return named
  }

  /// - Parameter text: the text; `nil` or empty means none.
  mutating func set(_ name: String, _ text: String?, limit: Int = Limits.hubHookLineBytes) {
    guard let text, !text.isEmpty else { return }
    // Not every database can store U+0000.
    let clean = text.utf8.contains(0) ? text.replacingBytes("\0", with: "\u{FFFD}") : text
    let isCut = clean.utf8.count > limit
    object[name] = .string(isCut ? clean.cut(toBytes: limit) + "…" : clean)
  }

  /// Sets the URL. A URL that no reader may open is left out, and so is one that is too long, since its beginning has
  /// another meaning.
  mutating func setURL(_ url: String?) {
    if let url, url.utf8.count <= Limits.hubHookAddressBytes, OpenableAddress.isOne(url) {
      set("url", url, limit: Limits.hubHookAddressBytes)
    } else {
      object["url"] = nil
    }
  }

  mutating func setBody(_ text: String?) { set("body", text, limit: Limits.hubHookBodyBytes) }

  mutating func set(_ name: String, _ value: JSONValue?) { object[name] = value }

  mutating func setPriority(_ priority: Int?) { object["priority"] = priority.map { .integer($0) } }

  mutating func setTags(_ tags: [String?]) {
    let tags = tags.compactMap(\.self).filter { !$0.isEmpty && $0.utf8.count <= Limits.hubHookLineBytes }
    guard !tags.isEmpty else { return }
    object["tags"] = .array(
      tags.prefix(Limits.hubHookTags).map { .string($0.replacingBytes("\0", with: "\u{FFFD}")) })
  }

  mutating func setDone() { object["done"] = .bool(true) }

  /// Returns a valid key. A key that is too long ends with a digest.
  private static func key(_ key: String) -> String {
    let key = key.replacingBytes("\0", with: "\u{FFFD}")
    let safe = key.hasPrefix("#") ? "\\" + key : key
    guard safe.utf8.count > Limits.hubKeyBytes else { return safe }
    return safe.cut(toBytes: Limits.hubKeyBytes - 17) + "~" + SHA256.digest(safe).prefix(8).hex
  }
}
