import Basics

extension Limits {
  /// The maximum number of `[[quiet]]` tables.
  static let quietEntries = 64
  /// The maximum number of saved lists. Every message that arrives or changes is matched against each.
  static let savedLists = 64
}
