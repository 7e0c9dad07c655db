import Foundation
import Places
import Platform
import Settings
import Storage
import Sync
import Threads
import Workspace

/// What `reddot sync init`, `join`, `move` and `leave` do.
extension Synchroniser {
  /// Makes a place of a folder or a table, and this database its first machine.
  ///
  /// - Returns: what is printed.
  package func begin(at text: String) async throws -> [String] {
    try checkAddresses()
    let address = try place(given: text)
    let name = name(address)
    let place = try open(address)
    defer { place.close() }
    let key = try await existingKey() ?? .random()
    let placeID = (0..<16).map { _ in UInt8.random(in: 0 ... .max) }
    let marker = try Marker.make(
      placeID, key, program: workspace.environment.version, at: workspace.environment.now())
    if workspace.settings.sync.keyCommand.isEmpty { try keyFile.write(key) }
    try await putMarker(marker, at: place, called: name)
    let outcome = try await enter(address, place, placeID, key)
    return [
      "\"\(machine)\" synchronises through \(name): sent \(ActCount.words(outcome.sent)).",
      "On another machine: reddot sync join \(name)",
      "It asks for the key that reddot sync key prints here.",
    ]
  }

  private func checkAddresses() throws {
    guard let same = try workspace.store.sync.sameAddress() else { return }
    throw SyncFailure.sameAddress(SafeOutput.line(same.first), SafeOutput.line(same.second))
  }

  /// That of the settings or of an earlier place.
  private func existingKey() async throws -> SyncKey? {
    if !workspace.settings.sync.keyCommand.isEmpty { return try await key() }
    return try keyFile.read()
  }

  private func putMarker(_ marker: [UInt8], at place: any Place, called name: String) async throws {
    let result = await WorkThreads().run { () -> Result<PutResult, PlaceFailure> in
      do throws(PlaceFailure) {
        if try Self.marker(at: place) != nil { return .success(.anotherIsThere) }
        return .success(try place.put(.marker, marker))
      } catch {
        return .failure(error)
      }
    }
    switch result {
    case .success(.done): return
    case .success(.anotherIsThere): throw SyncFailure.isSetUp(place: name)
    case .failure(.missing): throw SyncFailure.noParent(place: name)
    case .failure(let failure): throw SyncFailure.place(failure.named(name), waiting: 0)
    }
  }

  /// Nil also where there is nothing at all yet.
  private static func marker(at place: any Place) throws(PlaceFailure) -> [UInt8]? {
    do throws(PlaceFailure) {
      return try place.get(.marker)
    } catch .missing {
      return nil
    } catch {
      throw error
    }
  }

  /// Writes the settings, makes this database a machine of the place, and synchronises.
  private func enter(
    _ address: PlaceAddress, _ place: any Place, _ placeID: [UInt8], _ key: SyncKey
  ) async throws -> Synchronisation.Outcome {
    try workspace.settingsFile.setPlace(address, as: name(address))
    let (store, now) = (workspace.store, workspace.environment.now())
    guard let lock = try store.tryLock(.sync) else { throw SyncFailure.busy }
    defer { lock.release() }
    let result = await WorkThreads().run {
      Result {
        if let known = try store.sync.machine(), known.placeID != placeID { try store.sync.startAnew() }
        try store.sync.setUp(.random(), placeID: placeID, at: now)
      }
    }
    try result.get()
    return try await run(at: place, called: name(address), key)
  }

  // MARK: - Joining

  /// Makes this database another machine of a place.
  ///
  /// - Parameter keyText: as `reddot sync key` prints it.
  /// - Returns: what is printed.
  package func join(_ text: String, key keyText: String) async throws -> [String] {
    try checkAddresses()
    let address = try place(given: text)
    let name = name(address)
    let key: SyncKey
    do throws(SyncKey.ParseFailure) {
      key = try SyncKey(text: keyText)
    } catch {
      throw SyncFailure.badKey(error)
    }
    let place = try open(address)
    defer { place.close() }
    let found = await WorkThreads().run { () -> Result<[UInt8]?, PlaceFailure> in
      do throws(PlaceFailure) { return .success(try place.get(.marker)) } catch { return .failure(error) }
    }
    let marker: [UInt8]?
    do throws(PlaceFailure) {
      marker = try found.get()
    } catch {
      throw SyncFailure.place(error.named(name), waiting: 0)
    }
    guard let marker else { throw SyncFailure.notSetUp(place: name) }
    let placeID = try Marker.read(marker, key, place: name)
    if workspace.settings.sync.keyCommand.isEmpty { try keyFile.write(key) }
    let outcome = try await enter(address, place, placeID, key)
    let others = try workspace.store.sync.progress()?.machines.map { SafeOutput.line($0.name) } ?? []
    let received = outcome.received.values.reduce(0, +)
    return [
      "\"\(machine)\" joined \(others.isEmpty ? name : others.joined(separator: ", ")): "
        + "received \(ActCount.words(received)), sent \(ActCount.digits(outcome.sent))."
    ] + [outcome.followedSentence, try notFollowedSentence()].compactMap(\.self) + outcome.notes
  }

