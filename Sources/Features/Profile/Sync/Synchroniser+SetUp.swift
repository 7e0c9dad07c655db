import Foundation
import Platform
import Settings
import Storage
import Sync
import Words

/// Implements `reddot sync init`, `join`, `move` and `leave`.
extension Synchroniser {
  /// Sets up a folder, a table or a hub as a sync location, and this database as its first machine.
  ///
  /// The key is written first, then the settings, then the location. If a call is interrupted, the next one completes
  /// it. If a call is refused, nothing is changed.
  ///
  /// - Returns: the output of the command.
  package func begin(at text: String) async throws -> [String] {
    try checkAddresses()
    let address = try place(given: text)
    let name = name(address)
    let place = try open(address)
    defer { place.close() }
    let key = try await keyToBegin(at: address)
    let there = try await marker(at: place, called: name)
    let placeID =
      try there.map { try idOfOwn($0, key, at: address) } ?? (0..<16).map { _ in .random(in: 0 ... .max) }
    let former = profile.settings.sync.place
    try enterSettings(address, key, isNew: there == nil)
    if there == nil {
      let marker = try Marker.make(
        placeID, key, program: profile.environment.version, at: profile.environment.now())
      do {
        try await putMarker(marker, at: place, called: name)
      } catch {
        // If the location no longer responds, it is not known whether the marker was stored.
        if await isEmpty(place, called: name) {
          try profile.settingsFile.setPlace(former, as: former.map(self.name) ?? "")
          if usesKeyFile { try keyFile.dropNext() }
        }
        throw error
      }
    }
    if usesKeyFile { try keyFile.takeNext(for: address) }
    let outcome = try await enter(address, place, placeID, key)
    return [
      "\"\(machine)\" synchronises through \(name): sent \(ActCount.words(outcome.sent)).",
      "On another machine, run reddot sync join \(name)",
      "That command asks for the key; run reddot sync key here to see it.",
    ]
  }

  private func checkAddresses() throws {
    guard let same = try profile.store.sync.sameAddress() else { return }
    throw SyncFailure.sameAddress(SafeOutput.line(same.first), SafeOutput.line(same.second))
  }

  /// Whether the key is in reddot's own file, not provided by a program of the settings.
  private var usesKeyFile: Bool { profile.settings.sync.keyCommand.isEmpty }

  /// Returns the key of the settings, of an earlier call that was interrupted, or of an earlier location; otherwise a
  /// new one.
  private func keyToBegin(at address: PlaceAddress) async throws -> SyncKey {
    guard usesKeyFile else { return try await key() }
    return try keyFile.next(for: address) ?? keyFile.read() ?? .random()
  }

  /// Returns the id of a location that an earlier, interrupted call has begun.
  ///
  /// - Throws: `SyncFailure.isSetUp` if the location is completely set up, or belongs to others.
  private func idOfOwn(_ marker: [UInt8], _ key: SyncKey, at address: PlaceAddress) throws -> [UInt8] {
    let name = name(address)
    guard let id = try? Marker.read(marker, key, place: name),
      try profile.settings.sync.place != address || profile.store.sync.machine()?.placeID != id
    else { throw SyncFailure.isSetUp(place: name) }
    return id
  }

  /// Enters the location in the settings, after its key is stored.
  ///
  /// - Parameter isNew: whether nothing has been encrypted with the key yet.
  private func enterSettings(_ address: PlaceAddress, _ key: SyncKey, isNew: Bool) throws {
    if usesKeyFile { try keyFile.keep(key, for: address) }
    do {
      try profile.settingsFile.setPlace(address, as: name(address))
    } catch {
      if usesKeyFile, isNew { try keyFile.dropNext() }
      throw error
    }
  }

  private func putMarker(_ marker: [UInt8], at place: any Place, called name: String) async throws {
    let result: PutResult
    do throws(PlaceFailure) {
      result = try await asked { () throws(PlaceFailure) in try place.put(.marker, marker) }
    } catch .missing {
      throw SyncFailure.noParent(place: name)
    } catch {
      throw SyncFailure.place(error.named(name), waiting: 0)
    }
    if result == .anotherIsThere { throw SyncFailure.isSetUp(place: name) }
  }

  /// Whether nothing is set up at a location; `false` also if it doesn't respond.
  private func isEmpty(_ place: any Place, called name: String) async -> Bool {
    do throws(SyncFailure) {
      return try await marker(at: place, called: name) == nil
    } catch {
      return false
    }
  }

