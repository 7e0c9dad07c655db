import Sync
import TestBasics

/// The properties that must be true, whatever happens.
package enum Claim: String, CaseIterable, Sendable {
  /// Any history, in any order, repeated, packed or cloned, leads to the same cells, and to the same lists if the same
  /// was polled.
  case converges
  /// Each machine has its own copy of the sync location, which another program copies, and machines are copied with it:
  /// nothing is lost.
  case carried
  /// A machine that knows all others' acts has the last word, whatever the clocks say.
  case sticks
  case undoIsExact
  /// Any number of undos restores each state, sent or not, on a machine whose marks no other machine changes.
  case undoInSteps
  /// A mark belongs to the occasion that was seen: it neither hides the next one nor is undone by a late poll.
  case occasions
  /// An article that is published again after it was read is unread on all machines.
  case publications
  /// The end of a snooze makes the message unread everywhere, and this remains so when another snooze is undone.
  case snoozes
  /// A service that doesn't know another machine's act yet reverts nothing; later its report counts.
  case services

  /// Returns the number of steps in a history of that seed that can be left out one by one.
  package func steps(_ seed: UInt64) -> Int {
    var history = History(seed: seed)
    return switch self {
    case .converges: 10 + history.below(51)
    case .carried: 6 + history.below(35)
    case .sticks: 30
    case .undoIsExact: history.below(8)
    case .undoInSteps: 2 + history.below(11)
    case .publications: 2 + history.below(7)
    case .occasions, .snoozes, .services: 0
    }
  }

  /// - Parameters:
  ///   - steps: the seed of each step; without some of them, the others stay unchanged.
  ///   - trace: receives the history at its end, with its events.
  package func check(
    _ seed: UInt64, steps: [UInt64], mutant: Mutant?, trace: ((History) -> Void)? = nil
  ) throws(Broken) {
    var history = History(seed: seed, mutant: mutant, isTraced: trace != nil, isCarried: self == .carried)
    defer { trace?(history) }
    switch self {
    case .converges: try Self.converges(&history, steps)
    case .carried: try Self.carried(&history, steps)
    case .sticks: try Self.sticks(&history, steps)
    case .undoIsExact: try Self.undoIsExact(&history, steps)
    case .undoInSteps: try Self.undoInSteps(&history, steps)
    case .occasions: try Self.occasions(&history)
    case .publications: try Self.publications(&history, steps)
    case .snoozes: try Self.snoozes(&history)
    case .services: try Self.services(&history)
    }
  }

  private static func converges(_ history: inout History, _ steps: [UInt64]) throws(Broken) {
    history.addMachines(2 + history.below(3), skews: [0, 0, day, -day, 50 * year])
    // The messages that the service lists, and the present occasions of the last ones.
    let (article, alert) = (8, 9)
    var listed: [MessageID: CurrentOccasion] = [:]
    for message in 0..<4 { listed[message] = CurrentOccasion(0) }
    (listed[article], listed[alert]) = (CurrentOccasion(0), CurrentOccasion(1))
    for seed in steps {
      history.random = .init(seed: seed)
      history.time += history.pick([0, 0, 1, 60_000, hour, 5 * hour])
      let index = history.below(history.machines.count)
      switch history.below(100) {
      case ..<12: listed[alert]?.occasion += 1
      case ..<15:
        let published = history.time - Int64(history.below(3)) * hour
        listed[article] = CurrentOccasion(UInt64(published), published: published)
      case ..<35:
        history.note("\(index) polls")
        history.machines[index].deliver(history.time)
        for (message, occasion) in listed.sorted(by: { $0.key < $1.key }) where history.chance(0.8) {
          history.machines[index].messages[message, default: Message()].occasion = occasion
        }
      case ..<75: history.randomAct(index)
      case ..<84: history.flush(index)
      case ..<88: history.pack(index)
      case ..<90 where history.machines.count < 5:
        history.copy(index)
        history.machines[history.machines.count - 1].skew = history.pick([0, day])
      default: history.pull(index, share: 0.5)
      }
    }
    try end(&history, listed)
  }

  private static func end(
    _ history: inout History, _ listed: [MessageID: CurrentOccasion]
  ) throws(Broken) {
    let all = history.machines.indices
    for index in all {
      for (message, occasion) in listed {
        history.machines[index].messages[message, default: Message()].occasion = occasion
      }
    }
    for _ in 0..<3 { for index in all { history.flush(index) } }
    // A copy that has done nothing since is the same machine.
    for a in history.machines {
      for b in history.machines where a.device == b.device { try hold(a.log == b.log, "one id, two logs") }
    }
    for index in all where history.chance(0.5) { history.pack(index) }
    for index in all {
      history.pull(index)
      history.pull(index)
    }
    for machine in history.machines {
      try hold(machine.cells == history.machines[0].cells, "cells differ")
      try hold(machine.isFilled == history.machines[0].isFilled, "a first delivery is not known")
    }
    for later in [0, 100 * year] {
      for message in listed.keys {
        let views = Set(all.map { history.view($0, message, history.time + later) })
        try hold(views.count == 1, "lists differ")
      }
    }
    history.machines.append(Machine(device: history.newDevice(), skew: 0, mutant: history.mutant))
    history.pull(history.machines.count - 1)
    let fresh = history.machines[history.machines.count - 1]
    try hold(fresh.cells == history.machines[0].cells, "a new machine sees something else")
    try hold(fresh.isFilled == history.machines[0].isFilled, "a new machine knows no first delivery")
  }

  private static func carried(_ history: inout History, _ steps: [UInt64]) throws(Broken) {
    history.addMachines(2, skews: [0, day, -day])
    for index in 0..<2 {
      for message in 0..<4 { history.machines[index].messages[message] = Message() }
    }
    var done: [Cell: Stamp] = [:]
    for seed in steps {
      history.random = .init(seed: seed)
      history.time += history.pick([1, 1, 1000, 60_000])
      let index = history.below(history.machines.count)
      switch history.below(100) {
      case ..<50:
        let count = history.machines[index].log.count
        history.randomAct(index)
        for act in history.machines[index].log[count...] {
          for write in act.writes { done[write.cell] = max(done[write.cell] ?? act.stamp, act.stamp) }
        }
      case ..<68: history.flush(index)
      case ..<80: history.carry(from: history.below(history.machines.count), to: index)
      case ..<86: history.pull(index)
      case ..<90: history.pack(index)
      default: if history.machines.count < 5 { history.copy(index) }
      }
    }
    let all = history.machines.indices
    for _ in 0..<4 {
      for index in all { history.flush(index) }
      for index in all { for other in all { history.carry(from: other, to: index) } }
    }
    for index in all { history.pull(index) }
    for machine in history.machines {
      try hold(machine.cells == history.machines[0].cells, "cells differ")
      for (cell, stamp) in done {
        try hold((machine.cells[cell]?.by.stamp).map { $0 >= stamp } ?? false, "an act was lost")
      }
    }
  }

  private static func sticks(_ history: inout History, _ steps: [UInt64]) throws(Broken) {
    history.addMachines(2, skews: [0, day, -day, hour, 50 * year, -50 * year])
    for index in 0..<2 {
      for message in 0..<3 {
        history.machines[index].messages[message] = Message(arrivedRead: history.chance(0.5))
      }
    }
    for seed in steps {
      history.random = .init(seed: seed)
      history.time += history.pick([1, 60_000, 600_000])
      let index = history.below(2)
      let message = history.below(3)
      let field = history.pick([Act.Field.read, .starred, .dismissed])
      let value = Int64(history.below(2))
      history.pull(index)
      history.act(index, message, field, value)
      history.flush(index)
      for other in 0..<2 {
        history.pull(other)
        let marks = history.view(other, message, beginning - 200 * year)
        try hold(marks[field] == value, "an act was lost")
      }
    }
  }

  private static func undoIsExact(_ history: inout History, _ steps: [UInt64]) throws(Broken) {
    history.addMachines(2, skews: [0, day, -day])
    for index in 0..<2 {
      for message in 0..<4 {
        history.machines[index].messages[message] = Message(arrivedRead: history.chance(0.5))
      }
    }
    let last = history.random
    for seed in steps {
      history.random = .init(seed: seed)
      history.randomAct(history.below(2))
      history.time += history.pick([1, hour, 20 * hour])
    }
    history.random = last
    for index in 0..<2 { history.flush(index) }
    for index in 0..<2 { history.pull(index) }
    history.time += hour
    let now = history.time + history.machines[0].skew
    let before = (0..<4).map { history.view(0, $0, now) }
    let count = history.machines[0].steps.count
    while history.machines[0].steps.count == count { history.randomAct(0) }
    guard history.machines[0].steps.count > count, let step = history.machines[0].steps.last else { return }
    let touched = Set(step.acts.flatMap { $0.olds.map(\.cell.message) }).sorted()
    history.send(from: 0, to: 1)
    var others: MessageID?
    if history.chance(0.5) {
      // The other machine changes one of them in the meantime.
      let message = history.pick(touched)
      others = message
      history.act(1, message, .read, 0, after: 1)
      history.act(1, message, .starred, 1, after: 1)
      history.send(from: 1, to: 0)
    }
    history.undo(0, after: 2)
    for message in 0..<4 {
      let after = history.view(0, message, now + 2)
      if message == others {
        try hold(after.starred && !after.read, "undo overwrote another's act")
      } else {
        try hold(after == before[message], "undo is not exact")
      }
    }
  }

  private static func undoInSteps(_ history: inout History, _ steps: [UInt64]) throws(Broken) {
    history.addMachines(1, skews: [0, day, -day])
    for message in 0..<4 { history.machines[0].messages[message] = Message(arrivedRead: history.chance(0.5)) }
    func state() -> [Marks] {
      (0..<4).map { history.view(0, $0, history.time + history.machines[0].skew) }
    }
    var states: [[Marks]] = []
    for seed in steps {
      history.random = .init(seed: seed)
      history.time += history.pick([0, 1, 60_000])
      let (before, count) = (state(), history.machines[0].steps.count)
      history.randomAct(0)
      if history.machines[0].steps.count > count { states.append(before) }
      if history.machines[0].steps.count < count {
        try hold(state() == states.popLast(), "undo in between is not exact")
      }
      if history.chance(0.3) { history.flush(0) }
    }
    while let before = states.popLast() {
      history.undo(0, after: 1)
      history.time += 1
      try hold(state() == before, "undo in steps is not exact")
    }
  }

  private static func occasions(_ history: inout History) throws(Broken) {
    history.addMachines(2, skews: [0, day, -day])
    let message = 9
    for index in 0..<2 {
      history.machines[index].messages[message] = Message(CurrentOccasion(1))
    }
    if history.chance(0.5) {
      // 1 polled the new occasion before 0's act on the old one arrives.
      history.act(0, message, .read, 1)
      history.flush(0)
      history.machines[1].messages[message]?.occasion.occasion = 2
      history.pull(1)
      try hold(!history.view(1, message, beginning).read, "news was marked read")
    } else {
      // 0 has read the new one before 1 polls it.
      history.machines[0].messages[message]?.occasion.occasion = 2
      history.act(0, message, .read, 1)
      history.flush(0)
      history.act(1, message, .read, 0, after: hour)
      history.send(from: 1, to: 0)
      history.pull(1)
      history.machines[1].messages[message]?.occasion.occasion = 2
      for index in 0..<2 {
        try hold(history.view(index, message, beginning).read, "a read message came back")
      }
    }
  }

  private static func publications(_ history: inout History, _ steps: [UInt64]) throws(Broken) {
    history.addMachines(3, skews: [0, day, -day])
    let article = 8
    for index in 0..<3 where history.chance(0.8) { history.machines[index].messages[article] = Message() }
    // Published so much later that no clock here is wrong about it.
    let published = beginning + 30 * day
    let again = CurrentOccasion(7, published: published)
    for seed in steps {
      history.random = .init(seed: seed)
      history.time += history.pick([1, 60_000, hour])
      let index = history.below(3)
      let isHere = history.machines[index].messages[article] != nil
      let isAgain = history.machines[index].messages[article]?.occasion == again
      switch history.below(6) {
      case 0, 1: if isHere, !isAgain { history.act(index, article, .read, 1) }
      case 2: if isHere, !isAgain { history.act(index, article, .dismissed, 1) }
      case 3: history.machines[index].messages[article] = isHere && !isAgain ? nil : Message(again)
      case 4: history.flush(index)
      default: history.pull(index)
      }
    }
    history.time = published
    let order = Array(0..<3).shuffled(using: &history.random)
    for index in order {
      history.flush(index)
      if history.chance(0.5) { history.pull(index) }
      history.machines[index].messages[article] = Message(again)
    }
    for index in order { history.pull(index) }
    for index in 0..<3 {
      let marks = history.view(index, article, published + 2 * day)
      try hold(!marks.read && !marks.dismissed, "what was published again is read")
    }
    // The article is read by a machine that has polled it before the others, or by one that hasn't.
    let reader = order[0]
    if history.chance(0.5) { history.machines[reader].messages[article] = Message() }
    history.act(reader, article, .read, 1, after: 2 * day)
    history.flush(reader)
    for index in 0..<3 {
      history.pull(index)
      history.machines[index].messages[article] = Message(again)
      try hold(history.view(index, article, published + 4 * day).read, "what was read came back")
    }
  }

  private static func snoozes(_ history: inout History) throws(Broken) {
    history.addMachines(2, skews: [0, hour / 2])
    let message = 1
    for index in 0..<2 {
      history.machines[index].messages[message] = Message()
    }
    history.act(0, message, .read, 1)
    history.act(0, message, .snoozed, history.time + hour)
    history.send(from: 0, to: 1)
    try hold(history.view(0, message, history.time).snoozed != nil, "a snooze did not begin")
    try hold(!history.view(1, message, history.time + hour).read, "a snooze did not end")
    history.time += 2 * hour
    if history.chance(0.5) {
      history.act(1, message, .snoozed, history.time + day)
      history.send(from: 1, to: 0)
      history.undo(1, after: 1)
      history.send(from: 1, to: 0)
      for index in 0..<2 {
        try hold(!history.view(index, message, history.time + 2).read, "undo of a snooze marked read")
      }
    } else {
      history.act(1, message, .read, 1)
      history.send(from: 1, to: 0)
      for index in 0..<2 {
        try hold(history.view(index, message, history.time + day).read, "a read one woke again")
      }
    }
  }

  private static func services(_ history: inout History) throws(Broken) {
    history.addMachines(2, skews: [0, day, -day])
    let message = 1
    for index in 0..<2 {
      history.machines[index].messages[message] = Message()
    }
    history.act(0, message, .read, 1)
    history.send(from: 0, to: 1)
    history.machines[1].hear(message, says: false, history.time + 1)
    let now = history.time
    try hold(history.view(1, message, now).read, "a service took an act back that was on its way")
    // The act was sent, then the message became unread at the service.
    history.machines[1].hear(message, says: true, now + 2)
    history.machines[1].hear(message, says: false, now + 3)
    try hold(!history.view(1, message, now).read, "a service is not heard")
  }
}
