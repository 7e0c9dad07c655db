import Foundation
import Interface
import Messages
import Platform
import Profile
import Settings
import Storage

/// Changing the saved lists of the settings from the inbox.
extension LiveSettings {
  func perform(_ effect: SavedListEffect) {
    switch effect {
    case .save(let name, let query, let request):
      change(request) { profile in
        if !SourceName.isValid(name) { throw BadName() }
        _ = try profile.search(query)
        try profile.settingsFile.append(list: name, query: query)
      } then: { [loop] result in
        loop.happened(.savedLists(.saved(request, name: name, reason: result.refusal)))
      }
    case .remove(let name, let act):
      remove(act, called: name) { profile in
        try profile.remove(listNamed: name)
        return []
      }
    case .swap(let list, let other, let request):
      let (name, otherName) = (loop.state.listName(list), loop.state.listName(other))
      change(request) { profile in
        try profile.settingsFile.swapLists(name, otherName)
      } then: { [loop] result in
        loop.happened(
          result.refusal.map { .settings(.unchanged(request, reason: $0)) }
            ?? .sources(.changed(request, nil, title: name)))
      }
    case .editSettings(let list): edit(line: settings(of: list)?.line ?? 0)
    }
  }

  /// Returns the settings of a list, or `nil` if the settings no longer have it.
  private func settings(of id: SavedListID) -> ConfiguredList? {
    let name = loop.state.listName(id)
    return loop.profile.settings.lists.first { $0.name == name }
  }

  /// Loads the settings of a saved list for the form.
  func loadForm(_ id: SavedListID, _ request: RequestID) {
    guard let list = settings(of: id) else {
      return loop.happened(.forms(.answered(request, reason: NoSuchList().sentence)))
    }
    let entries = SourceFields.Field.ofLists.map { field in
      SourceFields.Entry(field: field, stored: field == .name ? list.name : list.written, usual: "")
    }
    loop.happened(.forms(.loaded(request, SourceFields(.list(id), entries: entries))))
  }

  func save(_ changes: [(field: SourceFields.Field, text: String)], of id: SavedListID, _ request: RequestID)
  {
    guard let list = settings(of: id) else {
      return loop.happened(.forms(.answered(request, reason: NoSuchList().sentence)))
    }
    change(request) { profile in
      for (field, text) in changes {
        if field == .name, !SourceName.isValid(text) { throw BadName() }
        if field == .query { _ = try profile.search(text) }
      }
      let keys = changes.map { SettingsFile.Change($0.field.rawValue, TOMLText.shortest($0.text)) }
      guard try profile.settingsFile.change(list: list.name, keys) else { throw NoSuchList() }
    } then: { [loop] result in
      loop.happened(.forms(.answered(request, reason: result.refusal)))
    }
  }

  struct NoSuchList: UserFacingError {
    let sentence = "the settings have no such list any more"
  }
}
