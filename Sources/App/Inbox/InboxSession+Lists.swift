import Foundation
import Interface
import Messages
import Queries
import Storage

/// Changing the saved lists of the settings from the inbox.
@MainActor
extension InboxSession {
  /// What the settings say of a list; nil where they have no such list any more.
  private func settings(of id: SavedListID) -> ConfiguredList? {
    let name = state.listName(id)
    return workspace.settings.lists.first { $0.name == name }
  }

  func line(of list: SavedListID) -> Int { settings(of: list)?.line ?? 0 }

  func loadForm(_ id: SavedListID, _ request: RequestID) {
    guard let list = settings(of: id) else {
      return happened(.formAnswered(request, reason: NoSuchList().sentence))
    }
    let entries = SourceForm.Field.ofLists.map { field in
      SourceForm.Entry(field: field, stored: field == .name ? list.name : list.written, usual: "")
    }
    happened(.formLoaded(request, SourceForm(.list(id), entries: entries)))
  }

  func save(_ changes: [(field: SourceForm.Field, text: String)], of id: SavedListID, _ request: RequestID) {
    guard let list = settings(of: id) else {
      return happened(.formAnswered(request, reason: NoSuchList().sentence))
    }
    changeSettings { workspace in
      for (field, text) in changes {
        if field == .name, !SourceName.isValid(text) { throw BadName() }
        if field == .query { _ = try Workspace.search(text) }
      }
      let keys = changes.map { SettingsFile.Change($0.field.rawValue, TOMLText.shortest($0.text)) }
      guard try workspace.settingsFile.change(list: list.name, keys) else { throw NoSuchList() }
    } then: { session, result in
      switch result {
      case .success: session.happened(.formAnswered(request, reason: nil))
      case .failure(let failure): session.happened(.formAnswered(request, reason: session.reason(failure)))
      }
    }
  }

  func saveList(_ name: String, _ query: String, _ request: RequestID) {
    changeSettings { workspace in
      if !SourceName.isValid(name) { throw BadName() }
      _ = try Workspace.search(query)
      try workspace.settingsFile.append(list: name, query: query)
    } then: { session, result in
      switch result {
      case .success: session.happened(.listSaved(request, name: name, reason: nil))
      case .failure(let failure):
        session.happened(.listSaved(request, name: name, reason: session.reason(failure)))
      }
    }
  }

  func remove(listNamed name: String, _ act: ActID) {
    remove(act) { workspace in try workspace.remove(listNamed: name) }
  }

  func swap(_ list: SavedListID, _ other: SavedListID, _ request: RequestID) {
    let (name, otherName) = (state.listName(list), state.listName(other))
    changeSettings { workspace in
      try workspace.settingsFile.swapLists(name, otherName)
    } then: { session, result in
      switch result {
      case .success: session.happened(.sourceChanged(request, nil, title: name))
      case .failure(let failure):
        session.happened(.settingsUnchanged(request, reason: session.reason(failure)))
      }
    }
  }

  private struct NoSuchList: UserFacingError {
    let sentence = "the settings have no such list any more"
  }
}
