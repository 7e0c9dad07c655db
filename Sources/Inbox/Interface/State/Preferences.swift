import Basics
import Messages
import Words

/// What the inbox remembers of its look from one start to the next. Each is a name and a text in the store.
package struct Preferences: Hashable, Sendable {
  var closedFolders: Set<Folder> = []
  var sourceOrder = SourceTree.Order.file
  var hidesRead = false
  /// The user's shares of the panes, which have precedence over those of the settings.
  var shares = PaneShares()
  /// The order of lists that the user chose; nil is that of the settings.
  var listOrder: ListOrder?
  /// What was searched for, the last one first.
  var searches: [String] = []
  /// The kinds of services of which the user knows which acts are final there.
  var knownFinal: Set<SourceKind> = []

  package init() {}

  /// What isn't understood is as if it had never been stored.
  package init(_ stored: [String: String]) {
    func text(_ name: Name) -> String? { stored[name.rawValue] }
    closedFolders = Set(text(.closedFolders)?.split(exactly: "\n").compactMap { Folder(String($0)) } ?? [])
    sourceOrder = text(.sourceOrder).flatMap(SourceTree.Order.init) ?? .file
    hidesRead = text(.hidesRead) == "true"
    shares = text(.shares).map(PaneShares.init(text:)) ?? PaneShares()
    listOrder = text(.listOrder).flatMap(ListOrder.init)
    searches = text(.searches)?.split(exactly: "\n").map(String.init) ?? []
    knownFinal = Set(
      text(.knownFinal)?.split(exactly: "\n").compactMap { SourceKind(rawValue: String($0)) } ?? [])
  }

  private enum Name: String, CaseIterable {
    case closedFolders = "closed_folders"
    case sourceOrder = "source_order"
    case hidesRead = "hides_read"
    case shares = "panes"
    case listOrder = "list_order"
    case searches
    case knownFinal = "known_final"
  }

  /// Nil for what is usual: nothing is stored then.
  private func text(_ name: Name) -> String? {
    switch name {
    case .closedFolders:
      // No setting can hold a line end in the name of a folder.
      closedFolders.isEmpty ? nil : closedFolders.sorted().map(\.path).joined(separator: "\n")
    case .sourceOrder: sourceOrder == .file ? nil : sourceOrder.rawValue
    case .hidesRead: hidesRead ? "true" : nil
    case .shares: shares == PaneShares() ? nil : shares.text
    case .listOrder: listOrder?.rawValue
    // A prompt has one line.
    case .searches: searches.isEmpty ? nil : searches.joined(separator: "\n")
    case .knownFinal: knownFinal.isEmpty ? nil : knownFinal.map(\.rawValue).sorted().joined(separator: "\n")
    }
  }

  /// The name and the text that are stored once the user knows the final acts of all services.
  package static var knowsFinalActs: (name: String, value: String?) {
    var preferences = Preferences()
    preferences.knownFinal = Set(SourceKind.allCases)
    return (Name.knownFinal.rawValue, preferences.text(.knownFinal))
  }

  /// What is to be stored after a change.
  func changes(since old: Preferences) -> [(name: String, value: String?)] {
    Name.allCases.filter { text($0) != old.text($0) }.map { ($0.rawValue, text($0)) }
  }
}
