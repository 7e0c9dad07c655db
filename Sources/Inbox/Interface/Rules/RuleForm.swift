import Basics
import Messages
package import Queries

/// A rule that is being written in the inbox, and the result of its trial on earlier messages.
package struct RuleForm: Hashable, Sendable {
  package enum Field: CaseIterable, Hashable, Sendable {
    case name, condition
    /// The actions without a value, each of which is set or not.
    case marks
    case tags, withoutTags, priority, snooze, stop
  }

  /// The names of the other rules.
  private let takenNames: [String]
  /// The name of the rule that is edited, or `nil` for a new one.
  let replaces: String?
  /// Whether the settings contain the program of its action `run`.
  private let hasProgram: Bool
  var name = LineEditor()
  var condition: LineEditor
  /// The actions that can be set or not, as in the settings: those without a value, and those of the edited rule that
  /// no other field can show. The settings may contain invalid combinations.
  private(set) var marks = Self.plainMarks
  /// The actions of `marks` that are set.
  private(set) var chosen: Set<String> = ["read"]
  /// The index in `marks` of the action at the cursor, which keys set or unset.
  private(set) var mark = 0
  var tags = LineEditor()
  var withoutTags = LineEditor()
  private(set) var priority: Priority?
  var snooze = LineEditor()
  /// The actions that the edited rule has in the settings, in their order.
  private var written: [String] = []
  var stops = false
  var selected = Field.condition
  var phase = Prompt.Phase.editing
  /// The completion, while Tab completes something.
  var completion: SearchCompletion?
  /// The request for the trial; `nil` while the query has an error.
  private(set) var request: RuleTrialRequest?
  /// The main words of the last valid query, for the default name.
  private var subject = ""
  /// The last result of the trial. It belongs to an earlier query until the first response for the current one arrives.
  private(set) var findings: RuleTrial?
  /// The number of the request to which `findings` is the response.
  private var findingsNumber: Int?

  /// Creates the form for a new rule that matches messages like that of `origin`.
  package init(_ origin: RuleOrigin) {
    (takenNames, replaces, hasProgram) = (origin.takenNames, nil, false)
    condition = LineEditor(origin.condition.text)
  }

  /// Creates the form for a rule of the settings.
  ///
  /// - Parameter all: the rules of the settings.
  init(_ row: RuleRow, besides all: [RuleRow]) {
    takenNames = all.map(\.name).filter { $0 != row.name }
    (replaces, hasProgram) = (row.name, row.hasProgram)
    name = LineEditor(row.name)
    condition = LineEditor(row.condition)
    stops = row.stops
    (written, chosen) = (row.actions, [])
    if row.hasProgram { marks.append(RuleAction.run.text) }
    for action in row.actions { read(action) }
  }

  /// Shows an action of the settings in its field.
  private mutating func read(_ text: String) {
    switch RuleAction.parse(text) {
    case .success(.tag(let tag)): tags.insert(tags.isEmpty ? tag : ", " + tag)
    case .success(.untag(let tag)): withoutTags.insert(withoutTags.isEmpty ? tag : ", " + tag)
    case .success(.priority(let level)): priority = level
    case .success(.snooze(let time)): snooze = LineEditor(time)
    case .success, .failure:
      if !marks.contains(text) { marks.append(text) }
      chosen.insert(text)
    }
  }

  /// The actions without a value that every form offers.
  static let plainMarks = ["read", "unread", "star", "dismiss", "hide", "notify", "urgent", "silent"]

  // MARK: What it says

  /// The parsed condition, or the error in it.
  var meaning: Result<Query, Query.Mistake> { Query.parse(condition.text, .strict) }

  /// The actions to be written into the settings: first those that the edited rule already had, in their
  /// order, then the others.
  var actions: [String] {
    func tags(_ editor: LineEditor, _ name: String) -> [String] {
      editor.text.split(onBytes: ",").map { String($0).trimmingSpaces }.filter { !$0.isEmpty }.map {
        name + $0
      }
    }
    var all = marks.filter(chosen.contains) + tags(self.tags, "tag:") + tags(withoutTags, "untag:")
    if let priority {
      let before = written.last { RuleAction.parse($0) == .success(.priority(priority)) }
      all.append(before ?? RuleAction.priority(priority).text)
    }
    let time = snooze.text.trimmingSpaces
    if !time.isEmpty { all.append(RuleAction.snooze(time).text) }
    return written.filter(all.contains) + all.filter { !written.contains($0) }
  }

  // MARK: Marks

  mutating func toggleMark() {
    let name = marks[mark]
    chosen.formSymmetricDifference([name])
    // A message is one or the other.
    for pair in [["read", "unread"], ["notify", "silent"]] where pair.contains(name) && chosen.contains(name)
    {
      chosen.subtract(pair.filter { $0 != name })
    }
  }

  mutating func moveMark(by step: Int) { mark = (mark + step + marks.count) % marks.count }

  /// Moves to the next action of `marks` whose name begins with a letter.
  mutating func moveMark(to letter: Character) {
    let others = marks.indices.map { (mark + 1 + $0) % marks.count }
    if let next = others.first(where: { marks[$0].lowercased().hasPrefix(letter.lowercased()) }) {
      mark = next
    }
  }

  /// Chooses the next priority, or none after the last one.
  mutating func changePriority(by step: Int) {
    let levels = [nil] + (1...5).map { Priority($0) as Priority? }
    let place = levels.firstIndex(of: priority) ?? 0
    priority = levels[(place + step + levels.count) % levels.count]
  }

  /// The first error, in the order of the fields.
  var mistake: RuleFormMistake? { Field.allCases.lazy.compactMap(mistake(in:)).first }

  func mistake(in field: Field) -> RuleFormMistake? {
    switch field {
    case .name: return takenNames.contains(shownName) ? .nameIsTaken : nil
    case .condition:
      if case .failure(let mistake) = meaning { return .condition(mistake) }
      return nil
    case .marks:
      let actions = actions
      if actions.isEmpty { return .noAction }
      for action in actions {
        switch RuleAction.parse(action) {
        case .failure(let mistake): return .action(mistake)
        case .success(.run) where !hasProgram: return .needsProgram
        case .success: continue
        }
      }
      return nil
    case .tags, .withoutTags, .priority, .snooze, .stop: return nil
    }
  }

  /// The actions of the form that are valid.
  var doing: [RuleAction] {
    actions.compactMap { if case .success(let action) = RuleAction.parse($0) { action } else { nil } }
  }

  /// Whether the rule changes existing messages, for which there are no notifications.
  var changesMessages: Bool {
    doing.contains { action in
      switch action {
      case .read, .unread, .star, .dismiss, .hide, .tag, .untag, .priority, .snooze: true
      case .notify, .urgent, .again, .silent, .run: false
      }
    }
  }

  /// The rule as it is to be saved.
  package var draft: RuleDraft {
    RuleDraft(
      name: shownName, condition: condition.text.trimmingSpaces, actions: actions, stops: stops,
      replaces: replaces)
  }

  // MARK: Its name

  private static let longestUsualName = 40

  /// The typed name, or the default name.
  var shownName: String {
    let typed = name.text.trimmingSpaces
    return typed.isEmpty ? usualName : typed
  }

  /// The default name, which differs from those of the other rules.
  var usualName: String {
    let words = String(subject.prefix(Self.longestUsualName)).trimmingSpaces
    let base = words.isEmpty ? "rule" : words
    if !takenNames.contains(base) { return base }
    var number = 2
    while takenNames.contains("\(base) \(number)") { number += 1 }
    return "\(base) \(number)"
  }

  // MARK: Fields

  /// Changes the text of the selected field.
  ///
  /// - Returns: the result of `change`, or `false` for a field in which nothing is typed.
  mutating func edit(_ change: (inout LineEditor) -> Bool) -> Bool {
    switch selected {
    case .name: change(&name)
    case .condition: change(&condition)
    case .tags: change(&tags)
    case .withoutTags: change(&withoutTags)
    case .snooze: change(&snooze)
    case .marks, .priority, .stop: false
    }
  }

  mutating func select(by step: Int) {
    let fields = Field.allCases
    let place = fields.firstIndex(of: selected) ?? 0
    selected = fields[(place + step + fields.count) % fields.count]
    completion = nil
  }

  // MARK: The trial

  /// Records the request for the trial of a query; `nil` while the query has an error.
  mutating func ask(_ new: RuleTrialRequest?) {
    request = new
    if let new { subject = new.condition.subject } else { findings = nil }
  }

  /// Whether the result of the trial that is shown belongs to the current query.
  var isCurrent: Bool { findingsNumber != nil && findingsNumber == request?.number }

  /// Shows the results of the trial with this request number, unless its query has changed.
  mutating func apply(_ trial: RuleTrial, number: Int) {
    guard number == request?.number else { return }
    (findings, findingsNumber) = (trial, number)
  }
}

