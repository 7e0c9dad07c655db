package import Basics
package import Foundation

/// One response of a native feed.
package struct NativePage: Sendable {
  /// The title of the source's inbox.
  package var title: String?
  /// In the order of `list`, which is oldest first; bad ones are left out.
  package var items: [NativeItem] = []
  package var hasMore = false
  /// The greatest integer id on the server. If it is below the cursor, ids were reset.
  package var lastID: DecimalInteger?
  /// The next cursor: with integer ids the greatest, else the last of `list`. Skipped items count
  /// if their id could be read, or a bad item would be fetched for ever. nil if there was none.
  package var newestID: NativeID?
  /// False if the document was cut off or broken after some items: some may be missing, and
  /// `hasMore` and `newestID` may be wrong.
  package var isComplete = true
  /// Ignored keys, each once: `$.version`, `$.list[*].color`.
  package var unknownKeys: [String] = []
  package var problems: [FormatProblem] = []

  package init() {}
}

/// One item of a native feed. The large cases are indirect, so that a list of plain items takes less memory.
package enum NativeItem: Hashable, Sendable {
  case plain(PlainItem)
  indirect case inApp(InAppNotification)
  indirect case apns(NativeID, APNsPayload)
  /// An item of a hub, which says more of it.
  indirect case published(HubMarks, NativeItem)

  package var id: NativeID {
    switch self {
    case .plain(let item): item.id
    case .inApp(let notification): notification.id
    case .apns(let id, _): id
    case .published(_, let item): item.id
    }
  }

  /// The id of the message that it is.
  package var messageID: String {
    if case .published(let marks, _) = self, let key = marks.key { key } else { id.text }
  }

  /// The in-app notification that it is; nil: it is of another shape.
  package var notification: InAppNotification? {
    switch self {
    case .inApp(let notification): notification
    case .published(_, let item): item.notification
    case .plain, .apns: nil
    }
  }
}

/// What a hub says of an item, whatever its shape is.
package struct HubMarks: Hashable, Sendable {
  /// Which message it is: then its id only moves the cursor, and is another one after each change.
  package var key: String?
  /// A changed item is unread again.
  package var isNews = false
  /// What it reports is over.
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
  /// Plain text.
  package var body: String?
  /// An HTML fragment; its text is the message's text only if `body` is absent.
  package var html: String?
  package var url: String?
  package var time: Date?
  package var author: String?
  /// 1 to 5.
  package var priority: Int?
  package var tags: [String] = []
  /// Items of one group that stand one below the other are one row of a list.
  package var group: String?
  package var channel: String?
  package var expires: Date?
  package var actions: [Action] = []

  package init(id: NativeID) { self.id = id }
}

/// Why a response isn't a native feed.
package enum NativeFeedFailure: Error, Hashable, Sendable {
  /// Not a JSON object, or broken before its list.
  case notJSON(JSONFailure)
  /// An object without `list`, or whose `list` has another type (`found`, for a message).
  case noList(found: String?)
}
