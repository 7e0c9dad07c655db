@testable import Sync

/// A message of a source, on every machine the same.
typealias MessageID = Int

struct Cell: Hashable {
  var message: MessageID
  var occasion: UInt64
  var field: Act.Field
}

/// What a cell says: 0 or 1, or the moment of a snooze.
struct Written: Hashable {
  var by: WrittenBy
  var value: Int64?
}

struct Write: Hashable {
  var cell: Cell
  var value: Int64?
}

/// An act, as the model has it: of cells instead of bytes.
struct ModelAct: Hashable {
  var seq: Int
  var stamp: Stamp
  var kind: String
  var writes: [Write]
  var undoes = 0
}

/// A way in which the merge rule could be wrong. The claims must notice each.
enum Mutant: String, CaseIterable, Sendable {
  case noBump, lastArrival, noTieBreak, noOccasions, undoAll, noWakeKept, serviceFirst
}

struct Message: Hashable {
  var occasion: UInt64
  /// This machine's own default, of a first delivery or a rule.
  var arrivedRead: Bool
}

/// What lists show of a message.
struct Marks: Hashable {
  var read: Bool
  var starred: Bool
  var dismissed: Bool
  var snoozed: Int64?
  var shown: Bool

  subscript(field: Act.Field) -> Int64? {
    switch field {
    case .read: read ? 1 : 0
    case .starred: starred ? 1 : 0
    case .dismissed: dismissed ? 1 : 0
    case .snoozed: snoozed
    default: shown ? 1 : 0
    }
  }
}

/// Immutable objects with names.
final class ModelPlace {
  struct Name: Hashable, Comparable {
    var device: DeviceID
    var first: Int
    var last: Int

    static func < (left: Name, right: Name) -> Bool {
      (left.device, left.first, left.last) < (right.device, right.first, right.last)
    }
  }

  private(set) var objects: [Name: [ModelAct]] = [:]

  /// In an order that is the same at every run.
  var names: [Name] { objects.keys.sorted() }

  /// False if another object of the name is there.
  func put(_ name: Name, _ acts: [ModelAct]) -> Bool {
    if let there = objects[name] { return there == acts }
    objects[name] = acts
    return true
  }

  func delete(_ name: Name) { objects[name] = nil }
}

/// One database of a person: what it knows, and what it does with the merge rule.
struct Machine {
  /// Own acts of one step, with the values that were shown before.
  struct Step {
    var acts: [(id: WrittenBy, seq: Int, olds: [Write], values: [Cell: Int64?])]
  }

  var device: DeviceID
  /// Milliseconds by which its clock is wrong.
  var skew: Int64
  var mutant: Mutant?
  /// Those of messages that are not here wait in it too.
  private(set) var cells: [Cell: Written] = [:]
  var messages: [MessageID: Message] = [:]
  private(set) var log: [ModelAct] = []
  /// Own acts up to here are in the place.
  private var sent = 0
  private var known: [DeviceID: Set<Int>] = [:]
  private(set) var steps: [Step] = []
  /// Cells of acts that the service hasn't agreed to yet.
  private var unconfirmed: Set<Cell> = []

  init(device: DeviceID, skew: Int64, mutant: Mutant?) {
    (self.device, self.skew, self.mutant) = (device, skew, mutant)
  }

  // MARK: Reading

  private static let fields: [Act.Field] = [.read, .starred, .dismissed, .snoozed, .shown, .seen]
  /// A new occasion of a message starts these anew.
  private static let ofOccasion: Set<Act.Field> = [.read, .dismissed, .snoozed, .seen]

  /// The winner among the cells of a message that say something about what it reports now.
  private func winner(_ message: MessageID, _ field: Act.Field) -> Written? {
    let occasion = messages[message]?.occasion ?? 0
    var best: Written?
    for (cell, written) in cells where cell.message == message && cell.field == field {
      guard mutant == .noOccasions || MergeRule.fits(cell.occasion, occasion) else { continue }
      if MergeRule.stands(written.by, over: best?.by) { best = written }
    }
    return best
  }

  private func waking(_ message: MessageID, _ now: Int64) -> WrittenBy? {
    winner(message, .snoozed).flatMap { MergeRule.waking(until: $0.value, by: $0.by, now: now) }
  }