  /// Returns the marker, or `nil` if there is none or the location does not exist yet.
  private func marker(at place: any Place, called name: String) async throws(SyncFailure) -> [UInt8]? {
    do throws(PlaceFailure) {
      return try await asked { () throws(PlaceFailure) in try Self.marker(at: place) }
    } catch {
      throw SyncFailure.place(error.named(name), waiting: 0)
    }
  }

  private static func marker(at place: any Place) throws(PlaceFailure) -> [UInt8]? {
    do throws(PlaceFailure) {
      return try place.get(.marker)
    } catch .missing {
      return nil
    } catch {
      throw error
    }
  }

  /// Runs a closure on another thread, since a location blocks its caller.
  private func asked<Value: Sendable>(
    _ body: @escaping @Sendable () throws(PlaceFailure) -> Value
  ) async throws(PlaceFailure) -> Value {
    try await WorkThreads().run { () -> Result<Value, PlaceFailure> in
      Result { () throws(PlaceFailure) in try body() }
    }.get()
  }

  /// Makes this database a machine of the location, and syncs.
  private func enter(
    _ address: PlaceAddress, _ place: any Place, _ placeID: [UInt8], _ key: SyncKey
  ) async throws -> Synchronisation.Outcome {
    let (store, now) = (profile.store, profile.environment.now())
    guard let lock = try store.tryLock(.sync) else { throw SyncFailure.busy }
    defer { lock.release() }
    let result = await WorkThreads().run {
      Result {
        if let known = try store.sync.machine(), known.placeID != placeID { try store.sync.startAnew() }
        try store.sync.setUp(.random(), placeID: placeID, at: now)
      }
    }
    try result.get()
    return try await run(at: place, called: name(address), key) { try complete($0) }
  }

  // MARK: - Joining

  /// Makes this database another machine of a location.
  ///
  /// - Parameter keyText: the key as `reddot sync key` prints it.
  /// - Returns: the output of the command.
  package func join(_ text: String, key keyText: String) async throws -> [String] {
    try checkAddresses()
    let address = try place(given: text)
    let name = name(address)
    if keyText.allSatisfy(\.isWhitespace) { throw SyncFailure.noKeyGiven }
    let key: SyncKey
    do throws(SyncKey.ParseFailure) {
      key = try SyncKey(text: keyText)
    } catch {
      throw SyncFailure.badKey(error)
    }
    let place = try open(address)
    defer { place.close() }
    guard let marker = try await marker(at: place, called: name) else {
      throw SyncFailure.notSetUp(place: name)
    }
    let placeID = try Marker.read(marker, key, place: name)
    try await deleteEarly(at: place, called: name, besides: placeID, key)
    try enterSettings(address, key, isNew: false)
    if usesKeyFile { try keyFile.takeNext(for: address) }
    let outcome = try await enter(address, place, placeID, key)
    let others = try profile.store.sync.progress()?.machines.map { SafeOutput.line($0.name) } ?? []
    let received = outcome.received.values.reduce(0, +)
    return [
      "\"\(machine)\" joined \(others.isEmpty ? name : others.joined(separator: ", ")): "
        + "received \(ActCount.words(received)), sent \(ActCount.digits(outcome.sent))."
    ] + [outcome.followedSentence, try notFollowedSentence()].compactMap(\.self) + outcome.notes
  }

  /// Deletes the objects at the location that were encrypted with another key: this database sent them after
  /// a mistaken `init` had set up the same location a second time, and no other machine can decrypt them.
  private func deleteEarly(
    at place: any Place, called name: String, besides placeID: [UInt8], _ key: SyncKey
  ) async throws {
    guard let machine = try profile.store.sync.machine(), machine.placeID != placeID else { return }
    do throws(PlaceFailure) {
      try await asked { () throws(PlaceFailure) in
        for object in try place.list() where object.device == machine.device {
          guard let bytes = try place.get(object) else { continue }
          if (try? SealedObject.open(bytes, name: object, key: key)) == nil { try place.delete(object) }
        }
      }
    } catch {
      throw SyncFailure.place(error.named(name), waiting: 0)
    }
  }

  /// Returns a sentence about the number of sources that only other machines follow, or `nil` if there are none.
  private func notFollowedSentence() throws(StoreFailure) -> String? {
    let count = try notFollowed().count
    return count == 0 ? nil : "Not followed here: \(count); run reddot sync status to see them."
  }

  // MARK: - Leaving

