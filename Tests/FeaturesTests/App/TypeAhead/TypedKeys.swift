import Basics
import Foundation
import Markup
import Messages
import Screen
import Storage
import TestBasics

@testable import Interface
@testable import Words

/// A step of both interpreters.
enum TypedStep: CustomStringConvertible {
  case input(InputEvent)
  /// The fast one continues with something that waits.
  case advance(StoreStage.Queue)
  /// All requests of both inboxes are completed, and their states are compared.
  case rest
  /// This step and the following ones come after a rest.
  case poll(source: Int, count: Int, number: Int)
  /// A message arrives between keys. The fast inbox handles it when its queue continues.
  case news(number: Int)
  case later(TimeInterval)
  case banner(rows: Int?)
  /// The next start.
  case restart

  var description: String {
    switch self {
    case .input(.key(let press)): press.name
    case .input(let event): "\(event)"
    case .advance(let queue): "<\(queue.rawValue)>"
    case .rest: "<rest>"
    case .poll(let source, let count, let number): "<poll \(source) \(count) \(number)>"
    case .news(let number): "<news \(number)>"
    case .later(let seconds): "<later \(seconds)>"
    case .banner(let rows): "<banner \(rows ?? 0)>"
    case .restart: "<restart>"
    }
  }
}

/// One sequence of keys, handled by two inboxes. In the fast one, responses arrive late or are replaced by later ones. The slow
/// one handles each key only when everything before it is done and drawn.
struct TypedKeys {
  let fast: StoreStage
  let slow: StoreStage
  private let samples: [SampleStore]
  private let count: Int
  private(set) var keyCount = 0

  init(size: Size, count: Int = 450, options: InterfaceOptions = .typed) throws {
    self.count = count
    samples = try (0..<2).map { _ in try SampleStore(count, hasGroups: true) }
    fast = try StoreStage(samples[0], size: size, options: options)
    slow = try StoreStage(samples[1], size: size, options: options)
  }

  /// - Returns: the differences between the two inboxes after the step.
  mutating func take(_ step: TypedStep) throws -> [String] {
    do {
      return try done(step)
    } catch let endless as StoreStage.Endless {
      return ["without end:"] + endless.actions
    }
  }

  private mutating func done(_ step: TypedStep) throws -> [String] {
    switch step {
    case .input(let event):
      // A refusal drops the keys that were typed before it was visible, so nothing is typed until then.
      if slow.state.dialog.isRefused { try fast.finish() }
      // An act on a whole list is about the drawn list. Messages that arrived while the list was covered are not
      // included.
      if fast.state.shown.list.newestDrawn != slow.state.shown.list.newestDrawn { try fast.finish() }
      guard mayTake(event) else { return [] }
      keyCount += 1
      try fast.happened(.input(event))
      try slow.happened(.input(event))
      try slow.finish()
    case .advance(let queue): _ = try fast.advance(queue)
    case .rest:
      for stage in [fast, slow] { try stage.finishAll() }
      return try differences()
    case .news(let number):
      for (stage, sample) in zip([fast, slow], samples) {
        try stage.changeStore { _ in
          try sample.record(Self.news(2, number), from: sample.ids[0], at: stage.now)
        }
      }
      try slow.finish()
    case .poll(let source, let count, let number):
      for (stage, sample) in zip([fast, slow], samples) {
        try stage.finishAll()
        try stage.changeStore { _ in
          try sample.record(Self.news(count, number), from: sample.ids[source], at: stage.now)
        }
        for attempt in try stage.store.polls.attempts(of: sample.ids[source], limit: 1) {
          try stage.happened(.polling(.attempted(attempt)))
        }
        try stage.finish()
      }
    case .later(let seconds):
      for stage in [fast, slow] {
        try stage.finishAll()
        stage.now += seconds
        try stage.happened(.timeChanged(stage.now))
        try stage.finish()
      }
    case .banner(let rows):
      let page = ViewPage(
        html: "<p>News</p><p><a href='https://a.example/1'>one</a> <a href='reddot:source/team'>two</a></p>"
          + String(repeating: "<p>More</p>", count: 30), base: nil)
      for stage in [fast, slow] {
        try stage.finishAll()
        try stage.happened(.banner(.raised(BannerPlacement(source: "b", rows: rows, origin: .top))))
        try stage.happened(.banner(.loaded(page)))
        try stage.happened(.banner(.ready))
        try stage.finishAll()
      }
    case .restart:
      guard fast.state.isOver else { return [] }
      for stage in [fast, slow] { try stage.restart() }
    }
    return []
  }

  /// Whether an event may be handled now. By design, some events are handled before waiting keys: Escape gives up waiting
  /// requests, a click applies to the current screen, and another size is drawn immediately.
  private func mayTake(_ event: InputEvent) -> Bool {
    let isReading = !fast.state.waiting.isEmpty || fast.state.isReadingPlace || fast.state.dialog.isAsking
    switch event {
    case .key(let press): return press.key != .escape || !isReading
    case .mouse: return fast.isIdle
    case .resize, .focus: return !isReading
    case .paste: return true
    }
  }

  private static func news(_ count: Int, _ number: Int) -> [IncomingMessage] {
    (0..<count).map { index in
      var message = IncomingMessage(
        remoteID: RemoteID("new \(number) \(index)"), kind: .feed, title: "News \(number) \(index)",
        body: "https://n.example/\(number)")
      message.published = SampleStore.start + Double(number) * 60 + Double(index)
      return message
    }
  }