  func view(_ message: MessageID, _ now: Int64) -> Marks {
    let isOn = { (field: Act.Field) in winner(message, field)?.value == 1 }
    let until = winner(message, .snoozed)?.value
    return Marks(
      read: MergeRule.isRead(
        winner(message, .read).map { ($0.value == 1, $0.by) }, waking: waking(message, now),
        arrived: messages[message]?.arrivedRead ?? false),
      starred: isOn(.starred), dismissed: isOn(.dismissed),
      snoozed: until.flatMap { $0 > now ? $0 : nil }, shown: isOn(.shown))
  }

  // MARK: Acting

  /// The highest stamp behind the marks of a message.
  private func highest(_ message: MessageID, _ now: Int64) -> Stamp? {
    if mutant == .noBump { return nil }
    let written = cells.filter { $0.key.message == message }.map(\.value.by.stamp)
    return (written + [waking(message, now)?.stamp].compactMap(\.self)).max()
  }

  mutating func act(
    _ time: Int64, _ kind: String, _ changes: [(message: MessageID, field: Act.Field, value: Int64?)],
    undoes: Int = 0, isStep: Bool = true
  ) {
    let now = time + skew
    let normal = changes.filter { !MergeRule.isAhead(highest($0.message, now), of: now) }
    let ahead = changes.filter { MergeRule.isAhead(highest($0.message, now), of: now) }
    var step = Step(acts: [])
    for group in [normal, ahead] where !group.isEmpty {
      let stamp = MergeRule.stamp(now: now, above: group.compactMap { highest($0.message, now) }.max())
      var writes: [Write] = []
      var olds: [Write] = []
      for change in group {
        let marks = view(change.message, now)
        if change.field == .snoozed, mutant != .noWakeKept, waking(change.message, now) != nil,
          !writes.contains(where: { $0.cell.message == change.message && $0.cell.field == .read })
        {
          let cell = cell(change.message, .read)
          writes.append(Write(cell: cell, value: marks[.read]))
          olds.append(Write(cell: cell, value: marks[.read]))
        }
        let cell = cell(change.message, change.field)
        writes.append(Write(cell: cell, value: change.value))
        olds.append(Write(cell: cell, value: marks[change.field]))
      }
      let act = ModelAct(seq: log.count + 1, stamp: stamp, kind: kind, writes: writes, undoes: undoes)
      log.append(act)
      apply(act, of: device)
      step.acts.append(
        (
          WrittenBy(stamp: stamp, device: device), act.seq, olds,
          Dictionary(writes.map { ($0.cell, $0.value) }, uniquingKeysWith: { $1 })
        ))
    }
    if isStep, !step.acts.isEmpty { steps.append(step) }
  }

  private func cell(_ message: MessageID, _ field: Act.Field) -> Cell {
    let occasion = Self.ofOccasion.contains(field) ? messages[message]?.occasion ?? 0 : 0
    return Cell(message: message, occasion: occasion, field: field)
  }

  /// Takes this machine's last step back: where its acts still win, and nowhere else.
  mutating func undo(_ time: Int64) {
    guard let step = steps.popLast(), let first = step.acts.first else { return }
    let now = time + skew
    var changes: [(message: MessageID, field: Act.Field, value: Int64?)] = []
    for act in step.acts {
      for old in act.olds {
        guard let message = messages[old.cell.message] else { continue }
        let standing = mutant == .undoAll ? act.id : cells[old.cell]?.by
        let snooze = old.cell.field == .snoozed ? act.values[old.cell].flatMap(\.self) : nil
        if MergeRule.takesBack(
          act.id, standing: standing, occasion: old.cell.occasion, message: message.occasion,
          snooze: snooze, now: now)
        {
          changes.append((old.cell.message, old.cell.field, old.value))
        }
      }
    }
    if !changes.isEmpty { act(time, "undo", changes, undoes: first.seq, isStep: false) }
  }

  // MARK: Merging