  private func notFollowedSentence() throws(StoreFailure) -> String? {
    let count = try notFollowed().count
    return count == 0 ? nil : "Not followed here: \(count), see reddot sync status."
  }

  // MARK: - Leaving

  package func leave() throws -> String {
    let name = name(try place())
    try workspace.settingsFile.removeSync()
    return "Left \(name). What you did stays here and there."
  }

  // MARK: - Moving

  /// Copies all objects to another place, sealed anew.
  ///
  /// - Parameter hasNewKey: for a lost machine, which has the old one.
  /// - Returns: what is printed.
  package func move(to text: String, hasNewKey: Bool) async throws -> [String] {
    let (from, to) = (try self.place(), try place(given: text))
    let oldKey = try await key()
    if hasNewKey, !workspace.settings.sync.keyCommand.isEmpty {
      throw GivenMistake(
        sentence: "the settings' key_command has the key: take it out for a new one, or change what it prints"
      )
    }
    _ = try await run()
    let newKey = hasNewKey ? SyncKey.random() : oldKey
    let (old, new) = (try open(from), try open(to))
    defer {
      old.close()
      new.close()
    }
    let name = name(to)
    let version = workspace.environment.version
    guard let placeID = try workspace.store.sync.machine()?.placeID else { throw SyncFailure.notBegun }
    let marker = try Marker.make(placeID, newKey, program: version, at: workspace.environment.now())
    let result = await WorkThreads().run {
      Result { try Self.copy(from: old, oldKey, to: new, newKey, marker: marker, called: name) }
    }
    let (objects, machines) = try result.get()
    if hasNewKey { try keyFile.write(newKey) }
    try workspace.settingsFile.setPlace(to, as: name)
    let others = try workspace.store.sync.progress()?.machines.map { SafeOutput.line($0.name) } ?? []
    var lines = [
      "Moved \(objects == 1 ? "1 object" : "\(objects) objects") of "
        + "\(machines == 1 ? "1 machine" : "\(machines) machines") to \(name)."
    ]
    if !others.isEmpty { lines.append("On \(Self.list(others)): reddot sync join \(name)") }
    return lines
  }

  private static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  /// - Returns: how many objects of how many machines.
  private static func copy(
    from old: any Place, _ oldKey: SyncKey, to new: any Place, _ newKey: SyncKey, marker: [UInt8],
    called name: String
  ) throws -> (objects: Int, machines: Int) {
    do {
      if try Self.marker(at: new) != nil { throw SyncFailure.isSetUp(place: name) }
      // A marker makes the folder; it stays only when all else is there.
      guard try new.put(.marker, marker) == .done else { throw SyncFailure.isSetUp(place: name) }
      try new.delete(.marker)
      var (objects, machines) = (0, Set<DeviceID>())
      for object in try old.list() where object != .marker {
        guard let bytes = try old.get(object) else { continue }
        // What this key doesn't open, nobody can read.
        guard let payload = try? SealedObject.open(bytes, name: object, key: oldKey) else { continue }
        let sealed = try SealedObject.seal(payload, name: object, key: newKey)
        if try new.put(object, sealed) == .anotherIsThere {
          // Left over of a move that was cut off.
          try new.delete(object)
          _ = try new.put(object, sealed)
        }
        objects += 1
        machines.insert(object.device)
      }
      guard try new.put(.marker, marker) == .done else { throw SyncFailure.isSetUp(place: name) }
      return (objects, machines.count)
    } catch let failure as PlaceFailure {
      throw SyncFailure.place(failure.named(name), waiting: 0)
    }
  }
}
