import Foundation
import Messages
import Queries
import Screen

/// The prompt in which a search is typed.
extension AppState {
  /// Asks for a search of everything, wherever the keys are.
  ///
  /// - Parameter row: what Escape goes back to.
  mutating func searchAll(from row: ListKey?) -> [Effect] {
    let before = shown.list.query
    let query = InboxQuery(scope: .all, search: before.search, order: before.order)
    let editor = LineEditor(before.search?.trimmingCharacters(in: .whitespaces) ?? "")
    setFocus(.messages)
    dialog.prompt = .search(editor, before: before, at: row)
    return (query == before ? [] : show(query)) + [loadNames()]
  }

  /// Asks for the names that complete a search.
  mutating func loadNames() -> Effect {
    let request = pending.ask()
    pending.names = request
    return .loadNames(request)
  }

  mutating func searchChanged(_ text: String) -> [Effect] {
    if searchMistake != nil { return [] }
    let text = String(text.drop(while: \.isWhitespace))
    var query = shown.list.query
    query.search = text.isEmpty ? nil : text
    return query == shown.list.query ? [] : show(query)
  }

  /// Keeps what was found. The last word is finished, so it isn't a prefix any more.
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

  /// Puts the next of the possible fields or values in place of what is being typed.
  mutating func completeSearch(isForward: Bool) -> [Effect] {
    guard case .search(var editor, let before, let key)? = dialog.prompt else { return [] }
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
    dialog.prompt = .search(editor, before: before, at: key)
    // With one, the next Tab completes what follows it.
    dialog.completion = completing.texts.count > 1 ? completing : nil
    return searchChanged(editor.text)
  }

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

  /// Shows an earlier search, or a later one of them.
  mutating func recallSearch(earlier: Bool) -> [Effect] {
    guard case .search(_, let before, let key)? = dialog.prompt, !preferences.searches.isEmpty else {
      return []
    }
    let place = (dialog.recalled ?? -1) + (earlier ? 1 : -1)
    dialog.recalled = place < 0 ? nil : min(place, preferences.searches.count - 1)
    let text = dialog.recalled.map { preferences.searches[$0] } ?? ""
    dialog.prompt = .search(LineEditor(text), before: before, at: key)
    return searchChanged(text)
  }
}

extension Preferences {
  /// How many searches are remembered.
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
