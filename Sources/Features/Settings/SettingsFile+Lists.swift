import Formats
import Foundation
import Messages

/// The `[[list]]` tables of the file.
extension SettingsFile {
  /// Appends a list and keeps everything else in the file, with comments.
  ///
  /// - Throws: `Failure` or `SettingsMistakes`; the file is unchanged then.
  package func append(list name: String, query: String) throws {
    try edit(as: SettingsAct(.listAdded, name)) { text in
      let before = try reader().read(text)
      if before.lists.contains(where: { $0.name == name }) { throw taken(name) }
      let lines = ["name = \(TOMLText.shortest(name))", "query = \(TOMLText.shortest(query))"]
      let longer = SettingsEdit.appending("list", [lines], to: text)
      var after = try readAgain(longer).withoutLines
      guard after.lists.popLast()?.name == name, after == before.withoutLines else {
        throw byHand("add the list there")
      }
      return longer
    }
  }

  /// Changes keys of the `[[list]]` with a name; keeps comments, order and everything else.
  ///
  /// - Returns: `false` if no list has the name.
  /// - Throws: `Failure` or `SettingsMistakes`; the file is unchanged then.
  package func change(list name: String, _ changes: [Change]) throws -> Bool {
    var isThere = false
    try edit(as: SettingsAct(.listChanged, name)) { text in
      guard let place = try place(ofList: name, in: text) else { return nil }
      isThere = true
      let before = try reader().read(text).withoutLines
      let byHand = byHand("change the list \"\(name)\" there")
      guard let changed = SettingsEdit.applying(changes, to: "list[\(place)]", of: text) else { throw byHand }
      let after = try readAgain(changed).withoutLines
      guard let index = before.lists.firstIndex(where: { $0.name == name }) else { return nil }
      guard after.lists.count == before.lists.count else {
        throw Failure(path: path, reason: "was not changed: another list has that name")
      }
      var (old, new) = (before, after)
      old.lists.remove(at: index)
      new.lists.remove(at: index)
      (old.problems, new.problems) = ([], [])
      guard old == new else { throw byHand }
      return changed
    }
    return isThere
  }

  /// Swaps two lists in the file.
  ///
  /// - Throws: `Failure` or `SettingsMistakes`; the file is unchanged then.
  package func swapLists(_ first: String, _ second: String) throws {
    try edit(as: SettingsAct(.listMoved, first)) { text in
      guard let a = try place(ofList: first, in: text), let b = try place(ofList: second, in: text) else {
        return nil
      }
      var wanted = try reader().read(text).withoutLines
      guard let from = wanted.lists.firstIndex(where: { $0.name == first }),
        let to = wanted.lists.firstIndex(where: { $0.name == second })
      else { return nil }
      wanted.lists.swapAt(from, to)
      guard let changed = SettingsEdit.swapping("list[\(min(a, b))]", "list[\(max(a, b))]", of: text) else {
        throw byHand("move the list there")
      }
      var after = try readAgain(changed).withoutLines
      (wanted.problems, after.problems) = ([], [])
      guard after == wanted else { throw byHand("move the list there") }
      return changed
    }
  }

  /// Returns the number of the list's table among all `[[list]]` tables of the text, counted from 0. Tables
  /// that are left out of the settings because of an error count too.
  private func place(ofList name: String, in text: String) throws -> Int? {
    guard let line = try reader().read(text).lists.first(where: { $0.name == name })?.line else { return nil }
    let tables = TOMLDocument.blocks(of: text).filter { $0.path.count == 1 && $0.path[0].hasPrefix("list[") }
    return tables.firstIndex { $0.header == line }
  }

  private func taken(_ name: String) -> Failure {
    Failure(path: path, reason: "already has a list named \"\(name)\"")
  }
}
