package import Foundation

/// One answer of a native feed.
package struct NativePage: Sendable {
  /// Names the inbox of the source.
  package var title: String?
  /// In the order of `list`, oldest first by agreement; bad ones are left out.
  package var items: [NativeItem] = []
  package var hasMore = false
  /// The greatest integer id on the server: below the cursor, ids were reset.
  package var lastID: DecimalInteger?
  /// The next cursor: with integer ids the greatest, else the last of `list`. Items that were skipped count
  /// where their id could be read, or one bad item would be fetched for ever. Nil where there was none.
  package var newestID: NativeID?
  /// False where the document broke off or was broken after some items: what came may not be all, and
  /// `hasMore` and `newestID` may not be what the server meant.
  package var isComplete = true
  /// Keys that were ignored, each once: `$.version`, `$.list[*].color`.
  package var unknownKeys: [String] = []
  package var problems: [FormatProblem] = []

  package init() {}
}

/// One item of a native feed. The large shapes stand apart, so that a list of plain ones stays small.
package enum NativeItem: Hashable, Sendable {
  case plain(PlainItem)
  indirect case inApp(InAppNotification)
  indirect case apns(NativeID, APNsPayload)

  package var id: NativeID {
    switch self {
    case .plain(let item): item.id
    case .inApp(let notification): notification.id
    case .apns(let id, _): id
    }
  }
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
  /// An HTML fragment; only where `body` is absent does it decide what is shown.
  package var html: String?
  package var url: String?
  package var time: Date?
  package var author: String?
  /// 1 to 5.
  package var priority: Int?
  package var tags: [String] = []
  package var channel: String?
  package var expires: Date?
  package var actions: [Action] = []

  package init(id: NativeID) { self.id = id }
}

/// Why an answer is not a native feed.
package enum NativeFeedFailure: Error, Hashable, Sendable {
  /// No JSON object, or it broke before its list began.
  case notJSON(JSONFailure)
  /// An object without `list`, or with another thing in its place (`found`, in words).
  case noList(found: String?)
}