  private mutating func apply(_ act: ModelAct, of device: DeviceID) {
    guard known[device, default: []].insert(act.seq).inserted || device == self.device else { return }
    for write in act.writes {
      let new = Written(by: WrittenBy(stamp: act.stamp, device: device), value: write.value)
      let old = cells[write.cell]
      switch mutant {
      case .lastArrival: cells[write.cell] = new
      case .noTieBreak: if old.map({ new.by.stamp > $0.by.stamp }) ?? true { cells[write.cell] = new }
      default:
        guard MergeRule.stands(new.by, over: old?.by) else { continue }
        cells[write.cell] = new
        unconfirmed.insert(write.cell)
      }
    }
  }

  /// A poll: the message's service says whether it is read there. It's written here only, as nobody's.
  mutating func hear(_ message: MessageID, says isRead: Bool, _ time: Int64) {
    let now = time + skew
    let cell = cell(message, .read)
    if isRead == view(message, now).read {
      unconfirmed.remove(cell)
    } else if !unconfirmed.contains(cell) || mutant == .serviceFirst {
      let stamp = MergeRule.stamp(now: now, above: highest(message, now))
      cells[cell] = Written(by: WrittenBy(stamp: stamp, device: .marker), value: isRead ? 1 : 0)
    }
  }

  // MARK: The place

  mutating func flush(_ place: ModelPlace, newDevice: () -> DeviceID) {
    // A new machine has nothing at the place that could differ.
    while !checkOwn(place) { becomeNew(place, newDevice()) }
    let acts = Array(log[sent...])
    guard let first = acts.first, let last = acts.last else { return }
    // Nobody else puts meanwhile, so what the check didn't see isn't there.
    _ = place.put(ModelPlace.Name(device: device, first: first.seq, last: last.seq), acts)
    sent = log.count
  }

  /// False if own objects hold other acts than mine: this is a copy of a machine, or was restored from a backup.
  private mutating func checkOwn(_ place: ModelPlace) -> Bool {
    for name in place.names where name.device == device {
      guard name.last <= log.count, place.objects[name] == Array(log[(name.first - 1)..<name.last]) else {
        return false
      }
      sent = max(sent, name.last)
    }
    return true
  }

  /// Takes a new device id; acts that the place doesn't hold as the old one's are sent again under it.
  private mutating func becomeNew(_ place: ModelPlace, _ new: DeviceID) {
    let old = device
    var there: [Int: ModelAct] = [:]
    for name in place.names where name.device == old {
      for act in place.objects[name] ?? [] { there[act.seq] = act }
    }
    let kept = log.filter { there[$0.seq] != $0 }
    device = new
    (log, sent, known) = ([], 0, [:])
    var moved: [Int: Int] = [:]
    for act in kept {
      moved[act.seq] = log.count + 1
      log.append(ModelAct(seq: log.count + 1, stamp: act.stamp, kind: act.kind, writes: act.writes))
      for write in act.writes {
        let mine = WrittenBy(stamp: act.stamp, device: old)
        if cells[write.cell] == Written(by: mine, value: write.value) { cells[write.cell]?.by.device = new }
      }
    }
    // What lost against the old id may win against the new one: everything is read again.
    for act in log { apply(act, of: device) }
    for step in steps.indices {
      for act in steps[step].acts.indices {
        guard steps[step].acts[act].id.device == old, let seq = moved[steps[step].acts[act].seq] else {
          continue
        }
        steps[step].acts[act].id.device = new
        steps[step].acts[act].seq = seq
      }
    }
  }

  /// Puts the acts of all own objects into one.
  func pack(_ place: ModelPlace) {
    let own = place.names.filter { $0.device == device }
    guard own.count >= 3, let last = own.last?.last, last <= log.count else { return }
    let acts = own.flatMap { place.objects[$0] ?? [] }
    guard acts == Array(log[..<last]) else { return }
    let whole = ModelPlace.Name(device: device, first: 1, last: last)
    _ = place.put(whole, acts)
    for name in own where name != whole { place.delete(name) }
  }

  /// - Parameter order: the names of objects to read, in any order.
  mutating func pull(_ place: ModelPlace, _ order: [ModelPlace.Name]) {
    for name in order where name.device != device {
      for act in place.objects[name] ?? [] { apply(act, of: name.device) }
    }
  }
}
