import Messages
import Screen

/// A rule of the settings, for the page of all rules.
package struct RuleRow: Hashable, Sendable {
  package var name: String
  package var condition: String
  package var actions: [String]
  package var stops: Bool
  package var isOn: Bool
  /// Whether the settings contain the program of its action `run`.
  package var hasProgram: Bool
  /// The error that disables the rule, or `nil`.
  package var mistake: String?
  /// The number of messages that the rule changed in the last `RuleTrial.usualDays` days.
  package var hits: Int

  package init(
    name: String, condition: String, actions: [String], stops: Bool = false, isOn: Bool = true,
    hasProgram: Bool = false, mistake: String? = nil, hits: Int = 0
  ) {
    (self.name, self.condition, self.actions, self.stops) = (name, condition, actions, stops)
    (self.isOn, self.hasProgram, self.mistake, self.hits) = (isOn, hasProgram, mistake, hits)
  }
}

/// All rules of the settings, one of them selected.
package struct RulesPage: Hashable, Sendable {
  /// The number of lines of each rule.
  static let lines = 2

  /// The rules, or `nil` until they are read.
  private(set) var rows: [RuleRow]?
  private(set) var selected = 0
  /// A rule that an undo has restored: selected as soon as it is there.
  private var wanted: String?
  /// The last request. Responses to earlier requests may not contain the last act.
  private var request: RequestID?
  /// Whether the rules are being loaded; keys wait until they have arrived.
  private(set) var isReading = false
  /// The index of the first visible rule.
  private var top = 0

  var row: RuleRow? {
    guard let rows, rows.indices.contains(selected) else { return nil }
    return rows[selected]
  }

  /// Records a request for the rules.
  ///
  /// - Parameter restored: a rule that may exist again.
  mutating func beginReading(_ request: RequestID, restored: String?) {
    (self.request, isReading) = (request, true)
    wanted = restored ?? wanted
  }

  /// Stops waiting for the rules.
  mutating func giveUp() { (wanted, isReading) = (nil, false) }

  /// Replaces the rules; the selection stays on the rule with the same name.
  mutating func apply(_ new: [RuleRow], for request: RequestID) {
    guard request == self.request else { return }
    let names = [wanted, row?.name]
    rows = new
    select(names.lazy.compactMap { name in new.firstIndex { $0.name == name } }.first ?? selected)
    (wanted, isReading) = (nil, false)
  }

  mutating func select(_ index: Int) { selected = max(0, min(index, (rows?.count ?? 1) - 1)) }

  /// Moves the visible part so that the selected rule is in it.
  mutating func fit(lines: Int) {
    let visible = max(1, lines / Self.lines)
    top = min(max(0, top), max(0, (rows?.count ?? 0) - visible))
    top = min(max(top, selected - visible + 1), selected)
  }

  func visible(lines: Int) -> [(row: RuleRow, isSelected: Bool)] {
    guard let rows else { return [] }
    return rows.enumerated().dropFirst(top).prefix(max(1, lines / Self.lines)).map {
      ($0.element, $0.offset == selected)
    }
  }
}
