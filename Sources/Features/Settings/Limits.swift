import Basics

extension Limits {
  /// Entries of `[[quiet]]`.
  static let quietEntries = 64
  /// Saved lists: each is asked of every message that arrives or changes.
  static let savedLists = 64
}
