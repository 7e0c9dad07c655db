import SeededRandom

@testable import Sync

/// Why a claim doesn't hold.
struct Broken: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

func hold(_ holds: Bool, _ words: String) throws(Broken) {
  if !holds { throw Broken(words) }
}

let hour: Int64 = 3_600_000
let day = 24 * hour
let year = 365 * day
/// Milliseconds since 1970 at which histories begin.
let beginning: Int64 = 1_800_000_000_000

/// Machines of a person and their place, and what happens to them, which a seed decides.
struct History {
  var random: SeededRandom
  let mutant: Mutant?
  var machines: [Machine] = []
  let place = ModelPlace()
  var time = beginning
  /// What happened, where it is to be printed.
  private(set) var trace: [String]?

  init(seed: UInt64, mutant: Mutant?, isTraced: Bool) {
    random = SeededRandom(seed: seed)
    self.mutant = mutant
    if isTraced { trace = [] }
  }

  // MARK: Chance

  mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

  mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

  mutating func chance(_ share: Double) -> Bool { Double(random.next() >> 11) / Double(1 << 53) < share }

  mutating func newDevice() -> DeviceID {
    let bytes = (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    return DeviceID(bytes: bytes) ?? .marker
  }

  mutating func addMachines(_ count: Int, skews: [Int64]) {
    for _ in 0..<count {
      machines.append(Machine(device: newDevice(), skew: pick(skews), mutant: mutant))
    }
  }

  // MARK: What happens

  mutating func note(_ words: @autoclosure () -> String) {
    guard trace != nil else { return }
    trace?.append("\((time - beginning) / 1000) s: \(words())")
  }

  mutating func flush(_ index: Int) {
    note("\(index) flushes")
    var random = random
    machines[index].flush(place) {
      let bytes = (0..<16).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      return DeviceID(bytes: bytes) ?? .marker
    }
    self.random = random
  }

  /// - Parameter share: of the objects.
  mutating func pull(_ index: Int, share: Double = 1) {
    var names: [ModelPlace.Name] = []
    for name in place.names where chance(share) { names.append(name) }
    names.shuffle(using: &random)
    note("\(index) reads \(names.count) objects")
    machines[index].pull(place, names)
  }

  /// Everything that one of two machines did arrives at the other.
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
    switch below(9) {
    case 0...2: changes = some.map { ($0, .read, 1) }
    case 3: changes = [(one, .read, 0)]
    case 4:
      let value = Int64(below(2))
      changes = some.map { ($0, .starred, value) }
    case 5: changes = [(one, .dismissed, Int64(below(2)))]
    case 6: changes = [(one, .snoozed, time + machines[index].skew + Int64(1 + below(29)) * hour)]
    case 7: changes = [(one, .shown, 1)]
    default: return undo(index)
    }
    note("\(index) writes \(changes.map { "\($0.field.rawValue) of \($0.message): \($0.value ?? 0)" })")
    machines[index].act(time, "act", changes)
  }

  /// The marks of a message as a machine shows them at a moment of its own clock.
  func view(_ index: Int, _ message: MessageID, _ now: Int64) -> Marks { machines[index].view(message, now) }
}
