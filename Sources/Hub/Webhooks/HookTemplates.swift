import Basics
import Formats
import Foundation

/// The templates in the settings for the items of a webhook.
package struct HookTemplates: Hashable, Sendable {
  /// The members of an item that are strings.
  package static let names = [
    "key", "title", "body", "url", "channel", "group", "author", "time", "expires", "tags", "priority",
  ]

  /// The path of the array with a value for each item, or `nil` if the document is one item.
  package var each: HookPath?
  /// The templates, keyed by the member's name; tags are separated by commas.
  package var texts: [String: HookTemplate] = [:]
  /// The priorities that strings of `priority` mean, 1 to 5; a digit means itself.
  package var priorities: [String: Int] = [:]
  /// The condition under which the item is resolved.
  package var done: Condition?

  /// A condition in the form `path=value`.
  package struct Condition: Hashable, Sendable {
    private let path: HookPath
    private let value: String

    package init?(_ text: String) {
      let sides = text.split(onBytes: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, let path = HookPath(sides[0]) else { return nil }
      (self.path, value) = (path, String(sides[1]))
    }

    /// Whether the value at the path has this text.
    func holds(_ element: JSONValue, _ document: JSONValue) -> Bool {
      path.value(in: element, of: document)?.shown == value
    }
  }

  package init() {}

  /// Creates the items of a delivery.
  func read(_ document: JSONValue) throws(HubFailure) -> HookReading {
    guard let each else {
      guard hasKey(document, document) else { throw HubFailure(.invalidItem, Self.noKey, at: "$") }
      return .items([item(document, document)])
    }
    guard let elements = each.value(in: document, of: document)?.elements else {
      throw HubFailure(.invalidItem, "the path of each leads to no array", at: "$")
    }
    guard elements.count <= Limits.hubHookItems else {
      throw HubFailure(.invalidItem, "must have at most \(Limits.hubHookItems) items", at: "$")
    }
    var (items, problems): ([HookItem], [FormatProblem]) = ([], [])
    for (index, element) in elements.enumerated() {
      let place = JSONPath.index(index, under: each.text)
      guard hasKey(element, document) else {
        problems.append(FormatProblem(at: place, message: Self.noKey))
        continue
      }
      var item = item(element, document)
      item.place = place
      items.append(item)
    }
    return problems.isEmpty ? .items(items) : .partial(items, problems)
  }

  private static let noKey = "has none of the values that the key is made of"

  /// Whether the template of the key has a value in an element. Without any value, all elements would have
  /// the same key.
  private func hasKey(_ element: JSONValue, _ document: JSONValue) -> Bool {
    texts["key"].map { !$0.isEmpty(of: element, in: document) } ?? true
  }

  private func item(_ element: JSONValue, _ document: JSONValue) -> HookItem {
    func text(_ name: String) -> String? {
      guard let text = texts[name]?.text(of: element, in: document), !text.isEmpty else { return nil }
      return text
    }
    var item = HookItem(key: text("key"))
    for name in ["title", "channel", "group", "author"] { item.set(name, text(name)) }
    item.setURL(text("url"))
    item.setBody(text("body"))
    for name in ["time", "expires"] {
      item.set(name, text(name).map { HookTime.text(HookTime.parse($0)) ?? $0 })
    }
    item.setTags(text("tags")?.split(onBytes: ",").map { $0.trimmingCharacters(in: .whitespaces) } ?? [])
    if let word = text("priority") {
      item.setPriority(priorities[word] ?? Int(word).flatMap { (1...5).contains($0) ? $0 : nil })
    }
    if done?.holds(element, document) == true { item.setDone() }
    if texts["time"] != nil { item.succession = .newest }
    return item
  }
}
