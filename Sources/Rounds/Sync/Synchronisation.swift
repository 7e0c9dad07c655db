import Digests
package import Foundation
import Limits
import Marks
package import Places
package import Storage
package import Sync

/// One synchronisation of this machine with its place: what is missing there is sent, what is new there is read.
///
/// Every step may be cut off: the next synchronisation goes on. See the page Synchronisation.
package struct Synchronisation: Sendable {
  package struct Outcome: Hashable, Sendable {
    /// How many acts were sent.
    package var sent = 0
    /// How many acts of other machines were new, by their names.
    package var received: [String: Int] = [:]
    /// The sources that are followed here from now on, since other machines follow them.
    package var followed: [String] = []
    /// What a person has to know of it.
    package var notes: [String] = []

    package init() {}
  }

  private let store: Store
  private let place: any Place
  /// As people write it.
  private let placeName: String
  private let key: SyncKey
  private let machine: String
  private let program: String
  private let now: @Sendable () -> Date

  /// - Parameters:
  ///   - machine: this machine's name.
  ///   - program: this program's version.
  package init(
    _ store: Store, _ place: any Place, called placeName: String, _ key: SyncKey, machine: String,
    program: String,
    now: @escaping @Sendable () -> Date
  ) {
    (self.store, self.place, self.placeName, self.key) = (store, place, placeName, key)
    (self.machine, self.program, self.now) = (machine, program, now)
  }

  /// - Throws: `SyncFailure` or `StoreFailure`.
  package func run() throws -> Outcome {
    guard let known = try store.sync.machine() else { throw SyncFailure.notBegun }
    try store.sync.finishSetUp(at: now())
    guard try readMarker() == known.placeID else { throw SyncFailure.replaced(place: placeName) }
    var outcome = Outcome()
    var rounds = 0
    repeat {
      rounds += 1
      let isSteady = try runOnce(&outcome)
      // What came meanwhile goes at once; what comes always waits for the next synchronisation.
      if isSteady, try store.sync.waiting().count == 0 { break }
    } while rounds < Self.mostRounds
    try store.sync.recordSuccess(at: now())
    return outcome
  }

  private static let mostRounds = 5

  /// - Returns: false where the place has to be looked at again.
  private func runOnce(_ outcome: inout Outcome) throws -> Bool {
    let names = try list()
    let (own, others) = try split(names)
    guard try checkOwn(own, &outcome) else { return false }
    guard try send(&outcome) else { return false }
    let isSteady = try receive(others, &outcome)
    try pack(own)
    return isSteady
  }

  // MARK: - The place

  private func asked<Value>(_ body: () throws(PlaceFailure) -> Value) throws -> Value {
    do throws(PlaceFailure) {
      return try body()
    } catch {
      throw try failure(error)
    }
  }

  private func failure(_ failure: PlaceFailure) throws -> SyncFailure {
    .place(failure.named(placeName), waiting: try store.sync.waiting().count)
  }

  private func list() throws -> [ObjectName] {
    try asked { () throws(PlaceFailure) in try place.list() }
  }

  private func get(_ name: ObjectName) throws -> [UInt8]? {
    try asked { () throws(PlaceFailure) in try place.get(name) }
  }

  private func split(_ names: [ObjectName]) throws -> (own: [ObjectName], others: [ObjectName]) {
    let device = try store.sync.machine()?.device
    let all = names.filter { $0 != .marker }.sorted {
      ($0.seqs.lowerBound, $0.seqs.upperBound) < ($1.seqs.lowerBound, $1.seqs.upperBound)
    }
    return (all.filter { $0.device == device }, all.filter { $0.device != device })
  }

  /// The id of the place.
  private func readMarker() throws -> [UInt8] {
    guard let bytes = try get(.marker) else { throw SyncFailure.notSetUp(place: placeName) }
    return try Marker.read(bytes, key, place: placeName)
  }

  /// The payload of an object; nil where it is damaged or for a later program.
  private func open(_ name: ObjectName, _ bytes: [UInt8]) -> Result<[UInt8], SealedObject.Failure> {
    Result { () throws(SealedObject.Failure) in try SealedObject.open(bytes, name: name, key: key) }
  }

  // MARK: - Own objects

  /// What the place lost is sent again; where it has other acts under this machine's id, this machine goes on as a new one.
  ///
  /// - Returns: false where it does.
  private func checkOwn(_ own: [ObjectName], _ outcome: inout Outcome) throws -> Bool {
    let there = own.reduce(IDRanges()) { $0.union(IDRanges($1.seqs)) }
    var sent = try store.sync.sent()
    if !sent.subtracting(there).isEmpty {
      try store.sync.recordLost(allBut: there)
      sent = try store.sync.sent()
    }
    let newest = own.max { $0.seqs.upperBound < $1.seqs.upperBound }
    for name in own where name == newest || !IDRanges(name.seqs).subtracting(sent).isEmpty {
      guard let bytes = try get(name) else { return false }
      switch open(name, bytes) {
      case .failure(.damaged):
        // Only this machine writes under its id.
        try asked { () throws(PlaceFailure) in try place.delete(name) }
        return false
      case .failure: throw SyncFailure.newerMarker(place: placeName)
      case .success(let payload):
        guard try isOwn(payload, name) else {
          try becomeNew(own, &outcome)
          return false
        }
        try store.sync.recordSent(name.seqs)
      }
    }
    return true
  }

  private func isOwn(_ payload: [UInt8], _ name: ObjectName) throws -> Bool {
    guard let acts = try store.sync.own(name.seqs), let reader = try? PayloadReader(payload, of: name) else {
      return false
    }
    return Payload.encode(reader.head, acts: acts) == payload
  }

  /// Whether the place has the acts of an own object.
  private func isIntact(_ name: ObjectName) throws -> Bool {
    guard let bytes = try get(name), case .success(let payload) = open(name, bytes) else { return false }
    return try isOwn(payload, name)
  }

  private func becomeNew(_ own: [ObjectName], _ outcome: inout Outcome) throws {
    var held: [Int64] = []
    for name in own {
      guard let bytes = try get(name), case .success(let payload) = open(name, bytes),
        var reader = try? PayloadReader(payload, of: name)
      else { continue }
      while let read = try? reader.next() {
        let seq = name.seqs.lowerBound + Int64(read.offset)
        if try store.sync.own(seq...seq) == [ActCodec.encode(read.act)] { held.append(seq) }
      }
    }
    try store.sync.becomeNew(.random(), held: IDRanges(held), at: now())
    outcome.notes.append(
      "This database was copied or restored: it goes on as a new machine, and nothing is lost.")
  }

  // MARK: - Sending

  /// - Returns: false where another object has the name of one that was to be sent.
  private func send(_ outcome: inout Outcome) throws -> Bool {
    while let unsent = try store.sync.unsent(limit: Limits.sentObjectBytes) {
      guard try put(unsent.name, acts: unsent.acts) else { return false }
      try store.sync.recordSent(unsent.name.seqs)
      outcome.sent += unsent.acts.count
    }
    return true
  }

  private func put(_ name: ObjectName, acts: [[UInt8]]) throws -> Bool {
    let head = Payload.Head(
      written: Int64(now().timeIntervalSince1970 * 1000), machine: machine, program: program)
    let bytes = try SealedObject.seal(Payload.encode(head, acts: acts), name: name, key: key)
    return try asked { () throws(PlaceFailure) in try place.put(name, bytes) } == .done
  }

  // MARK: - Receiving

  /// - Returns: false where an object was gone: its machine has packed it.
  private func receive(_ others: [ObjectName], _ outcome: inout Outcome) throws -> Bool {
    var isSteady = true
    var known = try store.sync.known()
    // Of those that overlap the longest.
    for name in others.sorted(by: { $0.actCount > $1.actCount }) {
      if IDRanges(name.seqs).subtracting(known[name.device] ?? IDRanges()).isEmpty { continue }
      let found: [UInt8]?
      do throws(PlaceFailure) {
        found = try place.get(name)
      } catch .notAllowed(_, let reason) {
        // One file with other permissions must not hold back what the other machines do.
        let what = "an object of \(writer(of: name)) cannot be read and was left out"
        report("\(what) (\(reason)): \(name.path)", &outcome)
        continue
      } catch {
        throw try failure(error)
      }
      guard let bytes = found else {
        isSteady = false
        continue
      }
      let payload: [UInt8]
      switch open(name, bytes) {
      case .success(let opened): payload = opened
      case .failure(let failure):
        report(failure, name, &outcome)
        continue
      }
      guard let reader = Self.whole(payload, name) else {
        report(.damaged(.header), name, &outcome)
        continue
      }
      let count = try store.sync.apply(reader, of: name, at: now())
      if count > 0 { outcome.received[reader.head.machine, default: 0] += count }
      known = try store.sync.known()
    }
    return isSteady
  }

  /// Nil where an act of it can't be read: then nothing of it counts.
  private static func whole(_ payload: [UInt8], _ name: ObjectName) -> PayloadReader? {
    guard let reader = try? PayloadReader(payload, of: name) else { return nil }
    var copy = reader
    do {
      while try copy.next() != nil {}
      return reader
    } catch {
      return nil
    }
  }

  private func report(_ failure: SealedObject.Failure, _ name: ObjectName, _ outcome: inout Outcome) {
    let machine = writer(of: name)
    let text =
      switch failure {
      case .anotherFormat:
        "\(machine) writes a newer format: install a newer reddot here. What this machine does is sent on."
      case .damaged: "1 object of \(machine) is damaged and was left out: \(name.path)"
      }
    report(text, &outcome)
  }

  private func writer(of name: ObjectName) -> String {
    (try? store.sync.progress())?.machines.first { $0.device == name.device }?.name ?? "another machine"
  }

  private func report(_ note: String, _ outcome: inout Outcome) {
    if !outcome.notes.contains(note), outcome.notes.count < Self.mostNotes { outcome.notes.append(note) }
  }

  private static let mostNotes = 100

  // MARK: - Packing

  /// Many small own objects become one. What carries a folder may bring back those that were deleted: what another one holds
  /// goes again, and isn't packed once more.
  private func pack(_ all: [ObjectName]) throws {
    guard all.count > Limits.smallObjects else { return }
    var own: [ObjectName] = []
    var isWhole: Bool?
    for name in all.sorted(by: {
      ($0.seqs.lowerBound, $1.seqs.upperBound) < ($1.seqs.lowerBound, $0.seqs.upperBound)
    }) {
      guard let last = own.last, name.seqs.upperBound <= last.seqs.upperBound else {
        own.append(name)
        isWhole = nil
        continue
      }
      if isWhole == nil { isWhole = try isIntact(last) }
      if isWhole == true { try asked { () throws(PlaceFailure) in try place.delete(name) } }
    }
    guard own.count > Limits.smallObjects else { return }
    let small = try own.filter { try store.sync.size(of: $0.seqs) < Limits.smallObjectBytes }
    guard small.count > Limits.smallObjects, let first = small.first?.seqs.lowerBound else { return }
    var run: [ObjectName] = []
    var last = first - 1
    for name in small where name.seqs.lowerBound <= last + 1 {
      guard try store.sync.size(of: first...max(last, name.seqs.upperBound)) <= Limits.sentObjectBytes else {
        break
      }
      last = max(last, name.seqs.upperBound)
      run.append(name)
    }
    guard run.count > 1, let device = run.first?.device, let acts = try store.sync.own(first...last) else {
      return
    }
    let packed = ObjectName(device: device, seqs: first...last)
    guard try put(packed, acts: acts) else { return }
    for name in run where name != packed { try asked { () throws(PlaceFailure) in try place.delete(name) } }
  }
}

/// The object that says that a place is one.
package enum Marker {
  /// - Parameter placeID: 16 bytes.
  package static func make(_ placeID: [UInt8], _ key: SyncKey, program: String, at now: Date) throws
    -> [UInt8]
  {
    let head = Payload.Head(
      written: Int64(now.timeIntervalSince1970 * 1000), machine: placeID.hex, program: program)
    return try SealedObject.seal(Payload.encode(head, acts: []), name: .marker, key: key)
  }

  /// - Returns: the id of the place.
  package static func read(_ bytes: [UInt8], _ key: SyncKey, place: String) throws(SyncFailure) -> [UInt8] {
    do throws(SealedObject.Failure) {
      let payload = try SealedObject.open(bytes, name: .marker, key: key)
      guard let reader = try? PayloadReader(payload, of: .marker),
        let id = [UInt8](hex: Array(reader.head.machine.utf8)),
        id.count == 16
      else {
        throw SealedObject.Failure.damaged(.header)
      }
      return id
    } catch .anotherFormat {
      throw SyncFailure.newerMarker(place: place)
    } catch {
      throw SyncFailure.wrongKey(place: place)
    }
  }
}
