package import Sync

/// A possible error of the merge rule. The claims must detect each one.
package enum Mutant: String, CaseIterable, Sendable {
  case noBump, lastArrival, noTieBreak, noOccasions, noPublications, undoAll, undoOnce, noWakeKept,
    serviceFirst
  case trimAll, noEmptyDelivery, newestOnly, noDigest, bySeq
}

package struct Message: Hashable, Sendable {
  package var occasion: CurrentOccasion
  /// This machine's default from a first delivery or a rule.
  package var arrivedRead: Bool

  package init(_ occasion: CurrentOccasion = CurrentOccasion(0), arrivedRead: Bool = false) {
    (self.occasion, self.arrivedRead) = (occasion, arrivedRead)
  }
}

/// The marks of a message in lists.
package struct Marks: Hashable, Sendable {
  package var read: Bool
  package var starred: Bool
  package var dismissed: Bool
  package var snoozed: Int64?
  package var shown: Bool

  package init(read: Bool, starred: Bool, dismissed: Bool, snoozed: Int64?, shown: Bool) {
    (self.read, self.starred, self.dismissed) = (read, starred, dismissed)
    (self.snoozed, self.shown) = (snoozed, shown)
  }

  package subscript(field: Act.Field) -> Int64? {
    switch field {
    case .read: read ? 1 : 0
    case .starred: starred ? 1 : 0
    case .dismissed: dismissed ? 1 : 0
    case .snoozed: snoozed
    default: shown ? 1 : 0
    }
  }
}

