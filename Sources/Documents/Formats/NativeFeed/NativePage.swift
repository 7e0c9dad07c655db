package import Basics
package import Foundation

/// One response of a native feed, reddot's own format.
package struct NativePage: Sendable {
  /// The title of the source's list.
  package var title: String?
  /// The items in the order of `list`, which is oldest first; invalid ones are left out.
  package var items: [NativeItem] = []
  /// Whether the server has newer items, which the next request returns.
  package var hasMore = false
  /// The greatest integer id on the server, from `last_id`. If it is below the cursor, the ids were reset.
  package var lastID: DecimalInteger?
  /// The cursor for the next request: the greatest integer id, or the last one in `list` if ids are strings, or `nil`
  /// if there is none. Skipped items count if their id could be read, since a bad item would otherwise be fetched
  /// forever.
  package var newestID: NativeID?
  /// Whether the whole document was read. Otherwise it was cut off or broken after some items: some may be missing, and
  /// `hasMore` and `newestID` may be wrong.
  package var isComplete = true
  /// The paths of ignored keys, without duplicates: `$.version`, `$.list[*].color`.
  package var unknownKeys: [String] = []
  package var problems: [FormatProblem] = []

  package init() {}
}

/// One item of a native feed. The large cases are indirect, so that a list of plain items takes less memory.
package enum NativeItem: Hashable, Sendable {
  case plain(PlainItem)
  indirect case inApp(InAppNotification)
  indirect case apns(NativeID, APNsPayload)
  /// An item of a hub (reddot's server), with the data that the hub adds.
  indirect case published(HubMarks, NativeItem)

  package var id: NativeID {
    switch self {
    case .plain(let item): item.id
    case .inApp(let notification): notification.id
    case .apns(let id, _): id
    case .published(_, let item): item.id
    }
  }

  /// The id of the message that the item becomes: the hub's key, or the item's own id.
  package var messageID: String {
    if case .published(let marks, _) = self, let key = marks.key { key } else { id.text }
  }

  /// The in-app notification, or `nil` if the item has another shape.
  package var notification: InAppNotification? {
    switch self {
    case .inApp(let notification): notification
    case .published(_, let item): item.notification
    case .plain, .apns: nil
    }
  }
}

/// The data that a hub (reddot's server) adds to an item, whatever form the item has.
package struct HubMarks: Hashable, Sendable {
  /// The id of the message, or `nil` if it is the item's own id. If there is a key, the item's own id changes
  /// with each edit, and is used only as a cursor.
  package var key: String?
  /// Whether a changed item counts as new, so that its message becomes unread again.
  package var isNews = false
  /// Whether the event that the message reports is resolved.
  package var isDone = false
}

/// A plain message of a native feed.
package struct PlainItem: Hashable, Sendable {
  package struct Action: Hashable, Sendable {
    package var label: String
    package var url: String

    package init(label: String, url: String) {
      self.label = label
      self.url = url
    }
  }

  package var id: NativeID
  package var title: String?
  /// The body, as plain text.
  package var body: String?
  /// The body as an HTML fragment. It becomes the message's text only if `body` is absent.
  package var html: String?
  package var url: String?
  package var time: Date?
  package var author: String?
  /// The priority, from 1 to 5.
  package var priority: Int?
  package var tags: [String] = []
  /// The group. Consecutive items of one group form one row of a list.
  package var group: String?
  package var channel: String?
  package var expires: Date?
  package var actions: [Action] = []

  package init(id: NativeID) { self.id = id }
}

/// The reason why a response isn't a native feed.
package enum NativeFeedFailure: Error, Hashable, Sendable {
  /// The response is not a JSON object, or is broken before its list.
  case notJSON(JSONFailure)
  /// The object has no `list`, or its `list` has another type, which is named in `found`.
  case noList(found: String?)
}
