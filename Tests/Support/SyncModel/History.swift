package import Sync
package import TestBasics

/// The reason why a claim is not true.
package struct Broken: Error, CustomStringConvertible {
  package var description: String

  init(_ description: String) { self.description = description }
}

func hold(_ holds: Bool, _ words: String) throws(Broken) {
  if !holds { throw Broken(words) }
}

package let hour: Int64 = 3_600_000
package let day = 24 * hour
package let year = 365 * day
/// The time at which histories begin, in milliseconds since 1970.
package let beginning: Int64 = 1_800_000_000_000

/// The machines of a user and their sync location, and their events, which a seed determines.
package struct History {
  package var random: SeededRandom
  package let mutant: Mutant?
  package var machines: [Machine] = []
  /// The sync location that all machines share, or a copy of it for each, which a program copies.
  package private(set) var places: [ModelPlace]
  private let isCarried: Bool
  package var time = beginning
  /// The events, if they are to be printed.
  package private(set) var trace: [String]?

  package init(seed: UInt64, mutant: Mutant? = nil, isTraced: Bool = false, isCarried: Bool = false) {
    random = SeededRandom(seed: seed)
    self.mutant = mutant
    self.isCarried = isCarried
    places = isCarried ? [] : [ModelPlace(mutant: mutant)]
    if isTraced { trace = [] }
  }

  // MARK: Chance

  package mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

  package mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

  package mutating func chance(_ share: Double) -> Bool {
    Double(random.next() >> 11) / Double(1 << 53) < share
  }

  package mutating func newDevice() -> DeviceID {
    let bytes = (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    return DeviceID(bytes: bytes) ?? .marker
  }

  package mutating func addMachines(_ count: Int, skews: [Int64]) {
    for _ in 0..<count {
      machines.append(Machine(device: newDevice(), skew: pick(skews), mutant: mutant))
      if isCarried { places.append(ModelPlace(mutant: mutant)) }
    }
  }

  /// Returns the index of a machine's sync location.
  func place(of index: Int) -> Int { isCarried ? index : 0 }

  /// Copies a machine with its copy of the sync location.
  mutating func copy(_ index: Int) {
    note("\(index) is copied")
    machines.append(machines[index])
    if isCarried { places.append(places[index]) }
  }

  package mutating func pack(_ index: Int) {
    note("\(index) packs")
    let place = place(of: index)
    machines[index].pack(&places[place])
  }

  mutating func carry(from: Int, to: Int) {
    note("the place of \(from) is carried to \(to)")
    places[to].carry(places[from])
  }

  // MARK: What happens

  package mutating func note(_ words: @autoclosure () -> String) {
    guard trace != nil else { return }
    trace?.append("\((time - beginning) / 1000) s: \(words())")
  }

  package mutating func flush(_ index: Int) {
    note("\(index) flushes")
    var random = random
    let place = place(of: index)
    machines[index].flush(&places[place]) {
      let bytes = (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      return DeviceID(bytes: bytes) ?? .marker
    }
    self.random = random
  }

  /// - Parameter share: the share of the objects.
  package mutating func pull(_ index: Int, share: Double = 1) {
    let place = places[place(of: index)]
    var names: [ModelPlace.Name] = []
    for name in place.names where chance(share) { names.append(name) }
    names.shuffle(using: &random)
    note("\(index) reads \(names.count) objects")
    machines[index].pull(place, names)
  }

  /// Sends all acts of one machine to another.
  mutating func send(from: Int, to: Int) {
    flush(from)
    pull(to)
  }

  mutating func act(_ index: Int, _ message: MessageID, _ field: Act.Field, _ value: Int64?, after: Int64 = 0)
  {
    note("\(index) writes \(field.rawValue) of \(message): \(value.map(String.init) ?? "none")")
    machines[index].act(time + after, "act", [(message, field, value)])
  }

  mutating func undo(_ index: Int, after: Int64 = 0) {
    note("\(index) takes its last step back")
    machines[index].undo(time + after)
  }

  mutating func randomAct(_ index: Int) {
    let all = machines[index].messages.keys.sorted()
    guard !all.isEmpty else { return }
    let one = pick(all)
    let some = Array(all.shuffled(using: &random).prefix(pick([1, 1, 1, 3])))
    let changes: [(message: MessageID, field: Act.Field, value: Int64?)]
    switch below(10) {
    case 0...2: changes = some.map { ($0, .read, 1) }
    case 3: changes = [(one, .read, 0)]
    case 4:
      let value = Int64(below(2))
      changes = some.map { ($0, .starred, value) }
    case 5: changes = [(one, .dismissed, Int64(below(2)))]
    case 6: changes = [(one, .snoozed, time + machines[index].skew + Int64(1 + below(29)) * hour)]
    case 7: changes = [(one, .shown, 1)]
    case 8:
      note("\(index) does again what it took back")
      return machines[index].redo(time)
    default: return undo(index)
    }
    note("\(index) writes \(changes.map { "\($0.field.rawValue) of \($0.message): \($0.value ?? 0)" })")
    machines[index].act(time, "act", changes)
  }

  /// Returns the marks of a message as a machine shows them at a time of the machine's clock.
  package func view(_ index: Int, _ message: MessageID, _ now: Int64) -> Marks {
    machines[index].view(message, now)
  }
}
