import Basics
import Formats
import Foundation
import Messages

/// The filters in a source's address, such as `?priority=high&tags=disk`.
///
/// They are applied by reddot: the server would also omit the events that a message was read or deleted, because these
/// have neither tags nor a priority.
struct NtfyFilter {
  private var id: String?
  private var title: String?
  private var message: String?
  /// The permitted priorities; `nil` for all.
  private var priorities: Set<Int>?
  /// The required tags: a message must have all of them.
  private var tags: Set<String> = []

  /// Reads the filters from the items of the query.
  init(_ items: [URLQueryItem]) {
    for item in items {
      guard let value = item.value?.replacingBytes("+", with: " ").removingPercentEncoding, !value.isEmpty
      else {
        continue
      }
      switch item.name.lowercased() {
      case "id", "x-id": id = value
      case "title", "t", "ti", "x-title": title = value
      case "message", "m", "x-message": message = value
      case "priority", "prio", "p", "x-priority":
        priorities = Set(value.lowercased().split(onBytes: ",").compactMap { Self.priority(String($0)) })
      case "tags", "tag", "ta", "x-tags":
        tags = Set(value.split(onBytes: ",").map { $0.trimmingCharacters(in: .whitespaces) })
      case _: break
      }
    }
  }

  /// Returns the priority for a number from 1 to 5 or its name.
  private static func priority(_ word: String) -> Int? {
    switch word.trimmingCharacters(in: .whitespaces) {
    case "1", "min": 1
    case "2", "low": 2
    case "3", "default": 3
    case "4", "high": 4
    case "5", "max", "urgent": 5
    case _: nil
    }
  }

  /// Whether an event passes all filters.
  func takes(_ event: NtfyEvent) -> Bool {
    if let id, event.id != id { return false }
    if let title, event.fields.value("title")?.text != title { return false }
    if let message, event.fields.value("message")?.text != message { return false }
    if let priorities, !priorities.contains(event.fields.value("priority")?.integer ?? 3) { return false }
    if tags.isEmpty { return true }
    return tags.isSubset(of: Set((event.fields.value("tags")?.elements ?? []).compactMap(\.text)))
  }
}