/// One database of a user: its data, and the merge rule that it applies.
package struct Machine {
  package typealias Change = (message: MessageID, field: Act.Field, value: Int64?)

  /// The write behind a mark: an own undo counts as the act whose value it restored.
  struct Behind: Hashable {
    var stamp: Stamp
    /// The device; `nil` for this machine, whatever its present id is.
    var device: DeviceID?
  }

  /// A write of an own act, and the value before it.
  struct Old {
    var cell: Cell
    var value: Int64?
    var behind: Behind?
  }

  /// An own act of a step.
  struct Acted {
    var seq: Int
    var stamp: Stamp
    var olds: [Old]
    var values: [Cell: Int64?]
  }

  /// Own acts that are undone together.
  package struct Step {
    var acts: [Acted]
  }

  /// A mark that an own undo wrote.
  private struct GivenBack: Hashable {
    var message: MessageID
    var field: Act.Field
    var stamp: Stamp
  }

  package private(set) var device: DeviceID
  /// The milliseconds by which its clock is wrong.
  package var skew: Int64
  let mutant: Mutant?
  /// The cells, including those of messages that don't exist here yet.
  package private(set) var cells: [Cell: Written] = [:]
  package var messages: [MessageID: Message] = [:]
  private(set) var log: [ModelAct] = []
  /// The number up to which own acts are in the sync location.
  private var sent = 0
  /// The objects that were applied. They are identified by name and not by number, because copies of a machine may use
  /// a number twice.
  private var read: Set<ModelPlace.Name> = []
  private(set) var steps: [Step] = []
  /// The undone steps that can be redone, each with its undo.
  private var undone: [(undo: Step, step: Step)] = []
  private var givenBack: [GivenBack: Behind?] = [:]
  /// Cells of acts that the service hasn't confirmed yet.
  private var unconfirmed: Set<Cell> = []
  /// Whether some machine had the first delivery of the source.
  private(set) var isFilled = false

  package init(device: DeviceID, skew: Int64, mutant: Mutant? = nil) {
    (self.device, self.skew, self.mutant) = (device, skew, mutant)
  }

  // MARK: Reading

  /// The fields that start again with a new occasion of a message.
  private static let ofOccasion: Set<Act.Field> = [.read, .dismissed, .snoozed, .seen]

  private func fits(_ cell: UInt64, at stamp: Stamp, _ occasion: CurrentOccasion) -> Bool {
    switch mutant {
    case .noOccasions: true
    case .noPublications: MergeRule.fits(cell, at: stamp, CurrentOccasion(occasion.occasion))
    default: MergeRule.fits(cell, at: stamp, occasion)
    }
  }

  /// Returns the winner among the cells of a message that apply to its present occasion.
  private func winner(_ message: MessageID, _ field: Act.Field) -> Written? {
    let occasion =
      Self.ofOccasion.contains(field) ? messages[message]?.occasion ?? CurrentOccasion(0) : CurrentOccasion(0)
    var best: Written?
    for (cell, written) in cells where cell.message == message && cell.field == field {
      guard fits(cell.occasion, at: written.by.stamp, occasion) else { continue }
      if MergeRule.stands(written.by, over: best?.by) { best = written }
    }
    return best
  }

  /// Returns the end of a snooze, which counts as a write.
  private func waking(_ message: MessageID, _ now: Int64) -> WrittenBy? {
    winner(message, .snoozed).flatMap { MergeRule.waking(until: $0.value, by: $0.by, now: now) }
  }

  /// Returns the marks of a message at a time of the machine's clock.
  package func view(_ message: MessageID, _ now: Int64) -> Marks {
    let isOn = { (field: Act.Field) in winner(message, field)?.value == 1 }
    let until = winner(message, .snoozed)?.value
    return Marks(
      read: isRead(message, now), starred: isOn(.starred), dismissed: isOn(.dismissed),
      snoozed: until.flatMap { $0 > now ? $0 : nil }, shown: isOn(.shown))
  }

  private func isRead(_ message: MessageID, _ now: Int64) -> Bool {
    let written = winner(message, .read)
    if let waking = waking(message, now), MergeRule.stands(waking, over: written?.by) { return false }
    return written.map { $0.value == 1 } ?? messages[message]?.arrivedRead ?? false
  }

  // MARK: Acting

  /// Returns the highest stamp behind the marks of a message.
  private func highest(_ message: MessageID, _ now: Int64) -> Stamp? {
    if mutant == .noBump { return nil }
    let written = cells.filter { $0.key.message == message }.map(\.value.by.stamp)
    return (written + [waking(message, now)?.stamp].compactMap(\.self)).max()
  }

  /// Whether a message gets a separate act, after that of the other messages of a step: one stamp of a wrong clock
  /// would raise the stamps of all.
  private func isAhead(_ message: MessageID, of now: Int64) -> Bool {
    highest(message, now).map { $0 >= Stamp(milliseconds: now) } ?? false
  }

  package mutating func act(_ time: Int64, _ kind: String, _ changes: [Change]) {
    let step = write(time, kind, changes)
    if step.acts.isEmpty { return }
    steps.append(step)
    undone = []
  }

  private mutating func write(_ time: Int64, _ kind: String, _ changes: [Change], undoes: Int = 0) -> Step {
    let now = time + skew
    var step = Step(acts: [])
    let groups = [
      changes.filter { !isAhead($0.message, of: now) }, changes.filter { isAhead($0.message, of: now) },
    ]
    for group in groups where !group.isEmpty {
      let stamp = MergeRule.stamp(now: now, above: group.compactMap { highest($0.message, now) }.max())
      var (writes, olds): ([Write], [Old]) = ([], [])
      func note(_ message: MessageID, _ field: Act.Field, _ value: Int64?) {
        let cell = cell(message, field)
        olds.append(Old(cell: cell, value: view(message, now)[field], behind: behind(message, field)))
        writes.append(Write(cell: cell, value: value))
      }
      for change in group {
        // The end of the last snooze is no longer known once it is replaced.
        if change.field == .snoozed, mutant != .noWakeKept, waking(change.message, now) != nil,
          !writes.contains(where: { $0.cell.message == change.message && $0.cell.field == .read })
        {
          note(change.message, .read, view(change.message, now)[.read])
        }
        note(change.message, change.field, change.value)
      }
      let act = ModelAct(seq: log.count + 1, stamp: stamp, kind: kind, writes: writes, undoes: undoes)
      log.append(act)
      apply(act, of: device)
      let values = Dictionary(writes.map { ($0.cell, $0.value) }, uniquingKeysWith: { $1 })
      step.acts.append(Acted(seq: act.seq, stamp: stamp, olds: olds, values: values))
    }
    return step
  }

  private func cell(_ message: MessageID, _ field: Act.Field) -> Cell {
    let occasion = Self.ofOccasion.contains(field) ? messages[message]?.occasion.occasion ?? 0 : 0
    return Cell(message: message, occasion: occasion, field: field)
  }

  /// Records that the first delivery of the source has arrived.
  package mutating func deliver(_ time: Int64) {
    if isFilled { return }
    let act = ModelAct(
      seq: log.count + 1, stamp: Stamp(milliseconds: time + skew), kind: "first delivery", writes: [],
      fills: true)
    log.append(act)
    apply(act, of: device)
  }

  // MARK: Undo

  private func behind(_ message: MessageID, _ field: Act.Field) -> Behind? {
    guard let by = winner(message, field)?.by else { return nil }
    guard by.device == device else { return Behind(stamp: by.stamp, device: by.device) }
    return meaning(of: by.stamp, message, field)
  }

  /// Returns the meaning of an own act for later ones: an undo counts as the act whose value it restored.
  private func meaning(of stamp: Stamp, _ message: MessageID, _ field: Act.Field) -> Behind? {
    let own = Behind(stamp: stamp)
    if mutant == .undoOnce { return own }
    return givenBack[GivenBack(message: message, field: field, stamp: stamp)] ?? own
  }

  /// Whether a write of an own act is still current, even if undos since have restored it.
  private func stands(_ act: Acted, _ old: Old) -> Bool {
    if mutant == .undoAll { return true }
    let (message, field) = (old.cell.message, old.cell.field)
    if winner(message, field)?.by == WrittenBy(stamp: act.stamp, device: device) { return true }
    return behind(message, field) == meaning(of: act.stamp, message, field)
  }

  /// Undoes this machine's last step, only in values that its acts still determine.
  package mutating func undo(_ time: Int64) {
    guard let step = steps.popLast() else { return }
    let undo = revert(step, "undo", time)
    if !undo.acts.isEmpty { undone.append((undo, step)) }
  }

  /// Redoes the last undone step, if nothing else was done since.
  package mutating func redo(_ time: Int64) {
    guard let (undo, step) = undone.popLast() else { return }
    _ = revert(undo, "redo", time)
    steps.append(step)
  }

  private mutating func revert(_ step: Step, _ kind: String, _ time: Int64) -> Step {
    let now = time + skew
    var changes: [Change] = []
    var back: [Cell: Behind?] = [:]
    for act in step.acts {
      for old in act.olds {
        guard let message = messages[old.cell.message], stands(act, old) else { continue }
        let snooze = old.cell.field == .snoozed ? act.values[old.cell].flatMap(\.self) : nil
        if snooze.map({ $0 <= now }) ?? false { continue }
        if Self.ofOccasion.contains(old.cell.field),
          !fits(old.cell.occasion, at: act.stamp, message.occasion)
        {
          continue
        }
        changes.append((old.cell.message, old.cell.field, old.value))
        back[cell(old.cell.message, old.cell.field)] = .some(old.behind)
      }
    }
    if changes.isEmpty { return Step(acts: []) }
    let undo = write(time, kind, changes, undoes: step.acts.first?.seq ?? 0)
    for act in undo.acts {
      for cell in act.values.keys {
        guard let behind = back[cell] else { continue }
        givenBack[GivenBack(message: cell.message, field: cell.field, stamp: act.stamp)] = behind
      }
    }
    return undo
  }

  // MARK: Merging

  private mutating func apply(_ act: ModelAct, of device: DeviceID) {
    if act.fills { isFilled = true }
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

  /// Polls: the service reports whether a message is read there. The value is written only here, with no device.
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

  mutating func flush(_ place: inout ModelPlace, newDevice: () -> DeviceID) {
    // A new machine has nothing in the sync location that could differ.
    while !checkOwn(place) { becomeNew(place, newDevice()) }
    place.put(device, Array(log[sent...]))
    sent = log.count
  }

  /// Returns `false` if own objects contain other acts than the log: this is a copy of a machine, or was restored from
  /// a backup.
  private mutating func checkOwn(_ place: ModelPlace) -> Bool {
    let own = place.names(of: device)
    let newest = own.map(\.last).max()
    for name in own {
      if mutant == .newestOnly, name.last != newest, name.last <= sent { continue }
      guard isOwn(name, place.objects[name] ?? []) else { return false }
      sent = max(sent, name.last)
    }
    return true
  }

  private func isOwn(_ name: ModelPlace.Name, _ acts: [ModelAct]) -> Bool {
    name.last <= log.count && ModelAct.areSame(Array(log[(name.first - 1)..<name.last]), acts)
  }

  /// Takes a new device id; acts that the sync location doesn't have under the old one are sent again under it.
  private mutating func becomeNew(_ place: ModelPlace, _ new: DeviceID) {
    let old = device
    let held = place.names(of: old).filter { isOwn($0, place.objects[$0] ?? []) }
    let kept = log.filter { act in !held.contains { ($0.first...$0.last).contains(act.seq) } }
    device = new
    (log, sent) = ([], 0)
    var moved: [Int: Int] = [:]
    for act in kept {
      moved[act.seq] = log.count + 1
      log.append(
        ModelAct(
          seq: log.count + 1, stamp: act.stamp, kind: act.kind, writes: act.writes, fills: act.fills))
      for write in act.writes {
        let mine = WrittenBy(stamp: act.stamp, device: old)
        if cells[write.cell] == Written(by: mine, value: write.value) { cells[write.cell]?.by.device = new }
      }
    }
    // A write that lost against the old id may win against the new one: everything is read again.
    read = []
    for act in log { apply(act, of: device) }
    func renumbered(_ step: Step) -> Step? {
      var step = step
      for act in step.acts.indices {
        guard let seq = moved[step.acts[act].seq] else { return nil }
        step.acts[act].seq = seq
      }
      return step
    }
    steps = steps.compactMap(renumbered)
    undone = undone.compactMap { undone in
      renumbered(undone.undo).flatMap { undo in renumbered(undone.step).map { (undo, $0) } }
    }
  }

  /// Packs the acts of all own objects into one.
  func pack(_ place: inout ModelPlace) {
    let own = place.names(of: device)
    guard own.count >= 2, let last = own.last?.last, last <= log.count else { return }
    let acts = own.flatMap { place.objects[$0] ?? [] }
    guard acts.map(\.seq) == Array(1...last), ModelAct.areSame(acts, Array(log[..<last])) else { return }
    for name in own { place.delete(name) }
    place.put(device, ModelAct.trimmed(acts, mutant: mutant))
  }

  /// - Parameter names: the names of the objects to read, in any order.
  package mutating func pull(_ place: ModelPlace, _ names: [ModelPlace.Name]) {
    var names = names.filter { $0.device != device && !read.contains($0) }
    if mutant == .bySeq {
      let known = Set(read.flatMap { name in (name.first...name.last).map { Numbered(name.device, $0) } })
      names.removeAll { name in
        (name.first...name.last).allSatisfy { known.contains(Numbered(name.device, $0)) }
      }
    }
    for name in names {
      for act in place.objects[name] ?? [] { apply(act, of: name.device) }
      read.insert(name)
    }
  }

  private struct Numbered: Hashable {
    var device: DeviceID
    var seq: Int

    init(_ device: DeviceID, _ seq: Int) { (self.device, self.seq) = (device, seq) }
  }
}