  /// Returns the differences between the messages up to this one, and between the selections.
  func differences(through newest: MessageID) throws -> [String] {
    var texts = try StoreContents(fast.store).through(newest).differences(
      from: StoreContents(slow.store).through(newest))
    let (row, other) = (fast.state.shown.list.selectedRow, slow.state.shown.list.selectedRow)
    if row?.id != other?.id { texts.append("selected \(row?.title ?? "") instead of \(other?.title ?? "")") }
    return texts
  }

  private func differences() throws -> [String] {
    var texts = try StoreContents(fast.store).differences(from: StoreContents(slow.store))
    if fast.sent != slow.sent {
      texts.append("sent \(fast.sent.suffix(3)) instead of \(slow.sent.suffix(3))")
    }
    if fast.settings != slow.settings {
      texts.append("settings \(fast.settings) instead of \(slow.settings)")
    }
    if fast.quits != slow.quits { texts.append("quits \(fast.quits), \(slow.quits)") }
    if fast.state.isOver { return texts }
    let (frame, other) = (fast.frameWithoutSentence, slow.frameWithoutSentence)
    if frame != other {
      let rows = frame.changedRows(from: other)
      let (lines, others) = (frame.lines(), other.lines())
      for row in rows.prefix(6) where lines.indices.contains(row) && others.indices.contains(row) {
        texts.append("row \(row): |\(lines[row])|\n      not: |\(others[row])|")
      }
      if rows.isEmpty {
        texts.append(
          "frame: cursor \(frame.cursor as Any) \(other.cursor as Any), parked \(frame.parkedCursor as Any) \(other.parkedCursor as Any)"
        )
      }
    }
    return texts
  }

  /// Undoes everything, and compares the two journals. At the end, the settings and marks must be those of the beginning.
  func journalDifferences() throws -> [String] {
    while true {
      let (act, other) = (try fast.undo(at: fast.now), try slow.undo(at: slow.now))
      if act != other { return ["journal: \(act as Any) instead of \(other as Any)"] }
      if act == nil { break }
    }
    let beginning = try StoreStage(
      SampleStore(count, hasGroups: true), size: Size(columns: 80, rows: 24), options: .typed)
    while try beginning.undo(at: beginning.now) != nil {}
    let newest = beginning.state.shown.list.newest
    let expected = try StoreContents(beginning.store).through(newest)
    return try [fast, slow].flatMap { stage in
      var contents = expected
      contents.lists = try StoreContents(stage.store).through(newest).lists
      var texts = contents.differences(from: expected)
      if stage.settings != beginning.settings { texts.append("settings \(stage.settings) after all undos") }
      return texts
    }
  }

  /// - Returns: the differences between the two inboxes, and the number of steps before them.
  static func differences(_ steps: [TypedStep], size: Size, options: InterfaceOptions) throws
    -> (texts: [String], count: Int)?
  {
    var keys = try TypedKeys(size: size, options: options)
    for (index, step) in steps.enumerated() {
      let texts = try keys.take(step)
      if !texts.isEmpty { return (texts, index + 1) }
    }
    let texts = try keys.take(.rest)
    if !texts.isEmpty { return (texts, steps.count) }
    let others = try keys.journalDifferences()
    return others.isEmpty ? nil : (others, steps.count)
  }

  /// Removes steps that are not needed for a difference, until the time is up.
  static func shortened(_ steps: [TypedStep], size: Size, options: InterfaceOptions, seconds: Double) throws
    -> (steps: [TypedStep], texts: [String])
  {
    let end = ContinuousClock.now + .seconds(seconds)
    var (steps, texts) = (steps, [String]())
    if let found = try differences(steps, size: size, options: options) {
      (steps, texts) = (Array(steps.prefix(found.count)), found.texts)
    }
    var length = max(1, steps.count / 2)
    while ContinuousClock.now < end {
      var start = max(0, steps.count - length)
      var isShorter = false
      while ContinuousClock.now < end {
        var fewer = steps
        fewer.removeSubrange(start..<min(start + length, steps.count))
        if let found = try differences(fewer, size: size, options: options) {
          (steps, texts, isShorter) = (Array(fewer.prefix(found.count)), found.texts, true)
          start = min(start, steps.count)
        }
        if start == 0 { break }
        start = max(0, start - length)
      }
      if length == 1, !isShorter { break }
      if !isShorter || length > 1 { length = max(1, length / 2) }
    }
    return (steps, texts)
  }
}

extension InterfaceOptions {
  static var typed: InterfaceOptions { InterfaceOptions(words: .inLanguage(nil), zone: .gmt) }

  /// The options with commands of two keys whose first one is also a command, or none.
  static var typedInTwos: InterfaceOptions {
    let overrides = [
      "dismiss": ["d", "gx"], "toggle_star": ["s", "ss"], "toggle_unread": ["u", "cu"],
      "remove_source": ["D", "gd"], "next_source": ["J", "nn"],
    ]
    var options = typed
    options.keymap = Keymap.with(overrides: overrides).keymap
    return options
  }
}

extension Dialog {
  /// Whether the input was not accepted, or needs another Enter.
  fileprivate var isRefused: Bool {
    if case .save(_, isThere: true)? = prompt?.subject { return true }
    return failure != nil
  }
}
