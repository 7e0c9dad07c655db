import Basics
import Foundation
import Platform
import Synchronization

/// Stores objects as files `DEVICE/FIRST-LAST-DIGEST.ops` in a folder, which another program may copy to other
/// machines. Earlier versions write `FIRST-LAST.ops`.
///
/// All other names are ignored: conflict copies, unfinished files, links. A file gets its name only when it is complete
/// and on the disk.
package final class FolderPlace: Place {
  package let path: String
  /// Whether other machines access the folder through a ``PlaceServer``. Then no other program may write there, and
  /// names have no digest.
  private let isServed: Bool
  private let closing: Alarm
  /// The objects in the list that was last read, or `nil` if it has not been read yet. `changed` compares with them.
  private let known = Mutex<Set<ObjectName>?>(nil)
  private let events = Mutex<FolderEvents?>(nil)

  /// - Parameter path: the path of the folder, which may not exist yet.
  package init(path: String, isServed: Bool = false) throws(PlaceFailure) {
    (self.path, self.isServed) = (path, isServed)
    do throws(POSIXError) {
      closing = try Alarm()
    } catch {
      throw FolderFiles(path: path).failure(error.code.rawValue)
    }
  }

  package func close() { closing.ring() }

  package var hasDigests: Bool { !isServed }

  private func files() throws(PlaceFailure) -> FolderFiles {
    if closing.hasRung { throw .closed }
    return FolderFiles(path: path)
  }

  package func list() throws(PlaceFailure) -> [ObjectName] {
    do throws(PlaceFailure) {
      let names = try files().names()
      known.withLock { $0 = Set(names) }
      return isServed ? try withoutDigests(names) : names
    } catch {
      // The folder is empty or missing, which counts as known.
      if case .missing = error { known.withLock { $0 = [] } }
      throw error
    }
  }

  package func list(of device: DeviceID) throws(PlaceFailure) -> [ObjectName] {
    let names = try files().names(of: device)
    return isServed ? try withoutDigests(names) : names
  }

  /// - Parameter names: the names, ascending.
  private func withoutDigests(_ names: [ObjectName]) throws(PlaceFailure) -> [ObjectName] {
    var served: [ObjectName] = []
    for name in names {
      let name = name.with(nil)
      // Only a copy of the machine writes other bytes, into a copy of the folder.
      guard name != served.last else {
        throw .broken(
          place: path,
          reason: "another program copies \(path) too; use it as a folder on this machine")
      }
      served.append(name)
    }
    return served
  }

  /// Returns the names of an object's files. They may have digests, since the object's machine may use the folder
  /// without a server.
  private func names(of name: ObjectName) throws(PlaceFailure) -> [ObjectName] {
    guard isServed, name != .marker else { return [name] }
    return try files().names(of: name.device).filter { $0.with(nil) == name }
  }

  /// Returns an object. A file that is too long for an object is cut to a size that no key can decrypt.
  package func get(_ name: ObjectName) throws(PlaceFailure) -> [UInt8]? {
    if let bytes = try files().bytes(of: name) { return bytes }
    guard let other = try names(of: name).first, other != name else { return nil }
    return try files().bytes(of: other)
  }

  package func states(of names: [ObjectName]) throws(PlaceFailure) -> [ObjectName: ObjectState] {
    isServed ? [:] : try files().states(of: names)
  }

  package func beginning(of name: ObjectName) throws(PlaceFailure) -> [UInt8]? {
    try files().bytes(of: name, limit: SealedObject.headerBytes)
  }

  package func replaceMarker(_ bytes: [UInt8]) throws(PlaceFailure) { try files().replace(.marker, bytes) }

  /// Stores an object. The marker, which is the first object, also creates the folder, if its parent exists.
  package func put(_ name: ObjectName, _ bytes: [UInt8]) throws(PlaceFailure) -> PutResult {
    if isServed, let there = try names(of: name).first, there != name {
      return try files().bytes(of: there) == bytes ? .done : .anotherIsThere
    }
    let result = try files().write(name, bytes)
    // An object that this connection has stored isn't new to it.
    if result == .done { known.withLock { _ = $0?.insert(name) } }
    return result
  }

  package func delete(_ name: ObjectName) throws(PlaceFailure) {
    for name in try names(of: name) {
      try files().remove(name)
      known.withLock { _ = $0?.remove(name) }
    }
  }

  /// Waits for a change. Changes without a file event of the system (in a network folder, or if the system
  /// has no more events) are noticed at the end of the time.
  package func changed(seconds: Int, unlessInput input: Int32?) throws(PlaceFailure) -> Bool {
    let end = ContinuousClock.now + .seconds(min(max(seconds, 0), Int(UInt32.max)))
    let events = events.withLock { events in
      if events == nil { events = FolderEvents() }
      return events
    }
    while true {
      let files = try files()
      // Earlier events concern the state that is read now. An event of a file that was written in place shows a change
      // that its name doesn't.
      if events?.read() == .object { return true }
      let names = Set(try files.names { events?.watch($0) })
      if names != known.withLock({ $0 }) { return true }
      if ContinuousClock.now >= end { return false }
      guard try wait(until: end, events, input) else { return false }
    }
  }

  /// - Returns: `false` if there is input.
  private func wait(
    until end: ContinuousClock.Instant, _ events: FolderEvents?, _ input: Int32?
  ) throws(PlaceFailure) -> Bool {
    while true {
      var states = [closing.descriptor, input ?? -1, events?.descriptor ?? -1].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      guard Descriptors.wait(for: &states, until: end) else { return true }
      if states[0].revents != 0 { throw .closed }
      if states[1].revents != 0 { return false }
      // Unfinished files also cause events.
      if events?.peek() != .nothing { return true }
    }
  }
}
