import Foundation
import Messages
import Queries
import Screen
import Words

/// Saving a search as a list.
extension AppState {
  /// Asks what the search that is shown is to be called.
  mutating func askListName() -> [Effect] {
    guard let query = queryToSave else {
      statusLine.toast = Toast(words(.saveNothing, options.keymap.name(of: .search)))
      return []
    }
    dialog.prompt = .saveList(LineEditor(), query: query, .editing)
    return []
  }

  /// The search with the list that it was made in, as one query over all messages; nil where nothing is searched for.
  private var queryToSave: String? {
    guard let search = shown.list.query.search, case .success(let typed) = Query.parse(search, .typing),
      typed != .everything
    else { return nil }
    guard let scope = query(of: shown.list.query.scope) else { return nil }
    if scope == .everything, Query.parse(search, .strict) == .success(typed) {
      // As the user wrote it.
      return search.trimmingCharacters(in: .whitespaces)
    }
    return Query.all(of: [scope, typed]).text
  }

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

  mutating func acceptListName(_ editor: LineEditor, _ query: String) -> [Effect] {
    let name = editor.text.trimmingCharacters(in: .whitespaces)
    guard !name.isEmpty else {
      dialog.prompt = nil
      return []
    }
    let request = pending.ask()
    dialog.prompt = .saveList(editor, query: query, .asking(request))
    return [.saveList(name: name, query: query, request)]
  }

  mutating func applySavedList(_ name: String, reason: String?, _ request: RequestID) -> [Effect] {
    var asking: (editor: LineEditor, query: String)?
    if case .saveList(let editor, let query, .asking(request))? = dialog.prompt { asking = (editor, query) }
    if let reason {
      let reason = SafeText(untrusted: reason)
      if let asking {
        dropWaiting()
        dialog.prompt = .saveList(asking.editor, query: asking.query, .failed(reason))
      } else {
        statusLine.toast = Toast(words(.sourceUnchanged, reason), .failure)
      }
      return []
    }
    statusLine.toast = Toast(words(.listSaved, SafeText(untrusted: name)))
    // Nobody waits for it any more.
    guard asking != nil else { return [] }
    dialog.prompt = nil
    guard let list = shown.sources.lists.first(where: { $0.list.name == name }) else {
      pending.list = name
      return []
    }
    return choose(.list(list.id))
  }
}
