import Messages
import Screen

/// A rule of the settings, for the page of all rules.
package struct RuleRow: Hashable, Sendable {
  package var name: String
  package var condition: String
  package var actions: [String]
  package var stops: Bool
  package var isOn: Bool
  /// Whether the settings name the program of its action `run`.
  package var hasProgram: Bool
  /// Why it does nothing, if it has a mistake.
  package var mistake: String?
  /// The number of messages that it touched in the last days.
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
  /// Whether the user has changed the rules of the settings, and they are not read again yet.
  private var isChanging = false
  /// The number of readings that are not answered.
  private var readings = 0
  /// The index of the first visible rule.
  private var top = 0

  var row: RuleRow? {
    guard let rows, rows.indices.contains(selected) else { return nil }
    return rows[selected]
  }

  /// Whether other rules come: the next key means one of those.
  var isReading: Bool { isChanging || readings > 0 }

  mutating func beginReading() {
    readings += 1
    isChanging = false
  }

  /// The settings will have other rules.
  ///
  /// - Parameter restored: a rule that is there again.
  mutating func beginChange(restored: String? = nil) {
    isChanging = true
    wanted = restored
  }

  /// The rules stay as they are.
  mutating func endChange() { isChanging = false }

  mutating func giveUp() { (wanted, isChanging, readings) = (nil, false, 0) }

  /// The selected rule stays selected, by its name.
  mutating func apply(_ new: [RuleRow]) {
    readings = max(0, readings - 1)
    let names = [wanted, row?.name]
    rows = new
    select(names.lazy.compactMap { name in new.firstIndex { $0.name == name } }.first ?? selected)
    if !isReading { wanted = nil }
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
