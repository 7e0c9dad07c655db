import Foundation
import Messages

/// What a service has numbered in the order of arrival; each is there until somebody finishes it: does, dismisses or
/// deletes it.
struct NumberedItems: Sendable {
  struct Item: Sendable {
    var number: Int
    var created: Date
    var isOpen = true

    var id: RemoteID { RemoteID(String(number)) }
  }

  /// Oldest first.
  private(set) var all: [Item] = []

  var open: [Item] { all.filter(\.isOpen) }

  mutating func arrive(at now: Date) -> Item {
    let item = Item(number: all.count + 1, created: now)
    all.append(item)
    return item
  }

  /// - Returns: the item as it was before; nil: there never was one.
  mutating func finish(_ id: RemoteID) -> Item? {
    guard let place = all.firstIndex(where: { $0.id == id }) else { return nil }
    defer { all[place].isOpen = false }
    return all[place]
  }
}
