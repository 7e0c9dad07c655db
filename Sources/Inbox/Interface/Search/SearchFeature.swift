import Foundation
package import Messages
package import Queries
import Screen
import Words

package enum SearchAction: Hashable, Sendable {
  /// The response to `findUnread`, with `nil` if there is none in that direction.
  case unreadFound(RequestID, ListKey?)
  /// The response to `loadNames`, with the values of each field.
  case namesLoaded(RequestID, [Query.NameField: [String]])
  /// The response to `findHits`, in list order.
  case hitsFound(InboxQuery, [ListKey])
}

package enum SearchEffect: Hashable, Sendable {
  /// Finds the nearest unread message of a list in one direction from a position. The position is the key of
  /// a message, which need not be in the list. The response is `unreadFound`.
  case findUnread(InboxQuery, from: ListKey, forward: Bool, RequestID)
  /// Loads tags, hosts and similar values of messages, to complete a search. The response is `namesLoaded`.
  case loadNames(RequestID)
  /// Finds the keys of the first messages that match a search, one more than the largest number that is shown. The
  /// response is `hitsFound`.
  case findHits(InboxQuery)
}

/// The prompt in which a search is typed.
extension AppState {
  mutating func reduce(_ action: SearchAction) -> [Effect] {
    switch action {
    case .unreadFound(let request, let key): return applyUnread(request, key)
    case .namesLoaded(let request, let names):
      if pending.names == request { pending.names = nil }
      dialog.names = names
    case .hitsFound(let query, let keys): shown.list.apply(hits: keys, of: query)
    }
    return []
  }

  /// Performs a command for searching; returns `nil` for any other command.
  mutating func performSearch(_ command: Command) -> [Effect]? {
    switch command {
    case .search:
      if focus.pane == .sources {
        dialog.prompt = Prompt(.filter, shown.sources.view.filter)
        return []
      }
      let text = shown.list.query.search?.trimmingCharacters(in: .whitespaces) ?? ""
      dialog.prompt = Prompt(.search(before: shown.list.query, at: shown.list.selectedRow?.key), text)
      setFocus(.messages)
      return [loadNames()]
    case .find: return startFind()
    case .searchAll: return searchAll(from: shown.list.selectedRow?.key)
    case _: return nil
    }
  }

  /// Opens the prompt for a search in all messages, from any pane.
  ///
  /// - Parameter row: the row that Escape returns to.
  mutating func searchAll(from row: ListKey?) -> [Effect] {
    let before = shown.list.query
    let query = InboxQuery(scope: .all, search: before.search, order: query(of: .all).order)
    setFocus(.messages)
    let text = before.search?.trimmingCharacters(in: .whitespaces) ?? ""
    dialog.prompt = Prompt(.search(before: before, at: row), text)
    return (query == before ? [] : show(query)) + [loadNames()]
  }

  /// Requests the tags, hosts and similar values of messages with which Tab completes a search.
  mutating func loadNames() -> Effect {
    let request = pending.ask()
    pending.names = request
    return .search(.loadNames(request))
  }

  /// Shows the messages that match the typed search.
  mutating func searchChanged(_ text: String) -> [Effect] {
    if searchMistake != nil { return [] }
    let text = String(text.drop(while: \.isWhitespace))
    var query = shown.list.query
    query.search = text.isEmpty ? nil : text
    return query == shown.list.query ? [] : show(query)
  }

  /// Closes the prompt and keeps the list of matches. The last word is complete now, so it is no longer a prefix.
  mutating func acceptSearch(_ text: String) -> [Effect] {
    if searchMistake != nil { return [] }
    dialog.prompt = nil
    dialog.endSearch()
    let typed = text.trimmingCharacters(in: .whitespaces)
    guard !typed.isEmpty else { return [] }
    let effects = changePreferences { $0.remember(search: typed) }
    var query = shown.list.query
    query.search = typed + " "
    if Query.parse(text, .typing) == Query.parse(typed + " ", .typing) { return effects }
    return effects + show(query, at: shown.list.selectedRow?.key)
  }

  /// Replaces the word being typed with the next of the possible fields or values.
  mutating func completeSearch(isForward: Bool) -> [Effect] {
    guard dialog.isSearching, var editor = dialog.prompt?.editor else { return [] }
    var completing: SearchCompletion
    if let last = dialog.completion {
      completing = last
      let step = isForward ? 1 : last.texts.count - 1
      completing.index = (last.index + step) % last.texts.count
    } else {
      let found = Query.completions(in: editor.text, at: editor.byteCursor, names: queryNames)
      if found.texts.isEmpty { return [] }
      completing = SearchCompletion(
        start: found.range.lowerBound, texts: found.texts, index: isForward ? 0 : found.texts.count - 1)
    }
    editor.replace(from: completing.start, with: completing.texts[completing.index])
    dialog.prompt?.editor = editor
    // After a single word, the next Tab completes the following one.
    dialog.completion = completing.texts.count > 1 ? completing : nil
    return searchChanged(editor.text)
  }

  /// The names with which Tab completes a query: those of sources, folders and kinds, and those loaded from messages.
  var queryNames: [Query.NameField: [String]] {
    var names = dialog.names
    let sources = shown.sources.statuses
    names[.source] = Self.unique(
      sources.flatMap { [$0.source.name, $0.source.title ?? $0.title].compactMap(\.self) })
    names[.folder] = Self.unique(sources.compactMap { $0.source.folder?.path })
    names[.kind] = Self.unique(
      MessageKind.allCases.map(\.rawValue) + sources.map(\.source.kind.rawValue))
    return names
  }

  private static func unique(_ names: [String]) -> [String] {
    var known: Set<String> = []
    return names.filter { known.insert($0).inserted }
  }

  /// Replaces the text of the prompt by the search before or after the one that it shows, among the
  /// remembered searches, and shows the matches.
  mutating func recallSearch(earlier: Bool) -> [Effect] {
    guard dialog.isSearching, !preferences.searches.isEmpty else { return [] }
    let place = (dialog.recalled ?? -1) + (earlier ? 1 : -1)
    dialog.recalled = place < 0 ? nil : min(place, preferences.searches.count - 1)
    let text = dialog.recalled.map { preferences.searches[$0] } ?? ""
    dialog.prompt?.editor = LineEditor(text)
    return searchChanged(text)
  }
}

extension Preferences {
  /// The number of searches that are remembered.
  private static let mostSearches = 50

  mutating func remember(search: String) {
    searches.removeAll { $0 == search }
    searches.insert(search, at: 0)
    searches.removeLast(max(0, searches.count - Self.mostSearches))
  }
}

extension Dialog {
  mutating func endSearch() {
    (completion, recalled) = (nil, nil)
  }
}
