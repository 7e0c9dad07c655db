import Basics
import Messages
package import Queries

/// A rule that is being written in the inbox, and what it would have done.
package struct RuleForm: Hashable, Sendable {
  package enum Field: CaseIterable, Hashable, Sendable {
    case name, condition, actions, stop
  }

  private let takenNames: [String]
  /// The name of the rule that is edited, or `nil` for a new one.
  let replaces: String?
  /// Whether the settings name the program of its action `run`.
  private let hasProgram: Bool
  var name = LineEditor()
  var condition: LineEditor
  var actions = LineEditor("read")
  var stops = false
  var selected = Field.condition
  var phase = Prompt.Phase.editing
  /// While Tab completes something.
  var completion: SearchCompletion?
  /// What is tried; nil while the query has a mistake.
  private(set) var request: RuleTrialRequest?
  /// What the last query without a mistake is about.
  private var subject = ""
  /// The last answer; of an earlier query until the first answer for this one comes.
  private(set) var findings: RuleTrial?
  private var findingsNumber: Int?

  package init(_ origin: RuleOrigin) {
    (takenNames, replaces, hasProgram) = (origin.takenNames, nil, false)
    condition = LineEditor(origin.condition.text)
  }

  /// - Parameter all: the rules of the settings.
  init(_ row: RuleRow, besides all: [RuleRow]) {
    takenNames = all.map(\.name).filter { $0 != row.name }
    (replaces, hasProgram) = (row.name, row.hasProgram)
    name = LineEditor(row.name)
    condition = LineEditor(row.condition)
    actions = LineEditor(row.actions.joined(separator: ", "))
    stops = row.stops
  }

  // MARK: What it says

  var meaning: Result<Query, Query.Mistake> { Query.parse(condition.text, .strict) }

  private struct Part {
    /// In bytes of the field's text.
    var range: Range<Int>
    var text: String
    var action: Result<RuleAction, RuleAction.Mistake>
  }

  /// The texts between commas, without the spaces around them.
  private var parts: [Part] {
    var parts: [Part] = []
    var start = 0
    for piece in actions.text.split(exactly: ",", omittingEmptySubsequences: false) {
      let leading = piece.prefix(while: \.isWhitespace).utf8.count
      let text = String(piece).trimmingSpaces
      if !text.isEmpty {
        let range = start + leading..<start + leading + text.utf8.count
        parts.append(Part(range: range, text: text, action: RuleAction.parse(text)))
      }
      start += piece.utf8.count + 1
    }
    return parts
  }

  /// The first mistake, in the order of the fields.
  var mistake: RuleFormMistake? { Field.allCases.lazy.compactMap(mistake(in:)).first }

  func mistake(in field: Field) -> RuleFormMistake? {
    switch field {
    case .name: return takenNames.contains(shownName) ? .nameIsTaken : nil
    case .condition:
      if case .failure(let mistake) = meaning { return .condition(mistake) }
      return nil
    case .actions:
      let parts = parts
      if parts.isEmpty { return .noAction }
      for part in parts {
        switch part.action {
        case .failure(let mistake): return .action(mistake, part.range)
        case .success(.run) where !hasProgram: return .needsProgram(part.range)
        case .success: continue
        }
      }
      return nil
    case .stop: return nil
    }
  }

  /// What it does, as far as it is understood.
  var doing: [RuleAction] {
    parts.compactMap { if case .success(let action) = $0.action { action } else { nil } }
  }

  /// Whether it changes messages that are there already: nobody is told of those.
  var changesMessages: Bool {
    doing.contains { action in
      switch action {
      case .read, .unread, .star, .dismiss, .hide, .tag, .untag, .priority, .snooze: true
      case .notify, .urgent, .silent, .run: false
      }
    }
  }

  package var draft: RuleDraft {
    RuleDraft(
      name: shownName, condition: condition.text.trimmingSpaces, actions: parts.map(\.text), stops: stops,
      replaces: replaces)
  }

  // MARK: Its name

  private static let longestUsualName = 40

  /// What was typed, else what the query is about.
  var shownName: String {
    let typed = name.text.trimmingSpaces
    return typed.isEmpty ? usualName : typed
  }

  /// Another one than those of the other rules.
  var usualName: String {
    let words = String(subject.prefix(Self.longestUsualName)).trimmingSpaces
    let base = words.isEmpty ? "rule" : words
    if !takenNames.contains(base) { return base }
    var number = 2
    while takenNames.contains("\(base) \(number)") { number += 1 }
    return "\(base) \(number)"
  }

  // MARK: Fields

  /// - Returns: what `change` returns; false for the field that is only switched.
  mutating func edit(_ change: (inout LineEditor) -> Bool) -> Bool {
    switch selected {
    case .name: change(&name)
    case .condition: change(&condition)
    case .actions: change(&actions)
    case .stop: false
    }
  }

  mutating func select(by step: Int) {
    let fields = Field.allCases
    let place = fields.firstIndex(of: selected) ?? 0
    selected = fields[(place + step + fields.count) % fields.count]
    completion = nil
  }

  // MARK: The trial

  /// Asks for the trial of a query; nil while what is typed has a mistake.
  mutating func ask(_ new: RuleTrialRequest?) {
    request = new
    if let new { subject = new.condition.subject } else { findings = nil }
  }

  /// Whether the numbers are those of what is typed.
  var isCurrent: Bool { findingsNumber != nil && findingsNumber == request?.number }

  mutating func apply(_ trial: RuleTrial, number: Int) {
    guard number == request?.number else { return }
    (findings, findingsNumber) = (trial, number)
  }
}

