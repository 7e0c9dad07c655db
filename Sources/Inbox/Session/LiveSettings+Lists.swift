import Foundation
import Interface
import Messages
import Platform
import Profile
import Settings
import Storage

/// Changing the saved lists of the settings from the inbox.
extension LiveSettings {
  /// What the settings say of a list; nil where they have no such list any more.
  private func settings(of id: SavedListID) -> ConfiguredList? {
    let name = loop.state.listName(id)
    return loop.profile.settings.lists.first { $0.name == name }
  }

  /// Of its table in the settings; 0 where it has none.
  func line(of list: SavedListID) -> Int { settings(of: list)?.line ?? 0 }

  func loadForm(_ id: SavedListID, _ request: RequestID) {
    guard let list = settings(of: id) else {
      return loop.happened(.formAnswered(request, reason: NoSuchList().sentence))
    }
    let entries = SourceFields.Field.ofLists.map { field in
      SourceFields.Entry(field: field, stored: field == .name ? list.name : list.written, usual: "")
    }
    loop.happened(.formLoaded(request, SourceFields(.list(id), entries: entries)))
  }

  func save(_ changes: [(field: SourceFields.Field, text: String)], of id: SavedListID, _ request: RequestID)
  {
    guard let list = settings(of: id) else {
      return loop.happened(.formAnswered(request, reason: NoSuchList().sentence))
    }
    change(request) { profile in
      for (field, text) in changes {
        if field == .name, !SourceName.isValid(text) { throw BadName() }
        if field == .query { _ = try profile.search(text) }
      }
      let keys = changes.map { SettingsFile.Change($0.field.rawValue, TOMLText.shortest($0.text)) }
      guard try profile.settingsFile.change(list: list.name, keys) else { throw NoSuchList() }
    } then: { [loop] result in
      loop.happened(.formAnswered(request, reason: result.refusal))
    }
  }

  func saveList(_ name: String, _ query: String, _ request: RequestID) {
    change(request) { profile in
      if !SourceName.isValid(name) { throw BadName() }
      _ = try profile.search(query)
      try profile.settingsFile.append(list: name, query: query)
    } then: { [loop] result in
      loop.happened(.listSaved(request, name: name, reason: result.refusal))
    }
  }

  func remove(listNamed name: String, _ act: ActID) {
    remove(act, called: name) { profile in
      try profile.remove(listNamed: name)
      return []
    }
  }

  func swap(_ list: SavedListID, _ other: SavedListID, _ request: RequestID) {
    let (name, otherName) = (loop.state.listName(list), loop.state.listName(other))
    change(request) { profile in
      try profile.settingsFile.swapLists(name, otherName)
    } then: { [loop] result in
      loop.happened(
        result.refusal.map { .settingsUnchanged(request, reason: $0) }
          ?? .sourceChanged(request, nil, title: name))
    }
  }

  struct NoSuchList: UserFacingError {
    let sentence = "the settings have no such list any more"
  }
}
