import Foundation
import Messages

/// The items of a service, numbered in the order of arrival; each exists until it is done, dismissed or deleted.
struct NumberedItems: Sendable {
  struct Item: Sendable {
    var number: Int
    var created: Date
    var isOpen = true

    var id: RemoteID { RemoteID(String(number)) }
  }

  /// The items, oldest first.
  private(set) var all: [Item] = []

  var open: [Item] { all.filter(\.isOpen) }

  mutating func arrive(at now: Date) -> Item {
    let item = Item(number: all.count + 1, created: now)
    all.append(item)
    return item
  }

  /// - Returns: the former item, or `nil` if it never existed.
  mutating func finish(_ id: RemoteID) -> Item? {
    guard let place = all.firstIndex(where: { $0.id == id }) else { return nil }
    defer { all[place].isOpen = false }
    return all[place]
  }
}
