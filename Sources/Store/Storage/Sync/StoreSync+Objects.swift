package import Sync

extension StoreSync {
  /// Returns the states of the objects at the sync location.
  ///
  /// - Parameter isOwn: whether to return only those of this machine.
  package func objects(own isOwn: Bool = false) throws(StoreFailure) -> [ObjectName: KnownObject] {
    try read { db in try Objects(db).all(own: isOwn) }
  }

  /// Stores the states of objects.
  package func record(_ objects: [ObjectName: KnownObject]) throws(StoreFailure) {
    if objects.isEmpty { return }
    try write { db in for (name, known) in objects { try Objects(db).save(name, known) } }
  }

  /// Removes the states of objects that the sync location no longer has.
  package func forget(_ objects: some Collection<ObjectName> & Sendable) throws(StoreFailure) {
    if objects.isEmpty { return }
    try write { db in for name in objects { try Objects(db).forget(name) } }
  }
}