/// An error in the form, reported with the same sentence as an error in the settings file.
enum RuleFormMistake: Hashable, Sendable {
  case nameIsTaken
  case condition(Query.Mistake)
  case noAction
  case action(RuleAction.Mistake)
  /// The program of `run` has to be written in the settings.
  case needsProgram

  var field: RuleForm.Field {
    switch self {
    case .nameIsTaken: .name
    case .condition: .condition
    case .noAction, .action, .needsProgram: .marks
    }
  }

  /// The bytes of the field's text that have the error.
  var range: Range<Int>? {
    switch self {
    case .condition(let mistake): mistake.range
    case .nameIsTaken, .noAction, .action, .needsProgram: nil
    }
  }
}

/// A rule to be written into the settings.
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

/// A request for the trial of a rule on earlier messages.
package struct RuleTrialRequest: Hashable, Sendable {
  /// The number of the request, which counts up and is part of the responses.
  package var number: Int
  package var condition: Query
  /// Whether the trial waits until the user stops typing.
  package var rests: Bool

  package init(number: Int, condition: Query, rests: Bool) {
    (self.number, self.condition, self.rests) = (number, condition, rests)
  }
}

extension Query {
  /// The main words of the query, for the name of a rule.
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
  /// Returns the words that Tab inserts in place of the word before the cursor, and the beginning of that word, in
  /// bytes; `nil` if there are none.
  ///
  /// - Parameter names: the known sources, tags and so on.
  func completions(names: [Query.NameField: [String]]) -> (start: Int, texts: [String])? {
    let (editor, start, texts): (LineEditor, Int, [String])
    switch selected {
    case .name, .marks, .priority, .snooze, .stop: return nil
    case .condition:
      let found = Query.completions(in: condition.text, at: condition.byteCursor, names: names)
      (editor, start, texts) = (condition, found.range.lowerBound, found.texts)
    case .tags, .withoutTags:
      editor = selected == .tags ? tags : withoutTags
      (start, texts) = Self.completions(editor, tags: names[.tag] ?? [])
    }
    let typed = String(decoding: editor.text.utf8.prefix(editor.byteCursor).dropFirst(start), as: UTF8.self)
    let others = texts.filter { $0 != typed }
    return others.isEmpty ? nil : (start, others)
  }

  private static func completions(_ editor: LineEditor, tags: [String]) -> (start: Int, texts: [String]) {
    let before = String(decoding: editor.text.utf8.prefix(editor.byteCursor), as: UTF8.self)
    let piece = before[(before.lastIndex(of: ",").map(before.index(after:)) ?? before.startIndex)...]
    let typed = String(piece.drop(while: \.isWhitespace))
    // A tag cannot contain a comma.
    let fitting = tags.filter { !$0.contains(",") && $0.lowercased().hasPrefix(typed.lowercased()) }
    return (before.utf8.count - typed.utf8.count, typed.isEmpty ? [] : fitting)
  }
}