  package func leave() throws -> String {
    let name = name(try place())
    try profile.settingsFile.setPlace(nil)
    return "Left \(name). Nothing is deleted, here or there."
  }

  // MARK: - Moving

  /// Copies all objects to another location and encrypts them again.
  ///
  /// - Parameter hasNewKey: whether the key is replaced, because a lost machine has the old one.
  /// - Returns: the output of the command.
  package func move(to text: String, hasNewKey: Bool) async throws -> [String] {
    let (from, to) = (try self.place(), try place(given: text))
    if from == to { throw SyncFailure.isSetUp(place: name(to)) }
    let oldKey = try await key()
    if hasNewKey, !profile.settings.sync.keyCommand.isEmpty {
      throw GivenMistake(
        sentence:
          "the key comes from key_command in the settings; remove key_command, or change its output, to use a new key"
      )
    }
    _ = try await run()
    // An earlier, interrupted call has stored its key.
    let newKey = hasNewKey ? try keyFile.next(for: to) ?? .random() : oldKey
    if hasNewKey { try keyFile.keep(newKey, for: to) }
    let (old, new) = (try open(from), try open(to))
    defer {
      old.close()
      new.close()
    }
    let name = name(to)
    let version = profile.environment.version
    guard let placeID = try profile.store.sync.machine()?.placeID else { throw SyncFailure.notBegun }
    let marker = try Marker.make(
      placeID, newKey, program: version,
      format: new.hasDigests ? SealedObject.markerFormat : SealedObject.format,
      at: profile.environment.now())
    let result = await WorkThreads().run {
      Result { try Self.copy(from: old, oldKey, to: new, newKey, marker: marker, placeID, called: name) }
    }
    let (objects, machines): (Int, Int)
    do {
      (objects, machines) = try result.get()
    } catch SyncFailure.isSetUp {
      if hasNewKey { try keyFile.dropNext() }
      throw SyncFailure.isSetUp(place: name)
    }
    try profile.settingsFile.setPlace(to, as: name)
    if hasNewKey { try keyFile.takeNext(for: to) }
    let others = try profile.store.sync.progress()?.machines.map { SafeOutput.line($0.name) } ?? []
    var lines = [
      "Moved \(objects == 1 ? "1 object" : "\(objects) objects") of "
        + "\(machines == 1 ? "1 machine" : "\(machines) machines") to \(name)."
    ]
    if !others.isEmpty { lines.append("On \(Self.list(others)), run reddot sync join \(name)") }
    return lines
  }

  private static func list(_ names: [String]) -> String {
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  /// Copies all objects of a location to another one, encrypted with the new key.
  ///
  /// - Returns: the number of objects, and the number of their machines.
  private static func copy(
    from old: any Place, _ oldKey: SyncKey, to new: any Place, _ newKey: SyncKey, marker: [UInt8],
    _ placeID: [UInt8], called name: String
  ) throws -> (objects: Int, machines: Int) {
    do {
      let there = try Self.marker(at: new)
      if let there {
        // An earlier call was interrupted after this step.
        guard (try? Marker.read(there, newKey, place: name)) == placeID else {
          throw SyncFailure.isSetUp(place: name)
        }
      } else {
        // Writing the marker creates the folder. The marker stays only if everything else is there.
        guard try new.put(.marker, marker) == .done else { throw SyncFailure.isSetUp(place: name) }
        try new.delete(.marker)
      }
      var (objects, machines) = (0, Set<DeviceID>())
      var names: Set<ObjectName> = []
      for object in try old.list() where object != .marker {
        guard let bytes = try old.get(object) else { continue }
        // Objects that this key cannot open are unreadable for all machines.
        guard let payload = try? SealedObject.open(bytes, name: object, key: oldKey) else { continue }
        var name = object.with(nil)
        // Copies of a machine have written both. If names have no digest, one of them gets another machine's id.
        if !new.hasDigests, !names.insert(name).inserted { name.device = .random() }
        let sealed = try SealedObject.seal(payload, name: name, key: newKey)
        name = new.name(name, of: sealed)
        if try new.put(name, sealed) == .anotherIsThere {
          // The object is from an earlier, interrupted call.
          try new.delete(name)
          _ = try new.put(name, sealed)
        }
        objects += 1
        machines.insert(object.device)
      }
      if there == nil, try new.put(.marker, marker) != .done { throw SyncFailure.isSetUp(place: name) }
      return (objects, machines.count)
    } catch let failure as PlaceFailure {
      throw SyncFailure.place(failure.named(name), waiting: 0)
    }
  }
}
