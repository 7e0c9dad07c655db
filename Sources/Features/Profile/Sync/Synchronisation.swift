import Basics
package import Foundation
import Messages
package import Storage
package import Sync

/// One sync of this machine with its sync location: sends the changes that are missing there, and reads the new ones.
///
/// Every step may be interrupted: the next sync continues. See the page Synchronisation.
package struct Synchronisation: Sendable {
  /// The result of a sync.
  package struct Outcome: Hashable, Sendable {
    /// The number of changes that were sent.
    package var sent = 0
    /// The number of new changes of each other machine, keyed by the machine's name.
    package var received: [String: Int] = [:]
    /// The sources that are followed here from now on, since other machines follow them.
    package var followed: [String] = []
    /// Sentences for the user, for example about damaged objects.
    package var notes: [String] = []

    package init() {}
  }

  let store: Store
  let place: any Place
  /// The location in the user's notation.
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

  /// The state of one sync.
  struct Run {
    var outcome = Outcome()
    var placeID: [UInt8]
    var markerFormat: UInt8
    /// Whether all objects of this machine are compared again, and all damaged objects are read again.
    var checksAll: Bool
    /// The names of the other machines.
    var names: [DeviceID: String]
    /// The number of objects that were left out without a separate sentence in `Outcome.notes`.
    var untold = 0
  }

  /// A proof that a round (`runOnce`) compared everything: only such a round creates one.
  private struct Synchronised {
    fileprivate init() {}
  }

  /// The reason why a round (`runOnce`) has to start again.
  private enum Unsteady {
    /// A listed object is missing.
    case missing(ObjectName)
    /// The sync location reports that another object has the name.
    case taken(ObjectName)
    /// This machine got another id, or one of its objects was damaged.
    case changed

    var reason: String {
      switch self {
      case .missing(let name): "it lists an object that it does not have: \(name.path)"
      case .taken(let name): "it refuses an object as if it already had the object: \(name.path)"
      case .changed: "the objects of this machine keep changing in it"
      }
    }
  }

  /// - Parameter checksAll: whether all objects of this machine are compared by their bytes, and damaged ones of others
  ///   are read again.
  /// - Throws: `SyncFailure` or `StoreFailure`.
  package func run(checksAll: Bool = false) throws -> Outcome {
    var run = try begin(checksAll: checksAll)
    var ending = Result<Synchronised, SyncFailure>.failure(.notBegun)
    for _ in 0..<Self.mostRounds {
      ending = try runOnce(&run)
      try store.questions.takeAnswers(at: now())
      // Changes that were made meanwhile are sent immediately. If there are always more, the next sync sends them.
      if case .success = ending, try store.sync.waiting().count == 0 { break }
    }
    return try finish(run, ending.get())
  }

  /// Sends the waiting changes without reading those of other machines, so its duration does not depend on them.
  ///
  /// - Throws: `SyncFailure` or `StoreFailure`.
  package func send() throws {
    var run = try begin(checksAll: false)
    var unsteady: Unsteady?
    for _ in 0..<Self.mostRounds {
      unsteady = try sendOnce(&run)
      if unsteady == nil, try store.sync.waiting().count == 0 { break }
    }
    if let unsteady { throw try failure(unsteady) }
  }

  /// Sends the waiting changes once, or returns the reason why that has to start again.
  private func sendOnce(_ run: inout Run) throws -> Unsteady? {
    guard let device = try store.sync.machine()?.device else { return nil }
    var own = try asked { () throws(PlaceFailure) in try place.list(of: device) }.sorted()
    let known = try knownObjects(of: own, own: true)
    if let unsteady = try checkOwn(&own, known, &run) ?? send(&run) { return unsteady }
    try pack(own, &run)
    return nil
  }

  private func begin(checksAll: Bool) throws -> Run {
    guard let known = try store.sync.machine() else { throw SyncFailure.notBegun }
    try store.sync.finishSetUp(at: now())
    guard let marker = try get(.marker) else { throw SyncFailure.notSetUp(place: placeName) }
    guard try Marker.read(marker, key, place: placeName) == known.placeID else {
      throw SyncFailure.replaced(place: placeName)
    }
    let names = Dictionary(
      try store.sync.progress()?.machines.map { ($0.device, $0.name) } ?? [], uniquingKeysWith: { $1 })
    return Run(
      placeID: known.placeID, markerFormat: SealedObject.format(of: marker) ?? SealedObject.format,
      checksAll: checksAll, names: names)
  }

  /// The maximum number of rounds of a sync.
  private static let mostRounds = 5

  private func finish(_ run: Run, _: Synchronised) throws(StoreFailure) -> Outcome {
    try store.sync.recordSuccess(at: now())
    var outcome = run.outcome
    if run.untold > 0 {
      outcome.notes.append("\(run.untold) more objects are damaged or cannot be read, and were left out")
    }
    return outcome
  }

  /// Does one round: sends this machine's changes, reads those of other machines, and compares the objects.
  ///
  /// - Returns: the failure if another round is needed.
  private func runOnce(_ run: inout Run) throws -> Result<Synchronised, SyncFailure> {
    let names = try list()
    let known = try knownObjects(of: names)
    let device = try store.sync.machine()?.device
    var own = names.filter { $0.device == device }
    var unsteady = try checkOwn(&own, known, &run)
    if unsteady == nil { unsteady = try send(&run) }
    if unsteady == nil {
      unsteady = try receive(names.filter { $0.device != device }, known, &run)
      try pack(own, &run)
    }
    if unsteady == nil { unsteady = try compareBytes(&run) }
    if let unsteady { return .failure(try failure(unsteady)) }
    run.checksAll = false
    return .success(Synchronised())
  }

  // MARK: - The location

  /// Runs a closure that reads or writes the sync location, and turns its failure into a `SyncFailure`.
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

  private func failure(_ unsteady: Unsteady) throws -> SyncFailure {
    .place(
      .broken(place: placeName, reason: unsteady.reason), waiting: try store.sync.waiting().count)
  }

  /// Returns the names of all objects except the marker, ascending, without duplicates.
  private func list() throws -> [ObjectName] {
    var names: [ObjectName] = []
    for name in try asked({ () throws(PlaceFailure) in try place.list() }).sorted()
    where name != .marker && name != names.last { names.append(name) }
    return names
  }

  /// Returns the stored states of these objects, and deletes the stored states of all other objects.
  ///
  /// - Parameter isOwn: whether the names are only those of this machine's objects.
  private func knownObjects(
    of names: [ObjectName], own isOwn: Bool = false
  ) throws(StoreFailure) -> [ObjectName: KnownObject] {
    let known = try store.sync.objects(own: isOwn)
    guard names.count(where: { known[$0] != nil }) < known.count else { return known }
    let listed = Set(names)
    try store.sync.forget(known.keys.filter { !listed.contains($0) })
    return known.filter { listed.contains($0.key) }
  }

  private func get(_ name: ObjectName) throws -> [UInt8]? {
    try asked { () throws(PlaceFailure) in try place.get(name) }
  }

  func delete(_ name: ObjectName) throws {
    try asked { () throws(PlaceFailure) in try place.delete(name) }
  }

  private func states(of names: [ObjectName]) throws -> [ObjectName: ObjectState] {
    try asked { () throws(PlaceFailure) in try place.states(of: names) }
  }

  private var milliseconds: Milliseconds { Int64(now().timeIntervalSince1970 * 1000) }

  // MARK: - Opening

  /// An object that was decrypted.
  private struct Opened {
    var payload: [UInt8]
    var reader: PayloadReader
  }

  /// The reason why an object cannot be opened.
  private enum Unopened: Error {
    /// The file is still being written: its size differs from the number of bytes that were read.
    case unfinished
    /// A later program wrote the object.
    case newer
    case damaged
  }

  /// Decrypts an object. A header that names another format is believed only if the object's digest or its
  /// authentication tag confirms the header.
  ///
  /// - Parameter file: size and time of the object's file, if it has one.
  private func opened(
    _ bytes: [UInt8], _ name: ObjectName, _ file: ObjectState?
  ) -> Result<Opened, Unopened> {
    if let file, file.size != bytes.count { return .failure(.unfinished) }
    if let digest = name.digest, digest != ObjectDigest(of: bytes) { return .failure(.damaged) }
    do {
      let payload = try SealedObject.open(bytes, name: name, key: key)
      let reader = try PayloadReader(payload, of: name)
      // If one change cannot be read, the whole object is damaged.
      var copy = reader
      while try copy.next() != nil {}
      return .success(Opened(payload: payload, reader: reader))
    } catch SealedObject.Failure.anotherFormat
      where name.digest != nil || SealedObject.isSealed(bytes, key: key)
    {
      return .failure(.newer)
    } catch {
      return .failure(.damaged)
    }
  }

  // MARK: - This machine's objects

  /// Checks the objects under this machine's id: those that are not known yet are decrypted and compared with
  /// this machine's changes. Changes that the objects lack are sent again. Different changes mean that this
  /// database was copied or restored: this machine gets a new id.
  ///
  /// - Parameter own: the names; afterwards only those of objects that contain this machine's changes.
  private func checkOwn(
    _ own: inout [ObjectName], _ known: [ObjectName: KnownObject], _ run: inout Run
  ) throws -> Unsteady? {
    let states = try states(of: own.filter { $0.digest == nil || known[$0]?.state != .written })
    let newest = place.hasDigests ? nil : own.max { $0.seqs.upperBound < $1.seqs.upperBound }
    var intact: [ObjectName] = []
    var damaged = DamagedObjects(store)
    for name in own {
      let there = known[name]
      if there?.state == .written, name != newest, name.digest != nil || there?.file == states[name] {
        intact.append(name)
        continue
      }
      if let there, there.state == .damaged, !run.checksAll, isUnchanged(there, states[name]) { continue }
      let isPlausible = try asked { () throws(PlaceFailure) -> Bool in
        try mayBeObject(name, states[name])
      }
      guard let bytes = isPlausible ? try get(name) : [] else { return .missing(name) }
      switch opened(bytes, name, bytes.isEmpty ? nil : states[name]) {
      case .success(let opened):
        guard try isOwn(opened, name) else {
          try becomeNew(own, &run)
          return .changed
        }
        try store.sync.recordSent(name, states[name], at: now())
        intact.append(name)
      case .failure(.unfinished): break
      case .failure(.newer): throw SyncFailure.newerMarker(place: placeName)
      case .failure(.damaged) where place.hasDigests:
        // A copy of this machine may have written it, and the file may still be incomplete.
        try damaged.add(name, self.damaged(there, states[name]), bytes.count)
      case .failure(.damaged):
        // Its changes are stored again under its name.
        try delete(name)
      }
    }
    try damaged.save()
    own = intact
    let there = IDRanges(covering: own.map(\.seqs))
    if !(try store.sync.sent()).subtracting(there).isEmpty { try store.sync.recordLost(allBut: there) }
    return nil
  }

  /// Whether an object under this machine's id contains its changes, all of them identical to those here.
  private func isOwn(_ opened: Opened, _ name: ObjectName) throws(StoreFailure) -> Bool {
    guard let acts = try store.sync.own(name.seqs) else { return false }
    if Payload.encode(opened.reader.head, acts: acts) == opened.payload { return true }
    guard let (_, read) = try? Payload.decode(opened.payload, of: name) else { return false }
    return try store.sync.areOwn(read.map { ActCodec.encode($0.act) }, name.seqs)
  }

  /// Whether an object of this machine is unchanged since it was written, or `nil` if it is missing.
  func isIntact(_ name: ObjectName) throws -> Bool? {
    guard let bytes = try get(name) else { return nil }
    if let digest = name.digest { return digest == ObjectDigest(of: bytes) }
    guard case .success(let opened) = opened(bytes, name, nil) else { return false }
    return try isOwn(opened, name)
  }

  /// Gives this machine a new id. Changes in intact objects under the former id are not sent again.
  private func becomeNew(_ own: [ObjectName], _ run: inout Run) throws {
    var held: [ClosedRange<Int64>] = []
    for name in own {
      guard let bytes = try get(name), case .success(let opened) = opened(bytes, name, nil) else { continue }
      if try isOwn(opened, name) { held.append(name.seqs) }
    }
    try store.sync.becomeNew(.random(), held: IDRanges(covering: held), at: now())
    report(
      in: &run,
      "this database was copied or restored; it continues as a new machine, and nothing is lost")
  }

  /// Reads the objects of this machine that were not compared for a day. Damaged ones are deleted, and the next round
  /// sends their changes again.
  private func compareBytes(_ run: inout Run) throws -> Unsteady? {
    let time = milliseconds
    let written = try store.sync.objects(own: true).filter { $0.value.state == .written }
    let due = written.filter {
      run.checksAll || (time &- $0.value.checked).magnitude >= Self.day
    }
    let states = try states(of: Array(due.keys))
    var isDamaged = false
    for name in due.keys.sorted() {
      switch try isIntact(name) {
      case true?: try store.sync.recordSent(name, states[name], at: now())
      case false?:
        // Only this machine has written under this name.
        try delete(name)
        try store.sync.forget([name])
        isDamaged = true
      case nil: isDamaged = true
      }
    }
    return isDamaged ? .changed : nil
  }

  /// The number of milliseconds in a day.
  private static let day: UInt64 = 86_400_000

  // MARK: - Sending

  /// Sends the changes that the location does not have.
  private func send(_ run: inout Run) throws -> Unsteady? {
    while let unsent = try store.sync.unsent(limit: Limits.sentObjectBytes) {
      guard try put(unsent.name, acts: unsent.acts, &run) else { return .taken(unsent.name) }
      run.outcome.sent += unsent.acts.count
    }
    return nil
  }

  /// Encrypts changes, and stores them as an object in the location.
  ///
  /// - Returns: `false` if another object has the name.
  func put(_ name: ObjectName, acts: [[UInt8]], _ run: inout Run) throws -> Bool {
    if place.hasDigests, run.markerFormat != SealedObject.markerFormat {
      run.markerFormat = SealedObject.markerFormat
      let marker = try Marker.make(
        run.placeID, key, program: program, format: run.markerFormat, at: now())
      try asked { () throws(PlaceFailure) in try place.replaceMarker(marker) }
    }
    let head = Payload.Head(written: milliseconds, machine: machine, program: program)
    let bytes = try SealedObject.seal(Payload.encode(head, acts: acts), name: name, key: key)
    let name = place.name(name, of: bytes)
    guard try asked({ () throws(PlaceFailure) in try place.put(name, bytes) }) == .done else { return false }
    try store.sync.recordSent(name, at: now())
    return true
  }

  // MARK: - Receiving

  /// Applies the objects of other machines that were not read yet. Objects are identified by their names, not by the
  /// numbers of their changes: two copies of a machine give different changes the same numbers.
  private func receive(
    _ others: [ObjectName], _ known: [ObjectName: KnownObject], _ run: inout Run
  ) throws -> Unsteady? {
    // In a folder that another program copies, a name without a digest may belong to other bytes.
    let unsure =
      others.filter { name in
        switch known[name]?.state {
        case .read?: place.hasDigests && name.digest == nil
        case .damaged?: run.checksAll
        default: true
        }
      } + (run.checksAll ? [] : repairable(others, known))
    let states = try states(of: unsure)
    var unsteady: Unsteady?
    var damaged = DamagedObjects(store)
    do {
      for name in unsure {
        let (there, file) = (known[name], states[name])
        if let there, there.state == .read, there.file == file { continue }
        if let there, there.state == .damaged, !run.checksAll, isUnchanged(there, file) { continue }
        let bytes: [UInt8]?
        do throws(PlaceFailure) {
          bytes = try mayBeObject(name, file) ? try place.get(name) : []
        } catch .notAllowed(_, let reason) {
          // One file with wrong permissions must not delay the changes of the other machines.
          if there != nil { continue }
          let what = "an object of \(writer(of: name, run)) cannot be read and was left out"
          report(in: &run, "\(what) (\(reason)): \(name.path)")
          try damaged.add(name, KnownObject(.damaged, checked: 0), 0)
          continue
        } catch {
          throw try failure(error)
        }
        guard let bytes else {
          unsteady = .missing(name)
          continue
        }
        let reader: PayloadReader
        switch opened(bytes, name, bytes.isEmpty ? nil : file) {
        case .success(let opened): reader = opened.reader
        case .failure(.unfinished): continue
        case .failure(let failure):
          if there == nil { report(failure, name, &run) }
          try damaged.add(name, self.damaged(there, file), bytes.count)
          continue
        }
        try damaged.save()
        run.names[name.device] = reader.head.machine
        let count = try store.sync.apply(reader, of: name, file, at: now())
        if count > 0 { run.outcome.received[reader.head.machine, default: 0] += count }
      }
    } catch {
      try damaged.save()
      throw error
    }
    try damaged.save()
    return unsteady
  }

  /// Returns some of the damaged objects, which may have been repaired since. Their number is limited, so that a
  /// location with thousands of damaged objects costs no more than one with a few.
  private func repairable(_ others: [ObjectName], _ known: [ObjectName: KnownObject]) -> [ObjectName] {
    let damaged = others.filter { known[$0]?.state == .damaged }
    guard damaged.count > Self.mostRepaired else { return damaged }
    // Each time, other objects are chosen.
    let start = Int(milliseconds.magnitude % UInt64(damaged.count))
    return Array((damaged[start...] + damaged[..<start]).prefix(Self.mostRepaired))
  }

  private static let mostRepaired = 256

  /// Whether the size and the header of a file allow it to be an object, so that other files are not read completely.
  /// `true` if the size or the header is unknown.
  private func mayBeObject(_ name: ObjectName, _ file: ObjectState?) throws(PlaceFailure) -> Bool {
    guard let file else { return true }
    guard (SealedObject.leastBytes...Limits.placeObjectBytes).contains(Int(clamping: file.size)) else {
      return false
    }
    guard let beginning = try place.beginning(of: name) else { return true }
    return SealedObject.mayBegin(with: beginning, name: name)
  }

  /// Whether a damaged object need not be read again: the size and the time of its file are unchanged.
  ///
  /// If the location reports no size and time, the object is read in each sync for ten minutes, since its
  /// machine may repair it. Afterwards, the object is read at increasing intervals of at most a day.
  private func isUnchanged(_ known: KnownObject, _ file: ObjectState?) -> Bool {
    if let file { return known.file == file }
    guard let since = known.since else { return false }
    let (waited, passed) = (known.checked &- since, milliseconds &- known.checked)
    return waited >= Self.minutesOfRepair && passed >= 0 && passed < min(waited, Milliseconds(Self.day))
  }

  /// The time in which a damaged object is read in each round, in milliseconds.
  private static let minutesOfRepair: Milliseconds = 600_000

  /// Returns the state to be stored for an object that was found to be damaged.
  private func damaged(_ known: KnownObject?, _ file: ObjectState?) -> KnownObject {
    let time = milliseconds
    return KnownObject(.damaged, file, since: file == nil ? known?.since ?? time : nil, checked: time)
  }

  private func report(_ failure: Unopened, _ name: ObjectName, _ run: inout Run) {
    let machine = writer(of: name, run)
    let text =
      if case .newer = failure {
        "\(machine) writes a newer format; install a newer reddot here. Changes of this machine are still sent"
      } else {
        "1 object of \(machine) is damaged and was left out: \(name.path)"
      }
    report(in: &run, text)
  }

  private func writer(of name: ObjectName, _ run: Run) -> String {
    run.names[name.device] ?? "another machine"
  }

  private func report(in run: inout Run, _ note: String) {
    if run.outcome.notes.contains(note) { return }
    if run.outcome.notes.count < Self.mostNotes { run.outcome.notes.append(note) } else { run.untold += 1 }
  }

  private static let mostNotes = 100
}
