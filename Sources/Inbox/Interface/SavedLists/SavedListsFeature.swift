import Foundation
package import Messages
import Queries
import Screen
import Words

package enum SavedListAction: Hashable, Sendable {
  /// The response to `save`; `reason` is why nothing was written.
  case saved(RequestID, name: String, reason: String?)
}

package enum SavedListEffect: Hashable, Sendable {
  /// Writes a search into the settings as a list. The response is `saved`.
  case save(name: String, query: String, RequestID)
  /// Removes a saved list from the settings. This is an act, with the response `performed` or `refused`.
  case remove(named: String, ActID)
  /// Swaps two saved lists in the settings. The response is `SourceAction.changed` or `SettingsAction.unchanged`.
  case swap(SavedListID, SavedListID, RequestID)
  /// Opens the settings file in the user's editor, at the line of that list.
  case editSettings(SavedListID)
}

/// Saving a search as a list.
extension AppState {
  mutating func reduce(_ action: SavedListAction) -> [Effect] {
    switch action {
    case .saved(let request, let name, let reason): return applySavedList(name, reason: reason, request)
    }
  }

  /// Performs a command for saved lists; returns `nil` for any other command.
  mutating func performSavedLists(_ command: Command) -> [Effect]? {
    command == .saveSearch ? askListName() : nil
  }

  /// Opens the prompt for the name of a new saved list, which will contain the shown search.
  private mutating func askListName() -> [Effect] {
    guard let query = queryToSave else {
      return report(words(.saveNothing, options.keymap.name(of: .search)))
    }
    dialog.prompt = Prompt(.saveList(query: query))
    return []
  }

  /// The search combined with its list, as one query over all messages, or `nil` if nothing is searched for.
  private var queryToSave: String? {
    guard let search = shown.list.query.search, case .success(let typed) = Query.parse(search, .typing),
      typed != .everything
    else { return nil }
    guard let scope = query(of: shown.list.query.scope) else { return nil }
    if scope == .everything, Query.parse(search, .strict) == .success(typed) {
      // The query as the user wrote it.
      return search.trimmingCharacters(in: .whitespaces)
    }
    return Query.all(of: [scope, typed]).text
  }

  /// Returns a query for the messages of a list, or `nil` if there is none.
  private func query(of scope: InboxQuery.Scope) -> Query? {
    func named(_ field: Query.NameField, _ names: [Glob]) -> Query {
      .test(.name(field, names.map { .glob($0) }))
    }
    switch scope {
    case .all: return .everything
    case .starred: return .test(.state([.starred]))
    case .snoozed: return .test(.state([.snoozed]))
    case .dismissed: return .test(.state([.dismissed]))
    case .hidden: return .test(.state([.hidden]))
    case .waiting: return .test(.state([.waiting]))
    case .source(let id):
      guard let source = shown.sources.status(id)?.source else { return nil }
      return named(.source, [Glob(pieces: [source.name])])
    case .folder(let folder):
      return named(.folder, [Glob(pieces: [folder.path]), Glob(pieces: [folder.path + "/", ""])])
    case .list(let id):
      guard let own = shown.sources.list(id)?.list.query, case .success(let query) = Query.parse(own, .strict)
      else { return nil }
      return query
    }
  }

  private mutating func applySavedList(_ name: String, reason: String?, _ request: RequestID) -> [Effect] {
    if let reason {
      let reason = SafeText(untrusted: reason)
      refuse(request, reason, elsewhere: words(.sourceUnchanged, reason))
      return []
    }
    report(words(.listSaved, SafeText(untrusted: name)))
    // The prompt was left in the meantime.
    guard dialog.endPrompt(request) else { return [] }
    guard let list = shown.sources.lists.first(where: { $0.list.name == name }) else {
      pending.list = name
      return []
    }
    return choose(.list(list.id))
  }
}
