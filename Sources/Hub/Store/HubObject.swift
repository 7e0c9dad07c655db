package import Sync

/// A sealed object of a machine that synchronises (page "Hub").
package struct HubObject: Hashable, Sendable {
  package var name: ObjectName
  /// Bytes.
  package var size: Int
  /// Of the change that brought it.
  package var seq: Int64

  package init(name: ObjectName, size: Int, seq: Int64) {
    (self.name, self.size, self.seq) = (name, size, seq)
  }
}

/// Objects of a person, in the order in which they came.
package struct HubObjectPage: Hashable, Sendable {
  package var objects: [HubObject] = []
  /// The number of the person's last change, also of one that removed an object.
  package var last: Int64
  package var hasMore: Bool

  package init(objects: [HubObject] = [], last: Int64, hasMore: Bool) {
    (self.objects, self.last, self.hasMore) = (objects, last, hasMore)
  }
}

/// What became of an object that was sent.
package struct HubObjectChange: Hashable, Sendable {
  /// false: the same bytes were there.
  package var isNew: Bool
  /// The number of the person's last change.
  package var last: Int64

  package init(isNew: Bool, last: Int64) { (self.isNew, self.last) = (isNew, last) }
}