/// What is wrong with what was typed; the settings file says the same.
enum RuleFormMistake: Hashable, Sendable {
  case nameIsTaken
  case condition(Query.Mistake)
  case noAction
  /// With the bytes of the action.
  case action(RuleAction.Mistake, Range<Int>)
  /// The program of `run` has to be written in the settings.
  case needsProgram(Range<Int>)

  var field: RuleForm.Field {
    switch self {
    case .nameIsTaken: .name
    case .condition: .condition
    case .noAction, .action, .needsProgram: .actions
    }
  }

  /// The bytes of the field's text that it is about.
  var range: Range<Int>? {
    switch self {
    case .condition(let mistake): mistake.range
    case .action(_, let range), .needsProgram(let range): range
    case .nameIsTaken, .noAction: nil
    }
  }
}

/// A rule as it is written into the settings.
package struct RuleDraft: Hashable, Sendable {
  package var name: String
  package var condition: String
  package var actions: [String]
  package var stops: Bool
  /// The name of the rule that it replaces, or `nil` for a new one.
  package var replaces: String?

  package init(
    name: String, condition: String, actions: [String], stops: Bool = false, replaces: String? = nil
  ) {
    (self.name, self.condition, self.actions, self.stops) = (name, condition, actions, stops)
    self.replaces = replaces
  }
}

/// A question about messages that came before.
package struct RuleTrialRequest: Hashable, Sendable {
  /// Counts up; answers have it.
  package var number: Int
  package var condition: Query
  /// Whether it waits until nothing more is typed.
  package var rests: Bool

  package init(number: Int, condition: Query, rests: Bool) {
    (self.number, self.condition, self.rests) = (number, condition, rests)
  }
}

extension Query {
  /// What it is about, in few words.
  fileprivate var subject: String {
    switch self {
    case .and(let members), .or(let members):
      members.map(\.subject).filter { !$0.isEmpty }.joined(separator: " ")
    case .not(let inner): "-\(inner.subject)"
    case .test(.name(_, let patterns)):
      patterns.map { pattern in
        switch pattern {
        case .glob(let glob): glob.pieces.map(\.text).joined(separator: "*")
        case .pattern(let pattern): "/\(pattern.pattern)/"
        }
      }.joined(separator: ", ")
    case .test(.text(let term)): term.subject
    case .test(.inText(_, let terms)), .test(.from(let terms)):
      terms.map(\.subject).joined(separator: ", ")
    case .test: text
    }
  }
}

extension Query.TextTerm {
  fileprivate var subject: String {
    switch self {
    case .words(let words, _): words.text
    case .pattern(let pattern): "/\(pattern.pattern)/"
    }
  }
}

// MARK: - Completions

extension RuleForm {
  /// What Tab puts in place of the word before the cursor, and where that begins, in bytes; nil if there is nothing.
  ///
  /// - Parameter names: the known sources, tags and so on.
  func completions(names: [Query.NameField: [String]]) -> (start: Int, texts: [String])? {
    let (editor, start, texts): (LineEditor, Int, [String])
    switch selected {
    case .name, .stop: return nil
    case .condition:
      let found = Query.completions(in: condition.text, at: condition.byteCursor, names: names)
      (editor, start, texts) = (condition, found.range.lowerBound, found.texts)
    case .actions:
      let found = actionCompletions(tags: names[.tag] ?? [])
      (editor, start, texts) = (actions, found.start, found.texts)
    }
    let typed = String(decoding: editor.text.utf8.prefix(editor.byteCursor).dropFirst(start), as: UTF8.self)
    let others = texts.filter { $0 != typed }
    return others.isEmpty ? nil : (start, others)
  }

  /// Whether its note names the actions that there are: nothing has to be said of what is typed.
  var listsActions: Bool {
    guard case .editing = phase, selected != .stop else { return false }
    return completion == nil && possibleActions == nil && mistake(in: selected) == nil && mistake == nil
  }

  /// The actions that what is being typed may become; nil where it isn't the beginning of one. Until it is finished, it
  /// isn't called a mistake.
  var possibleActions: [String]? {
    guard selected == .actions, case .action(.unknown, let range)? = mistake(in: .actions),
      range.upperBound == actions.byteCursor
    else { return nil }
    return completions(names: [:])?.texts
  }

  private func actionCompletions(tags: [String]) -> (start: Int, texts: [String]) {
    let before = String(decoding: actions.text.utf8.prefix(actions.byteCursor), as: UTF8.self)
    let piece = before[(before.lastIndex(of: ",").map(before.index(after:)) ?? before.startIndex)...]
    let typed = String(piece.drop(while: \.isWhitespace))
    let name = typed.prefix { $0 != ":" }
    let all: [String]
    switch name {
    case "tag" where name.count < typed.count, "untag" where name.count < typed.count:
      // A comma ends an action.
      all = tags.filter { !$0.contains(",") }.map { "\(name):\($0)" }
    case "priority" where name.count < typed.count:
      all = Query.PriorityLevel.names.map { "priority:\($0)" }
    case _: all = Self.offered
    }
    let fitting = all.filter { $0.lowercased().hasPrefix(typed.lowercased()) }
    return (before.utf8.count - typed.utf8.count, fitting)
  }

  /// All actions but the one whose program stands in the settings.
  static let offered = RuleAction.names.filter { $0 != RuleAction.run.text }
}
