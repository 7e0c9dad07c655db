package import Sync

/// A sealed object of a machine that synchronises (page "Hub").
package struct HubObject: Hashable, Sendable {
  package var name: ObjectName
  /// The size in bytes.
  package var size: Int
  /// The number of the change that added it.
  package var seq: Int64

  package init(name: ObjectName, size: Int, seq: Int64) {
    (self.name, self.size, self.seq) = (name, size, seq)
  }
}

/// Objects of a user, in the order of their arrival.
package struct HubObjectPage: Hashable, Sendable {
  package var objects: [HubObject] = []
  /// The number of the user's last change, which may have removed an object.
  package var last: Int64
  package var hasMore: Bool

  package init(objects: [HubObject] = [], last: Int64, hasMore: Bool) {
    (self.objects, self.last, self.hasMore) = (objects, last, hasMore)
  }
}

/// The result of storing an object.
package struct HubObjectChange: Hashable, Sendable {
  /// Whether the object was stored now; `false` if it was already stored with the same bytes.
  package var isNew: Bool
  /// The number of the user's last change.
  package var last: Int64

  package init(isNew: Bool, last: Int64) { (self.isNew, self.last) = (isNew, last) }
}
