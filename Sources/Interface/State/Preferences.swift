import Messages

/// What the inbox remembers of its look from one start to the next. Each is a name and a text in the store.
package struct Preferences: Hashable, Sendable {
  var closedFolders: Set<Folder> = []
  var sourceOrder = SourceTree.Order.file
  var hidesRead = false

  package init() {}

  /// What isn't understood is as if it had never been stored.
  package init(_ stored: [String: String]) {
    closedFolders = Set(
      stored[Name.closedFolders.rawValue]?.split(separator: "\n").compactMap { Folder(String($0)) } ?? [])
    sourceOrder = stored[Name.sourceOrder.rawValue].flatMap(SourceTree.Order.init) ?? .file
    hidesRead = stored[Name.hidesRead.rawValue] == "true"
  }

  private enum Name: String, CaseIterable {
    case closedFolders = "closed_folders"
    case sourceOrder = "source_order"
    case hidesRead = "hides_read"
  }

  /// Nil for what is usual: nothing is stored then.
  private func text(_ name: Name) -> String? {
    switch name {
    case .closedFolders:
      // No setting can hold a line end in the name of a folder.
      closedFolders.isEmpty ? nil : closedFolders.sorted().map(\.path).joined(separator: "\n")
    case .sourceOrder: sourceOrder == .file ? nil : sourceOrder.rawValue
    case .hidesRead: hidesRead ? "true" : nil
    }
  }

  /// What is to be stored after a change.
  func changes(since old: Preferences) -> [Effect] {
    Name.allCases.filter { text($0) != old.text($0) }.map { .remember($0.rawValue, text($0)) }
  }
}
