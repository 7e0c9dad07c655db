import Basics
package import Messages
import Words

/// The state of the interface that is restored at the next start. Each part is stored as text.
package struct Preferences: Hashable, Sendable {
  var closedFolders: Set<Folder> = []
  var sourceOrder = SourceTree.Order.file
  /// Whether sources and saved lists without unread messages are hidden.
  var hidesRead = false
  /// The sizes of the panes that the user chose with keys, in percent of the screen. They take precedence over those in
  /// the settings. The size of the list, which only versions before 0.3.0 write, applies to each list that has none.
  var shares = PaneShares()
  /// The changes that the user made to lists with keys.
  var lists: [InboxQuery.Scope: ListState] = [:]
  /// The searches that the user has made, the last one first.
  var searches: [String] = []
  /// The kinds of services for which the user was informed about acts that cannot be undone.
  var knownFinal: Set<SourceKind> = []
  /// Whether the page of sources found on this machine was shown.
  var hasSeenOffers = false

  package init() {}

  /// Reads stored preferences and ignores unknown values.
  ///
  /// - Parameter lists: the stored changes of each list.
  package init(_ stored: [String: String], lists: [InboxQuery.Scope: String] = [:]) {
    self.lists = lists.mapValues(ListState.init(text:)).filter { $1 != ListState() }
    func text(_ name: Name) -> String? { stored[name.rawValue] }
    closedFolders = Set(text(.closedFolders)?.split(onBytes: "\n").compactMap { Folder(String($0)) } ?? [])
    sourceOrder = text(.sourceOrder).flatMap(SourceTree.Order.init) ?? .file
    hidesRead = text(.hidesRead) == "true"
    shares = text(.shares).map(PaneShares.init(text:)) ?? PaneShares()
    searches = text(.searches)?.split(onBytes: "\n").map(String.init) ?? []
    knownFinal = Set(
      text(.knownFinal)?.split(onBytes: "\n").compactMap { SourceKind(rawValue: String($0)) } ?? [])
    hasSeenOffers = text(.hasSeenOffers) == "true"
  }

  /// The names under which the parts are stored.
  private enum Name: String, CaseIterable {
    case closedFolders = "closed_folders"
    case sourceOrder = "source_order"
    case hidesRead = "hides_read"
    case shares = "panes"
    case searches
    case knownFinal = "known_final"
    case hasSeenOffers = "offers"
  }

  /// Returns the text of a preference, or `nil` for the default, which is not stored.
  private func text(_ name: Name) -> String? {
    switch name {
    case .closedFolders:
      // A setting cannot contain a line end in the name of a folder.
      closedFolders.isEmpty ? nil : closedFolders.sorted().map(\.path).joined(separator: "\n")
    case .sourceOrder: sourceOrder == .file ? nil : sourceOrder.rawValue
    case .hidesRead: hidesRead ? "true" : nil
    case .shares: shares == PaneShares() ? nil : shares.text
    // A prompt has one line.
    case .searches: searches.isEmpty ? nil : searches.joined(separator: "\n")
    case .hasSeenOffers: hasSeenOffers ? "true" : nil
    case .knownFinal: knownFinal.isEmpty ? nil : knownFinal.map(\.rawValue).sorted().joined(separator: "\n")
    }
  }

  /// The stored preference (name and text) of a user who was informed, for every kind of service, which actions cannot
  /// be undone. The demos store it, so that the inbox does not show this information.
  package static var knowsFinalActs: (name: String, value: String?) {
    var preferences = Preferences()
    preferences.knownFinal = Set(SourceKind.allCases)
    return (Name.knownFinal.rawValue, preferences.text(.knownFinal))
  }

  /// Returns the values to be stored after a change.
  func changes(since old: Preferences) -> [(name: String, value: String?)] {
    Name.allCases.filter { text($0) != old.text($0) }.map { ($0.rawValue, text($0)) }
  }

  /// Returns the lists whose stored text changes.
  func listChanges(since old: Preferences) -> [(list: InboxQuery.Scope, state: String?)] {
    guard lists != old.lists else { return [] }
    return Set(lists.keys).union(old.lists.keys).filter { lists[$0] != old.lists[$0] }.map {
      ($0, lists[$0]?.text)
    }
  }
}
